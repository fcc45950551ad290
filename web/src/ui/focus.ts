// Where the keyboard goes on when what it was at is gone.

/** Goes to what can be read in the view. */
export function toMain(): void {
  const find = (what: string) => document.querySelector<HTMLElement>(what);
  const place = find('main [role="region"][tabindex="0"]') ?? find('main a, main button');
  place?.focus({ preventScroll: true });
}
