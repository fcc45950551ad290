// Images that were sent from this tab, by their turn, so that a question can be asked again with them:
// the server keeps no more of an image than what it was.
import type { Attachment } from '../api/types';

const sent = new Map<string, Attachment[]>();
/** For so many questions they are kept. */
const MOST = 20;

export function keepImages(turn: string, attachments: Attachment[]): void {
  const images = attachments.filter(({ base64 }) => base64);
  if (!turn || !images.length) return;
  sent.set(turn, images);
  for (const oldest of [...sent.keys()].slice(0, -MOST)) sent.delete(oldest);
}

export function imagesOf(turn: string | undefined): Attachment[] {
  return sent.get(turn ?? '') ?? [];
}
