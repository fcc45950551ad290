// Sums of usage, made ready to be drawn.
import type { RefSum, SelectionSum, UsageSum, Wait } from '../api/types';

const DAY = 86_400_000;

function name(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** The first of so many days that end today. */
export function since(days: number, now = Date.now()): string {
  return name(now - (days - 1) * DAY);
}

/** What calls took and saved. */
export type Sum = Pick<
  UsageSum,
  | 'key'
  | 'calls'
  | 'cache_hits'
  | 'input_tokens'
  | 'output_tokens'
  | 'cached_input_tokens'
  | 'cost'
  | 'unpriced_calls'
  | 'saved_tokens'
  | 'net_saved_tokens'
>;

/** One sum for each day; days without calls are there too, as the given one. */
export function filled<T extends { key: string }>(sums: T[], days: number, none: Omit<T, 'key'>, now = Date.now()): T[] {
  const known = new Map(sums.map((sum) => [sum.key, sum]));
  return Array.from({ length: days }, (_, place) => {
    const key = name(now - (days - 1 - place) * DAY);
    return known.get(key) ?? ({ ...none, key } as T);
  });
}

export const NO_USAGE: Omit<Sum, 'key'> = {
  calls: 0,
  cache_hits: 0,
  input_tokens: 0,
  output_tokens: 0,
  cached_input_tokens: 0,
  cost: 0,
  unpriced_calls: 0,
  saved_tokens: 0,
  net_saved_tokens: 0,
};

export const NO_WAITS: Omit<Wait, 'key'> = { replies: 0, median_ms: 0, p95_ms: 0 };

export const NO_REFS: Omit<RefSum, 'key'> = { refs: 0, tokens: 0, compressed_tokens: 0 };

export const NO_SELECTION: Omit<SelectionSum, 'key'> = {
  replies: 0,
  shown: 0,
  used: 0,
  left_out: 0,
  could_fetch: 0,
  lacking: 0,
  fetched_left_out: 0,
  fetched_in_short: 0,
};

export interface Totals {
  calls: number;
  /** Replies that were kept answers. */
  hits: number;
  input: number;
  output: number;
  cached: number;
  saved: number;
  net: number;
  cost: number;
  unpriced: number;
}

export function totals(sums: Sum[]): Totals {
  const add = (of: (sum: Sum) => number) => sums.reduce((total, sum) => total + of(sum), 0);
  return {
    calls: add((sum) => sum.calls),
    hits: add((sum) => sum.cache_hits),
    input: add((sum) => sum.input_tokens),
    output: add((sum) => sum.output_tokens),
    cached: add((sum) => sum.cached_input_tokens),
    saved: add((sum) => sum.saved_tokens),
    net: add((sum) => sum.net_saved_tokens),
    cost: add((sum) => sum.cost),
    unpriced: add((sum) => sum.unpriced_calls),
  };
}
