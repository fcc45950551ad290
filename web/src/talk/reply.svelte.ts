// One model's reply: as it is stored, or as it comes. Both look the same to whoever draws them.
import type { Message, ReplyOutcome, TokenUsage } from '../api/types';

export type ReplyState =
  | 'prepared'
  | 'called'
  | 'replied'
  | 'failed'
  | 'cancelled'
  | 'interrupted';

export interface ToolRun {
  name: string;
  arguments: string;
  failed: boolean;
  tokens: number;
}

export type Kept = NonNullable<ReplyOutcome['cached']>;

export interface ReplyView {
  model: string;
  state: ReplyState;
  text: string;
  reasoning: string;
  tools: ToolRun[];
  messageId: string | undefined;
  receiptId: string | undefined;
  usage: TokenUsage | undefined;
  cost: number | undefined;
  /** The kept answer that it is, where no model was asked. */
  cached: Kept | undefined;
  problem: string;
}

export function isOpen(state: ReplyState): boolean {
  return state === 'prepared' || state === 'called';
}

export function canRetry(state: ReplyState): boolean {
  return state === 'failed' || state === 'cancelled' || state === 'interrupted';
}

/** How often a growing text is drawn: the longer it is, the less often. */
function pause(length: number): number {
  return 50 + length / 400;
}

/** A reply that is still coming. Pieces are gathered and shown together. */
export class LiveReply implements ReplyView {
  readonly model: string;
  state = $state<ReplyState>('prepared');
  text = $state('');
  reasoning = $state('');
  tools = $state<ToolRun[]>([]);
  messageId = $state<string>();
  receiptId = $state<string>();
  usage = $state<TokenUsage>();
  cost = $state<number>();
  cached = $state.raw<Kept>();
  problem = $state('');
  #text = '';
  #reasoning = '';
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(model: string, known?: ReplyView) {
    this.model = model;
    if (known?.state === 'replied') {
      this.text = this.#text = known.text;
      this.reasoning = this.#reasoning = known.reasoning;
      this.tools = known.tools;
      this.cached = known.cached;
      this.state = 'replied';
      this.messageId = known.messageId;
      this.receiptId = known.receiptId;
      this.usage = known.usage;
      this.cost = known.cost;
    }
  }

  /** The model is asked; what it said before does not count. */
  begin(receipt: string): void {
    this.state = 'called';
    this.receiptId = receipt;
    this.problem = '';
    this.#text = this.#reasoning = '';
    this.#show();
  }

  grow(text: string, reasoning: string): void {
    this.#text += text;
    this.#reasoning += reasoning;
    this.#timer ??= setTimeout(() => this.#show(), pause(this.#text.length));
  }

  finish(outcome: {
    text: string;
    messageId: string;
    receiptId?: string;
    usage?: TokenUsage;
    cost?: number;
    cached?: Kept;
  }): void {
    this.#text = outcome.text;
    this.#show();
    this.state = 'replied';
    this.messageId = outcome.messageId;
    this.receiptId = outcome.receiptId ?? this.receiptId;
    this.usage = outcome.usage;
    this.cost = outcome.cost;
    this.cached = outcome.cached;
  }

  fail(state: ReplyState, problem: string): void {
    this.#show();
    this.state = state;
    this.problem = problem;
  }

  #show(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.text = this.#text;
    this.reasoning = this.#reasoning;
  }
}

const NOTHING: Omit<ReplyView, 'model' | 'state'> = {
  text: '',
  reasoning: '',
  tools: [],
  messageId: undefined,
  receiptId: undefined,
  usage: undefined,
  cost: undefined,
  cached: undefined,
  problem: '',
};

/** A reply as it is stored, with what is known of how it was asked for. */
export function stored(message: Message | undefined, outcome: ReplyOutcome | undefined): ReplyView {
  const speaker = message?.speaker.replace(/^agent:/, '') ?? '';
  return {
    ...NOTHING,
    reasoning: message?.thoughts ?? '',
    tools: message?.tools ?? [],
    model: outcome?.model ?? speaker,
    state: message ? 'replied' : ((outcome?.state as ReplyState | undefined) ?? 'interrupted'),
    text: message?.content ?? '',
    messageId: message?.id,
    receiptId: outcome?.receipt_id ?? message?.receipt_id ?? undefined,
    usage: outcome?.usage ?? undefined,
    cost: outcome?.cost ?? undefined,
    cached: outcome?.cached ?? undefined,
    problem: outcome?.error?.message ?? '',
  };
}
