// Text for the clipboard. A page that another machine has over plain HTTP is given no clipboard; there
// the older way works, which copies what is selected.
import { notices } from '../state/notices.svelte';

/** Copies a text; whether it could, and where not, a notice says so. */
export async function copy(text: string): Promise<boolean> {
  const isCopied = await write(text);
  if (!isCopied) notices.trouble('The browser lets nothing be copied here: select the text and copy it by hand.');
  return isCopied;
}

async function write(text: string): Promise<boolean> {
  // Missing where the page is not secure, whatever the types say.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  try {
    if (!clipboard) return selected(text);
    await clipboard.writeText(text);
    return true;
  } catch {
    return selected(text);
  }
}

function selected(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'hidden';
  // What is outside an open sheet cannot be selected.
  (document.querySelector('dialog[open]') ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return isCopied;
}
