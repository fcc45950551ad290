// What is added to rendered Markdown once it stands in the page: copy buttons, colours, and links
// from citations such as `src/app.py:10-20` or `src/app.py, lines 10-20` to those lines.
import { meant, pathsOf } from '../state/paths';
import { link } from '../state/route.svelte';
import { copy } from './copy';

/** Also `src/app.py (lines 10-20)` and `src/app.py#L10-L20`. */
const CITATION =
  /([\w./][\w./@+-]*\.[A-Za-z]\w{0,9})(?:(?::|, lines? |#L)(\d+)(?:[-–]L?(\d+))?| \(lines? (\d+)(?:[-–](\d+))?\))/g;

export function addCopyButtons(node: HTMLElement): void {
  for (const header of node.querySelectorAll('.code > header')) {
    const button = document.createElement('button');
    button.className = 'quiet';
    button.textContent = 'Copy';
    button.addEventListener('click', () => {
      const code = header.parentElement?.querySelector('code')?.textContent ?? '';
      void copy(code).then((isCopied) => {
        if (!isCopied) return;
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

/** Links what is cited of files that the project has. */
export async function addCitations(node: HTMLElement, project: string): Promise<void> {
  const texts = citing(node);
  if (!texts.length) return;
  const paths = await pathsOf(project).catch(() => []);
  for (const text of texts) {
    for (const match of [...text.data.matchAll(CITATION)].reverse()) {
      const [whole, cited = '', first = match[4] ?? '', last = match[5] ?? first] = match;
      const path = meant(cited, paths);
      if (!path) continue;
      const place = text.splitText(match.index);
      place.splitText(whole.length);
      const anchor = document.createElement('a');
      anchor.href = link('files', [project], { path, lines: `${first}-${last}` });
      anchor.textContent = whole;
      anchor.className = 'citation';
      place.replaceWith(anchor);
    }
  }
}

/** The texts that seem to cite something. */
function citing(node: HTMLElement): Text[] {
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) {
    const text = walker.currentNode as Text;
    if (!text.parentElement?.closest('a, pre') && text.data.search(CITATION) !== -1) texts.push(text);
  }
  return texts;
}
