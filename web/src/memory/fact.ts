// The kinds and states of facts, and how they are told.
import type { Fact } from '../api/types';

export type Kind = Fact['kind'];
export type State = Fact['state'];

export const KINDS: Kind[] = ['decision', 'entity', 'task', 'metric', 'link', 'fact'];

export const STATES: { name: State | 'all'; label: string }[] = [
  { name: 'holds', label: 'Holds' },
  { name: 'doubtful', label: 'Doubtful' },
  { name: 'closed', label: 'Held once' },
  { name: 'all', label: 'All' },
];

export const DOUBTS: Record<NonNullable<Fact['doubt']>, string> = {
  hedged: 'It was said with a doubt.',
  hearsay: 'It tells what somebody else has said.',
  contradiction: 'It contradicts a fact that is pinned.',
};
