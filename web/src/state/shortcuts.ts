// Keys that work everywhere. Single letters rest while someone writes.
import { router, type View } from './route.svelte';

export interface Shortcut {
  keys: string;
  does: string;
}

/** What the help sheet shows. */
export const SHORTCUTS: Shortcut[] = [
  { keys: '?', does: 'Show these keys' },
  { keys: '/', does: 'Search files and conversations' },
  { keys: 'c', does: 'Write to the models' },
  { keys: 'n', does: 'Begin a new conversation' },
  { keys: 'g t', does: 'Go to Talk' },
  { keys: 'g f', does: 'Go to Files' },
  { keys: 'g e', does: 'Go to Memory' },
  { keys: 'g p', does: 'Go to Personas' },
  { keys: 'g c', does: 'Go to Consult' },
  { keys: 'g m', does: 'Go to Models and settings' },
  { keys: 'g u', does: 'Go to Usage' },
  { keys: 'd', does: 'Switch between light and dark' },
  { keys: 'Enter', does: 'Send; Shift + Enter makes a new line' },
  { keys: 'Esc', does: 'Stop the answers, close a sheet, or go back' },
];

const PLACES: Record<string, View> = {
  t: 'talk',
  f: 'files',
  e: 'memory',
  p: 'personas',
  c: 'consult',
  m: 'models',
  u: 'usage',
};

export interface Keys {
  help: () => void;
  theme: () => void;
}

/** Listens for keys; returns how to stop. */
export function listen(keys: Keys): () => void {
  let waitsForPlace = false;
  const press = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isWriting(event.target) || hasSheet()) return;
    if (waitsForPlace) {
      waitsForPlace = false;
      const place = PLACES[event.key];
      if (place) router.go(place);
      return;
    }
    switch (event.key) {
      case '?':
        keys.help();
        break;
      case 'd':
        keys.theme();
        break;
      case '/':
        if (router.now.view !== 'search') router.go('search');
        else document.querySelector<HTMLInputElement>('main input[type="search"]')?.select();
        break;
      case 'n':
        router.go('talk');
        focusComposer();
        break;
      case 'c':
        focusComposer();
        break;
      case 'g':
        waitsForPlace = true;
        return;
      default:
        return;
    }
    event.preventDefault();
  };
  addEventListener('keydown', press);
  return () => removeEventListener('keydown', press);
}

/** Whether Escape was pressed for the view itself, and not to close something upon it. */
export function isEscape(event: KeyboardEvent): boolean {
  return event.key === 'Escape' && !event.defaultPrevented && !hasSheet();
}

function hasSheet(): boolean {
  return document.querySelector('dialog[open]') !== null;
}

function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
}

function focusComposer(): void {
  // A view that has just been left for Talk is drawn first.
  requestAnimationFrame(() => document.querySelector<HTMLElement>('#message')?.focus());
}
