// Markdown as safe HTML, block by block, so that a growing text changes only its last block. Raw
// HTML is shown as text, images as links; nothing a model writes runs or loads anything.
import DOMPurify from 'dompurify';
import { Marked, type Tokens } from 'marked';

/** Longer texts, and longer paragraphs, are shown as they are: formatting them could take forever. */
const LONGEST = 120_000;
const LONGEST_PARAGRAPH = 8_000;

const SAFE_LINK = /^(https?:|mailto:)/i;

const marked = new Marked({
  gfm: true,
  renderer: {
    html: ({ text }) => escaped(text),
    image: ({ href, text }) => anchor(href, escaped(text || href)),
    link({ href, tokens }) {
      return anchor(href, this.parser.parseInline(tokens));
    },
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
    code: ({ text, lang }: Tokens.Code) => {
      const language = escaped((lang ?? '').split(/\s/)[0] ?? '');
      return `<div class="code"><header><span>${language || 'text'}</span></header><pre><code>${escaped(text)}</code></pre></div>`;
    },
  },
});

/** The blocks of a text as HTML; nothing if it should rather be shown as it is. */
export function blocks(text: string): string[] | null {
  if (text.length > LONGEST || hasEndlessParagraph(text)) return null;
  const known = marked.lexer(text);
  return known
    .filter((token) => token.type !== 'space' && token.type !== 'def')
    .map((token) => clean(marked.parser([token])));
}

function clean(html: string): string {
  return DOMPurify.sanitize(html, {
    USE_PROFILES: { html: true },
    FORBID_TAGS: ['style', 'img', 'form', 'input', 'button', 'textarea', 'select', 'video', 'audio'],
    FORBID_ATTR: ['style', 'id', 'name'],
    ALLOWED_URI_REGEXP: SAFE_LINK,
    ADD_ATTR: ['target'],
  });
}

function anchor(href: string, inner: string): string {
  if (!SAFE_LINK.test(href)) return inner;
  return `<a href="${escaped(href)}" target="_blank" rel="noopener noreferrer">${inner}</a>`;
}

function hasEndlessParagraph(text: string): boolean {
  let start = 0;
  for (;;) {
    const end = text.indexOf('\n', start);
    if ((end === -1 ? text.length : end) - start > LONGEST_PARAGRAPH) return true;
    if (end === -1) return false;
    start = end + 1;
  }
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
