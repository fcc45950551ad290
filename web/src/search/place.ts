// Where a result opens: a file at its lines, a message in its conversation.
import type { Hit } from '../api/types';
import { link } from '../state/route.svelte';

export function placeOf({ source, project_id }: Hit): string {
  if (source.path) {
    const lines = source.lines?.join('-');
    return link('files', [project_id], { path: source.path, ...(lines && { lines }) });
  }
  return link('talk', [], { message: source.id });
}

/** The text in pieces, those that hold words of the query marked. */
export function marked(text: string, matched: string[]): { text: string; isFound: boolean }[] {
  const words = matched.filter((word) => word.length > 1).map((word) => word.replace(/[^\p{L}\p{N}]/gu, '.'));
  if (!words.length) return [{ text, isFound: false }];
  const pattern = new RegExp(`(${words.join('|')})`, 'giu');
  return text
    .split(pattern)
    .map((piece, place) => ({ text: piece, isFound: place % 2 === 1 }))
    .filter((piece) => piece.text);
}
