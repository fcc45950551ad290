// What is added to rendered Markdown once it stands in the page: copy buttons, colours, and links
// from citations such as `src/app.py:10-20` or `src/app.py, lines 10-20` to those lines.
import { link } from '../state/route.svelte';

const CITATION = /(\w[\w./@+-]*\.[A-Za-z]\w{0,9})(?::|, lines? )(\d+)(?:[-–](\d+))?/g;

export function addCopyButtons(node: HTMLElement): void {
  for (const header of node.querySelectorAll('.code > header')) {
    const button = document.createElement('button');
    button.className = 'quiet';
    button.textContent = 'Copy';
    button.addEventListener('click', () => {
      const code = header.parentElement?.querySelector('code')?.textContent ?? '';
      void navigator.clipboard.writeText(code).then(() => {
        button.textContent = 'Copied';
        setTimeout(() => (button.textContent = 'Copy'), 1500);
      });
    });
    header.append(button);
  }
}

export async function addColours(node: HTMLElement): Promise<void> {
  const blocks = node.querySelectorAll<HTMLElement>('.code');
  if (!blocks.length) return;
  const { highlighted } = await import('./highlight');
  for (const block of blocks) {
    const language = block.querySelector('header > span')?.textContent ?? '';
    const code = block.querySelector('code');
    const html = code && highlighted(code.textContent ?? '', language);
    if (code && html) code.innerHTML = html;
  }
}

export function addCitations(node: HTMLElement, project: string): void {
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) {
    const text = walker.currentNode as Text;
    if (!text.parentElement?.closest('a, pre')) texts.push(text);
  }
  for (const text of texts) {
    for (const match of [...text.data.matchAll(CITATION)].reverse()) {
      const [whole, path = '', first = '', last = first] = match;
      const cited = text.splitText(match.index);
      cited.splitText(whole.length);
      const anchor = document.createElement('a');
      anchor.href = link('files', [project], { path, lines: `${first}-${last}` });
      anchor.textContent = whole;
      anchor.className = 'citation';
      cited.replaceWith(anchor);
    }
  }
}
