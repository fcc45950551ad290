// Sums of usage, made ready to be drawn.
import type { Ref, UsageSum, Wait } from '../api/types';

const DAY = 86_400_000;

function name(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** The first of so many days that end today. */
export function since(days: number, now = Date.now()): string {
  return name(now - (days - 1) * DAY);
}

/** One sum for each day; days without calls are there too, as the given one. */
export function filled<T extends { key: string }>(sums: T[], days: number, none: Omit<T, 'key'>, now = Date.now()): T[] {
  const known = new Map(sums.map((sum) => [sum.key, sum]));
  return Array.from({ length: days }, (_, place) => {
    const key = name(now - (days - 1 - place) * DAY);
    return known.get(key) ?? ({ ...none, key } as T);
  });
}

export const NO_USAGE: Omit<UsageSum, 'key'> = {
  calls: 0,
  cache_hits: 0,
  input_tokens: 0,
  output_tokens: 0,
  cached_input_tokens: 0,
  reasoning_tokens: 0,
  cost: 0,
  unpriced_calls: 0,
  saved_tokens: 0,
};

export const NO_WAITS: Omit<Wait, 'key'> = { replies: 0, median_ms: 0, p95_ms: 0 };

/** Tokens of contents before and after they were shortened, of a day or of a kind. */
export interface Shortened {
  key: string;
  before: number;
  after: number;
}

export const NOT_SHORTENED: Omit<Shortened, 'key'> = { before: 0, after: 0 };

/** How much the contents of refs were shortened, added up by a key. */
export function shortened(refs: Ref[], key: (ref: Ref) => string): Shortened[] {
  const sums = new Map<string, Shortened>();
  for (const ref of refs) {
    const name = key(ref);
    const sum = sums.get(name) ?? { key: name, before: 0, after: 0 };
    sum.before += ref.tokens;
    sum.after += Math.min(ref.compressed_tokens, ref.tokens);
    sums.set(name, sum);
  }
  return [...sums.values()];
}

export interface Totals {
  calls: number;
  input: number;
  output: number;
  cached: number;
  saved: number;
  cost: number;
  unpriced: number;
}

export function totals(sums: UsageSum[]): Totals {
  const add = (of: (sum: UsageSum) => number) => sums.reduce((total, sum) => total + of(sum), 0);
  return {
    calls: add((sum) => sum.calls),
    input: add((sum) => sum.input_tokens),
    output: add((sum) => sum.output_tokens),
    cached: add((sum) => sum.cached_input_tokens),
    saved: add((sum) => sum.saved_tokens),
    cost: add((sum) => sum.cost),
    unpriced: add((sum) => sum.unpriced_calls),
  };
}
