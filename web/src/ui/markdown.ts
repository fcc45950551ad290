// Markdown as safe HTML, block by block, so that a growing text changes only its last block. Raw
// HTML is shown as text, images as links; nothing a model writes runs or loads anything.
import DOMPurify from 'dompurify';
import { Marked, type Tokens } from 'marked';

/**
 * Longer texts, longer paragraphs and quotes or lists deeper than this are shown as they are: formatting
 * them could take forever, or more of the stack than there is.
 */
const LONGEST = 120_000;
const LONGEST_PARAGRAPH = 8_000;
const DEEPEST = 60;
/** What a line begins with where it stands in quotes and lists. */
const NESTED = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t])))+/;

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
  if (text.length > LONGEST || text.split('\n').some(isEndless)) return null;
  try {
    const known = marked.lexer(text);
    return known
      .filter((token) => token.type !== 'space' && token.type !== 'def')
      .map((token) => clean(marked.parser([token])));
  } catch {
    // Whatever the parser cannot cope with can still be read.
    return null;
  }
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

function isEndless(line: string): boolean {
  return line.length > LONGEST_PARAGRAPH || depth(line) > DEEPEST;
}

/** How many quotes and lists a line stands in; two spaces before the first of them are one more. */
function depth(line: string): number {
  const [marks = ''] = NESTED.exec(line) ?? [];
  const indent = marks.length - marks.trimStart().length;
  return indent / 2 + (marks.match(/[^\s\d]/g) ?? []).length;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
