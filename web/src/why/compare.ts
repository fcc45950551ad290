// What is different from the turn before.
import type { Receipt, ReceiptItem } from '../api/types';
import { identity, isIn } from './source';

export interface Difference {
  came: ReceiptItem[];
  went: ReceiptItem[];
  /** In both, but shown otherwise; with the form it had. */
  reshaped: { item: ReceiptItem; before: string }[];
  kept: number;
}

export function difference(now: Receipt, before: Receipt): Difference {
  const shown = (receipt: Receipt) =>
    new Map(receipt.items.filter(isIn).map((item) => [identity(item), item]));
  const [here, there] = [shown(now), shown(before)];
  const both = [...here].flatMap(([name, item]) => {
    const old = there.get(name);
    return old ? [{ item, before: old.form }] : [];
  });
  return {
    came: [...here].filter(([name]) => !there.has(name)).map(([, item]) => item),
    went: [...there].filter(([name]) => !here.has(name)).map(([, item]) => item),
    reshaped: both.filter(({ item, before }) => item.form !== before),
    kept: both.filter(({ item, before }) => item.form === before).length,
  };
}

/** The share of what was sent that begins as the turn before did. */
export function reusable(receipt: Receipt): { bytes: number; of: number } {
  const of = receipt.blocks.reduce((sum, block) => sum + block.bytes, 0);
  return { bytes: Math.min(receipt.prefix?.bytes ?? 0, of), of };
}
