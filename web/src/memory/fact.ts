// The kinds and states of facts, and how they are told.
import { answer, api } from '../api/client';
import type { Fact, FactCounts } from '../api/types';

export type Kind = Fact['kind'];
export type State = Fact['state'];
export type Counts = FactCounts;

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

export const NONE: Counts = { holds: 0, closed: 0, doubtful: 0 };

/** Facts that are less like what is searched for have nothing to do with it. */
const UNRELATED = 0.25;
const MOST_RECALLED = 20;

/** The facts that bear on a text by words and by meaning, best first; only those that hold are. */
export async function recalled({
  text,
  project_id,
  state,
  kind,
}: {
  text?: string;
  project_id?: string;
  state?: State;
  kind?: Kind;
}): Promise<Fact[]> {
  if (!text || (state && state !== 'holds')) return [];
  const where = project_id ? { project_id } : { all_projects: true };
  const body = { query: text, limit: MOST_RECALLED, ...where };
  const { facts } = await answer(api.POST('/api/facts/search', { body }));
  return facts.filter((fact) => fact.similarity >= UNRELATED && (!kind || fact.kind === kind));
}
