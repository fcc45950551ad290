// JSON as people read it, with every character of the original: parsing it would change numbers.

const STEP = '  ';

/** A JSON document with one member a line; anything else as it is. */
export function indented(text: string): string {
  if (!/^[[{]/.test(text)) return text;
  const parts: string[] = [];
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{]\s*[\]}]|[^\s"[\]{},:]+|[[\]{},:]/g)) {
    if (token === '{' || token === '[') parts.push(token, '\n', STEP.repeat(++depth));
    else if (token === '}' || token === ']') parts.push('\n', STEP.repeat(Math.max(--depth, 0)), token);
    else if (token === ',') parts.push(',\n', STEP.repeat(Math.max(depth, 0)));
    else parts.push(token === ':' ? ': ' : token);
  }
  return depth === 0 ? parts.join('') : text;
}
