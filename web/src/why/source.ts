// Items of a receipt as a person names them, and where they belong.
import type { ReceiptItem, Source } from '../api/types';
import { link } from '../state/route.svelte';

export type Column = 'rules' | 'references' | 'tools' | 'files' | 'messages' | 'facts';

const COLUMNS: Record<string, Column> = {
  rules: 'rules',
  user_card: 'rules',
  tool_directory: 'tools',
  project_map: 'references',
  summary: 'references',
  message: 'messages',
  fact: 'facts',
};

export function columnOf(item: ReceiptItem): Column {
  return COLUMNS[item.kind] ?? 'files';
}

export function isIn(item: ReceiptItem): boolean {
  return item.form !== 'dropped';
}

const KINDS: Record<string, string> = {
  rules: 'Rules',
  user_card: 'Who asks',
  tool_directory: 'The list of them',
  project_map: 'Map of the project',
  summary: 'Summary',
  fact: 'Remembered',
};

/** What an item is called. */
export function nameOf(item: ReceiptItem): string {
  const { path, speaker, round, lines, place } = item.source;
  if (path) {
    const [first, last] = lines ?? [];
    return place ? `${path} ${place}` : first === undefined ? path : `${path}:${first}-${last ?? first}`;
  }
  if (speaker) return `${speaker === 'user' ? 'You' : speaker.replace(/^agent:/, '')}${round == null ? '' : `, round ${round}`}`;
  return KINDS[item.kind] ?? item.kind.replaceAll('_', ' ');
}

/** Where it can be looked at, if anywhere. */
export function placeOf(source: Source, project: string): string | undefined {
  if (source.path) {
    const lines = source.lines?.join('-');
    return link('files', [project], { path: source.path, ...(lines && { lines }) });
  }
  if (source.type === 'fact') return link('memory', [], { fact: source.id });
  // The message tells which conversation it is of, which need not be this one.
  if (source.type === 'message') return link('talk', [], { message: source.id });
  return undefined;
}

/** What makes an item the same in two receipts. */
export function identity(item: ReceiptItem): string {
  return [item.kind, item.source.type, item.source.id, item.source.path ?? '', item.source.lines?.join('-') ?? ''].join(' ');
}
