// A turn that is under way. Its stream is taken up again wherever it breaks, and the turn goes on
// when its view is left or the page is reloaded.
import { answer, api } from '../api/client';
import { Problem, words } from '../api/problem';
import { events, open, type ServerEvent } from '../api/sse';
import type { TokenUsage, TurnRequest } from '../api/types';
import { LiveReply, type Kept, type ReplyState, type ReplyView } from './reply.svelte';

interface DossierEvent {
  model: string;
  receipt: string;
  warnings: string[];
}
interface DeltaEvent {
  model: string;
  text?: string;
  reasoning?: string;
}
interface ToolEvent {
  model: string;
  name: string;
  arguments: string;
  failed: boolean;
  tokens: number;
}
interface ReplyEvent {
  model: string;
  message_id: string;
  receipt?: string;
  text: string;
  usage?: TokenUsage;
  cost?: number;
  cached?: Kept;
}
interface ErrorEvent {
  model: string;
  state: ReplyState;
  message: string;
}

const RECONNECT = 700;

export class LiveTurn {
  id = $state('');
  conversation = $state('');
  replies = $state<LiveReply[]>([]);
  /** What a person should know before asking more, such as that a budget is nearly spent. */
  warnings = $state<string[]>([]);
  isDone = $state(false);
  /** Why the turn could not even begin. */
  problem = $state('');
  readonly question: string;
  #last = '';
  #begun: () => void = () => undefined;
  /** Resolves when the conversation and the turn have names, or never will have. */
  readonly begun = new Promise<void>((resolve) => (this.#begun = resolve));
  #ended: () => void = () => undefined;
  /** Resolves when nothing more will come. */
  readonly ended = new Promise<void>((resolve) => (this.#ended = resolve));

  private constructor(question: string, models: string[]) {
    this.question = question;
    this.replies = models.map((model) => new LiveReply(model));
  }

  /** Asks. */
  static ask(request: TurnRequest): LiveTurn {
    const turn = new LiveTurn(request.message, request.models ?? []);
    void turn.#run(() => post('/api/turn', request));
    return turn;
  }

  /** Asks where the server chooses the model: a persona, an assistant. */
  static begin(path: string, question: string, request: unknown): LiveTurn {
    const turn = new LiveTurn(question, []);
    void turn.#run(() => post(path, request));
    return turn;
  }

  /** Follows a turn that was begun elsewhere, or before the page was loaded. */
  static follow(id: string, conversation: string, models: string[]): LiveTurn {
    const turn = LiveTurn.#known(id, conversation, models.map((model) => new LiveReply(model)));
    void turn.#run(() => open(new Request(`/api/turn/${id}`)));
    return turn;
  }

  /** Asks again those models of a turn that have not replied. */
  static retry(id: string, conversation: string, replies: ReplyView[], models: string[]): LiveTurn {
    const again = replies.map((reply) => new LiveReply(reply.model, reply));
    const turn = LiveTurn.#known(id, conversation, again);
    void turn.#run(() => post(`/api/turn/${id}/retry`, { models }));
    return turn;
  }

  static #known(id: string, conversation: string, replies: LiveReply[]): LiveTurn {
    const turn = new LiveTurn('', []);
    turn.id = id;
    turn.conversation = conversation;
    turn.replies = replies;
    turn.#begun();
    return turn;
  }

  /** Gives it up, or the reply of one of its models. */
  async stop(model?: string): Promise<void> {
    await this.begun;
    if (!this.id) return;
    const params = { path: { id: this.id }, query: { model } };
    await answer(api.POST('/api/turn/{id}/cancel', { params }));
  }

  async #run(start: () => Promise<Response>): Promise<void> {
    try {
      let response = await start();
      this.#named(response);
      while (!(await this.#hear(response))) response = await this.#again();
    } catch (error) {
      this.problem = words(error);
    }
    this.isDone = true;
    this.#begun();
    this.#ended();
  }

  #named(response: Response): void {
    this.id = response.headers.get('x-dossier-turn') ?? this.id;
    this.conversation = response.headers.get('x-dossier-thread') ?? this.conversation;
    this.#begun();
  }

  /** Hears a stream until it ends; whether that was its proper end. */
  async #hear(response: Response): Promise<boolean> {
    try {
      for await (const event of events(response)) {
        this.#last = event.id || this.#last;
        if (event.name === 'done') return true;
        this.#take(event);
      }
    } catch {
      // A broken line is taken up again.
    }
    return false;
  }

  async #again(): Promise<Response> {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, RECONNECT));
      const headers = this.#last ? { 'last-event-id': this.#last } : undefined;
      try {
        return await open(new Request(`/api/turn/${this.id}`, { headers }));
      } catch (error) {
        const isAway = error instanceof Problem && (error.status === 0 || error.status >= 500);
        if (!isAway) throw error;
      }
    }
  }

  #take(event: ServerEvent): void {
    switch (event.name) {
      case 'dossier': {
        const { model, receipt, warnings } = JSON.parse(event.data) as DossierEvent;
        this.#reply(model).begin(receipt);
        for (const warning of warnings) if (!this.warnings.includes(warning)) this.warnings.push(warning);
        break;
      }
      case 'delta': {
        const { model, text = '', reasoning = '' } = JSON.parse(event.data) as DeltaEvent;
        this.#reply(model).grow(text, reasoning);
        break;
      }
      case 'tool': {
        const { model, ...run } = JSON.parse(event.data) as ToolEvent;
        this.#reply(model).tools.push(run);
        break;
      }
      case 'reply': {
        const told = JSON.parse(event.data) as ReplyEvent;
        const { text, usage, cost, cached, message_id: messageId, receipt: receiptId } = told;
        this.#reply(told.model).finish({ text, messageId, receiptId, usage, cost, cached });
        break;
      }
      case 'error': {
        const { model, state, message } = JSON.parse(event.data) as ErrorEvent;
        this.#reply(model).fail(state, message);
        break;
      }
    }
  }

  #reply(model: string): LiveReply {
    const known = this.replies.find((reply) => reply.model === model);
    if (known) return known;
    const fresh = new LiveReply(model);
    this.replies.push(fresh);
    return fresh;
  }
}

function post(path: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return open(new Request(path, { method: 'POST', headers, body: JSON.stringify(body) }));
}
