// Where the keyboard goes on when what it was at is gone.
import { link } from '../state/route.svelte';

/** Goes to what can be read in the view. */
export function toMain(): void {
  const find = (what: string) => document.querySelector<HTMLElement>(what);
  const place = find('main [role="region"][tabindex="0"]') ?? find('main a, main button');
  place?.focus({ preventScroll: true });
}

/** Goes to a message that the page was led to: to the way to its context, if it has one. */
export function toMessage(id: string): void {
  // Whoever is somewhere already stays there.
  if (document.activeElement && document.activeElement !== document.body) return;
  const way = document.querySelector<HTMLElement>(`main a[href="${CSS.escape(link('why', [id]))}"]`);
  if (way) way.focus({ preventScroll: true });
  else toMain();
}
