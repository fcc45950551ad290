// A conversation as a file on the reader's disk.
import { send } from '../api/client';
import { Problem } from '../api/problem';
import type { Conversation } from '../api/types';

export async function download(info: Conversation): Promise<void> {
  const response = await send(
    new Request(`/api/conversations/${info.id}/export`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ format: 'markdown' }),
    }),
  );
  if (!response.ok) throw Problem.of(await response.json(), response.status);
  const anchor = document.createElement('a');
  anchor.href = URL.createObjectURL(await response.blob());
  anchor.download = `${(info.title ?? 'conversation').replace(/[^\w -]+/g, '').slice(0, 60)}.md`;
  anchor.click();
  URL.revokeObjectURL(anchor.href);
}
