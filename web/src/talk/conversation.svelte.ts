// The conversation in view, and all turns that are under way anywhere.
import { SvelteMap } from 'svelte/reactivity';
import { answer, api } from '../api/client';
import { sentence, words } from '../api/problem';
import type { ConversationRead, Message, TurnRequest } from '../api/types';
import { onChange } from '../state/live';
import { notices } from '../state/notices.svelte';
import { Queue } from '../state/queue';
import { link, router } from '../state/route.svelte';
import { keepImages } from './images';
import { canRetry, type ReplyView } from './reply.svelte';
import { openTurn, rounds, type Round } from './rounds';
import { LiveTurn } from './turn.svelte';

/** Turns under way, by their conversation; the one that is new has no name yet. */
const NEW = '';
const running = new SvelteMap<string, LiveTurn>();

/** Turns that were followed here to their end: whatever the server still tells of them. */
const heard = new Set<string>();

/** What was read of replies that did not come to their end, by their turn. The server keeps none of it. */
const unkept = new SvelteMap<string, ReplyView[]>();

export class ConversationInView {
  id = $state('');
  info = $state.raw<ConversationRead>();
  messages = $state.raw<Message[]>([]);
  waiting = $state(false);
  problem = $state('');
  readonly #queue = new Queue();

  constructor() {
    onChange((change) => {
      if (!this.id) return;
      // What could not be read is tried again as soon as anything is heard.
      if (change === 'everything' || change.id === this.id || this.problem) void this.load(this.id);
    });
  }

  get live(): LiveTurn | undefined {
    return running.get(this.id);
  }

  /** Where it goes on if not in Talk: with its persona, or in its consultation. */
  get elsewhere(): string {
    if (this.info?.persona_id) return link('personas', [this.info.persona_id]);
    return this.info?.is_consultation ? link('consult', [this.id]) : '';
  }

  readonly rounds: Round[] = $derived(rounds(this.messages, this.live, unkept));

  /** Shows a conversation; none for one that is to begin. */
  show(id: string): void {
    if (id === this.id) return;
    this.id = id;
    this.info = undefined;
    this.messages = [];
    this.problem = '';
    this.waiting = id !== '';
    if (id) void this.load(id);
  }

  /** Finds the conversation of a message, and goes there. */
  async find(message: string): Promise<void> {
    try {
      const params = { path: { id: message } };
      const found = await answer(api.GET('/api/messages/{id}', { params }));
      router.replace('talk', [found.conversation_id], { message });
    } catch (error) {
      this.problem = words(error);
    }
  }

  /** Reads a conversation again, after what is being read already: the newest is read last. */
  load(id: string): Promise<void> {
    return this.#queue.add(() => this.#load(id));
  }

  async #load(id: string): Promise<void> {
    const isOld = () => id !== this.id;
    if (isOld()) return;
    this.waiting = true;
    try {
      const { info, messages } = await read(id);
      if (isOld()) return;
      [this.info, this.messages, this.problem] = [info, messages, ''];
      const open = openTurn(messages);
      if (!open || running.has(id) || heard.has(open.id)) return;
      void this.#watch(LiveTurn.follow(open.id, id, open.models));
    } catch (error) {
      if (!isOld()) this.problem = words(error);
    } finally {
      if (!isOld()) this.waiting = false;
    }
  }

  /** Asks; a new conversation gets its address as soon as it has a name. */
  ask(request: TurnRequest): LiveTurn {
    const turn = this.begin(LiveTurn.ask(request));
    void turn.begun.then(() => keepImages(turn.id, request.attachments ?? []));
    return turn;
  }

  /** Shows a turn of this conversation that was just begun. */
  begin(turn: LiveTurn): LiveTurn {
    void this.#watch(turn);
    return turn;
  }

  retry(round: Round, models: string[]): void {
    if (!round.turnId) return;
    void this.#watch(LiveTurn.retry(round.turnId, this.id, round.replies, models));
  }

  /** Stops all answers, or that of one model. */
  stop(model?: string): void {
    this.live?.stop(model).catch((error: unknown) => notices.trouble(words(error)));
  }

  async #watch(turn: LiveTurn): Promise<void> {
    const place = turn.conversation || this.id || NEW;
    running.set(place, turn);
    await turn.begun;
    if (place === NEW && turn.conversation) {
      running.delete(NEW);
      running.set(turn.conversation, turn);
      if (this.id === NEW && router.now.view === 'talk') {
        this.id = turn.conversation;
        router.replace('talk', [turn.conversation]);
      }
    }
    const name = turn.conversation || place;
    await turn.ended;
    heard.add(turn.id);
    const cut = turn.replies.filter(({ state, text }) => canRetry(state) && text);
    if (cut.length) unkept.set(turn.id, cut);
    if (turn.problem) notices.trouble(turn.problem);
    for (const warning of turn.warnings) notices.trouble(sentence(warning));
    // What is stored takes the place of what was streamed.
    if (name && this.id === name) await this.load(name);
    if (running.get(name) === turn) running.delete(name);
  }
}

async function read(id: string): Promise<{ info: ConversationRead; messages: Message[] }> {
  const messages: Message[] = [];
  let cursor: string | undefined;
  for (;;) {
    const query = { limit: 1000, cursor };
    const params = { path: { id }, query };
    const page = await answer(api.GET('/api/conversations/{id}', { params }));
    messages.push(...page.messages);
    if (!page.next_cursor) return { info: page, messages };
    cursor = page.next_cursor;
  }
}

export const conversation = new ConversationInView();
