// Coloured code, line by line: what spans several lines is closed and opened again at each end.

const LANGUAGES: Record<string, string> = {
  c: 'c',
  css: 'css',
  diff: 'diff',
  go: 'go',
  h: 'c',
  html: 'xml',
  java: 'java',
  js: 'javascript',
  json: 'json',
  mjs: 'javascript',
  py: 'python',
  rs: 'rust',
  sh: 'bash',
  sql: 'sql',
  svelte: 'xml',
  svg: 'xml',
  toml: 'ini',
  ts: 'typescript',
  tsx: 'typescript',
  xml: 'xml',
  yaml: 'yaml',
  yml: 'yaml',
};

export function languageOf(path: string): string | undefined {
  return LANGUAGES[path.slice(path.lastIndexOf('.') + 1).toLowerCase()];
}

export async function coloured(text: string, language: string): Promise<string[] | null> {
  const { highlighted } = await import('../ui/highlight');
  const html = highlighted(text, language);
  return html === null ? null : byLines(html);
}

function byLines(html: string): string[] {
  const open: string[] = [];
  return html.split('\n').map((line) => {
    const before = open.join('');
    for (const [tag] of line.matchAll(/<\/?span[^>]*>/g)) {
      if (tag.startsWith('</')) open.pop();
      else open.push(tag);
    }
    return before + line + '</span>'.repeat(open.length);
  });
}
