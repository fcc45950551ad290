// What a .gitignore names, by the patterns of git.

interface Rule {
  pattern: RegExp;
  isWanted: boolean;
  isFolder: boolean;
}

/** Whether a path below the folder is ignored by the text of its .gitignore; nothing where that says nothing of it. */
export type Ignored = (path: string, isFolder: boolean) => boolean | undefined;

export function ignored(text: string): Ignored {
  const rules = text.split(/\r?\n/).flatMap((line) => rule(line.trimEnd()) ?? []);
  // The last rule that fits decides.
  return (path, isFolder) => {
    const fits = rules.findLast((rule) => (isFolder || !rule.isFolder) && rule.pattern.test(path));
    return fits && !fits.isWanted;
  };
}

function rule(line: string): Rule | undefined {
  if (!line || line.startsWith('#')) return undefined;
  const isWanted = line.startsWith('!');
  const isFolder = line.endsWith('/');
  const glob = line.replace(/^!/, '').replace(/\/$/, '');
  // A pattern with a slash begins at the root; another one fits at any depth.
  const start = glob.includes('/') ? '^' : '^(?:.*/)?';
  try {
    return { pattern: new RegExp(`${start}${body(glob.replace(/^\//, ''))}$`), isWanted, isFolder };
  } catch {
    return undefined;
  }
}

function body(glob: string): string {
  const pieces = glob.match(/\*\*\/|\/\*\*$|\*+|\?|\[[^\]]+\]|\\.|[^]/g) ?? [];
  return pieces.map(piece).join('');
}

function piece(text: string): string {
  if (text === '**/') return '(?:.*/)?';
  if (text === '/**') return '/.*';
  if (text.startsWith('*')) return '[^/]*';
  if (text === '?') return '[^/]';
  if (text.length > 2 && text.startsWith('[')) return text.replace(/^\[!/, '[^').replaceAll('\\', '\\\\');
  return text.replace(/^\\/, '').replace(/[.+^${}()|[\]\\*?]/g, '\\$&');
}
