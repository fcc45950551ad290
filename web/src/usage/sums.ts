// Sums of usage, made ready to be drawn.
import type { UsageSum } from '../api/types';

const DAY = 86_400_000;

function name(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** The first of so many days that end today. */
export function since(days: number, now = Date.now()): string {
  return name(now - (days - 1) * DAY);
}

/** One sum for each day; days without calls are there too. */
export function filled(sums: UsageSum[], days: number, now = Date.now()): UsageSum[] {
  const known = new Map(sums.map((sum) => [sum.key, sum]));
  return Array.from({ length: days }, (_, place) => {
    const key = name(now - (days - 1 - place) * DAY);
    return known.get(key) ?? { ...NOTHING, key };
  });
}

const NOTHING: UsageSum = {
  key: '',
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
