// A conversation as rounds: what was asked, and the replies to it side by side.
import type { Message } from '../api/types';
import { isOpen, stored, type ReplyState, type ReplyView } from './reply.svelte';
import type { LiveTurn } from './turn.svelte';

export interface Round {
  key: string;
  number: number;
  /** What people said; nothing where a conversation was brought in that begins with a reply. */
  said: Message[];
  /** The question as it was typed, until it comes back from the server. */
  asked: string;
  replies: ReplyView[];
  turnId: string | undefined;
}

/** What was read of replies that are not stored, by their turn. */
export type Unkept = ReadonlyMap<string, ReplyView[]>;

/** The rounds of a conversation, with the turn that is under way. */
export function rounds(messages: Message[], live: LiveTurn | undefined, unkept: Unkept): Round[] {
  const all: Round[] = [];
  for (const message of messages) {
    let round = all.at(-1);
    if (!round || round.number !== message.round) {
      round = empty(message.round);
      all.push(round);
    }
    if (message.role === 'agent') round.replies.push(stored(message, undefined));
    else round.said.push(message);
  }
  for (const round of all) settle(round, unkept);
  if (live) join(all, live);
  return all;
}

function empty(number: number): Round {
  return { key: `round-${number}`, number, said: [], asked: '', replies: [], turnId: undefined };
}

/** Adds what is known of how replies were asked for, and those that never came. */
function settle(round: Round, unkept: Unkept): void {
  for (const turn of round.said.flatMap((message) => message.turns ?? [])) {
    round.turnId = turn.turn_id;
    for (const outcome of turn.replies) {
      const place = round.replies.findIndex((reply) => reply.messageId === outcome.message_id);
      const given = round.replies[place];
      if (given && outcome.message_id) {
        const { text, reasoning, tools, messageId } = given;
        round.replies[place] = { ...stored(undefined, outcome), text, reasoning, tools, messageId, state: 'replied' };
      } else {
        const read = unkept.get(turn.turn_id)?.find((reply) => reply.model === outcome.model);
        const { text = '', reasoning = '', tools = [] } = read ?? {};
        round.replies.push({ ...stored(undefined, outcome), text, reasoning, tools });
      }
    }
    const order = turn.replies.map((reply) => reply.model);
    round.replies.sort((a, b) => order.indexOf(a.model) - order.indexOf(b.model));
  }
}

function join(all: Round[], live: LiveTurn): void {
  let round = live.id ? all.find((round) => round.turnId === live.id) : undefined;
  if (!round) {
    round = { ...empty((all.at(-1)?.number ?? 0) + 1), asked: live.question };
    all.push(round);
  }
  round.turnId = live.id || undefined;
  round.replies = live.replies;
}

/** The turn of a conversation that is still under way, as its messages tell. */
export function openTurn(messages: Message[]): { id: string; models: string[] } | undefined {
  for (const message of messages.slice(-20).reverse()) {
    for (const turn of message.turns ?? []) {
      if (turn.replies.some((reply) => isOpen(reply.state as ReplyState))) {
        return { id: turn.turn_id, models: turn.replies.map((reply) => reply.model) };
      }
    }
  }
  return undefined;
}
