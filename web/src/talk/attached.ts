// What came with a question, told apart from its words: the server stores both as one text, the way
// the model reads it.

export interface Attached {
  name: string;
  /** None of an image, whose bytes are not kept. */
  content: string | undefined;
}

export interface Parted {
  words: string;
  attached: Attached[];
}

/** The opening line; a text that would close the usual wrapper stands in one of its own name. */
const OPEN = /\n\n<(attachment(?:-[0-9a-f]{8})?) name="([^\n]*?)">\n/y;
const BEGINNING = '\n\n<attachment';
const PICTURE = '\n\n[image/';
const IMAGE = /\n\n\[(image\/[\w.+-]+), (\d+) bytes\]/y;
/** How many beginnings are tried; a text full of them is no question with attachments. */
const TRIES = 20;

/** The words of a question and what came with it. A text that only looks so stays whole. */
export function parted(text: string): Parted {
  let start = first(text, 0);
  for (let round = 0; start !== -1 && round < TRIES; round++) {
    const attached = all(text, start);
    if (attached) return { words: text.slice(0, start), attached };
    start = first(text, start + 1);
  }
  return { words: text, attached: [] };
}

/** Where the next attachment may begin. */
function first(text: string, from: number): number {
  const places = [text.indexOf(BEGINNING, from), text.indexOf(PICTURE, from)].filter((place) => place !== -1);
  return places.length ? Math.min(...places) : -1;
}

/** The attachments that fill a text from a place to its end; nothing if something else is there. */
function all(text: string, start: number): Attached[] | null {
  const found: Attached[] = [];
  let place = start;
  while (place < text.length) {
    IMAGE.lastIndex = place;
    const image = IMAGE.exec(text);
    if (image) {
      found.push({ name: `${image[1]}, ${image[2]} bytes`, content: undefined });
      place = IMAGE.lastIndex;
      continue;
    }
    OPEN.lastIndex = place;
    const opening = OPEN.exec(text);
    if (!opening) return null;
    const close = `\n</${opening[1]}>`;
    const begin = place + opening[0].length;
    // Of an empty text the line break before the closing mark is the one after the opening.
    const end = endOf(text, begin - 1, close);
    if (end === -1) return null;
    found.push({ name: opening[2] ?? '', content: text.slice(begin, Math.max(end, begin)) });
    place = end + close.length;
  }
  return found;
}

/** Where an attachment's text ends: at a closing mark with nothing but attachments after it. */
function endOf(text: string, from: number, close: string): number {
  for (let end = text.indexOf(close, from); end !== -1; end = text.indexOf(close, end + 1)) {
    const after = end + close.length;
    if (after === text.length || text.startsWith(BEGINNING, after) || text.startsWith(PICTURE, after)) return end;
  }
  return -1;
}
