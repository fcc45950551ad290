// Server-sent events over fetch, which unlike EventSource can show a token and post.
import { send } from './client';
import { Problem } from './problem';

export interface ServerEvent {
  id: string;
  name: string;
  data: string;
}

/** Opens a stream; an answer that is no stream is a Problem. */
export async function open(request: Request): Promise<Response> {
  request.headers.set('accept', 'text/event-stream');
  const response = await send(request);
  if (!response.ok) throw Problem.of(await response.json().catch(() => null), response.status);
  return response;
}

/** The events of a response, until it ends or breaks. */
export async function* events(response: Response): AsyncGenerator<ServerEvent> {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const frames = (rest + value).split('\n\n');
      rest = frames.pop() ?? '';
      for (const frame of frames) {
        const event = parse(frame);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parse(frame: string): ServerEvent | null {
  const event: ServerEvent = { id: '', name: 'message', data: '' };
  const data: string[] = [];
  for (const line of frame.split('\n')) {
    const cut = line.indexOf(':');
    const [field, value] = [line.slice(0, cut), line.slice(cut + 1).replace(/^ /, '')];
    if (field === 'id') event.id = value;
    else if (field === 'event') event.name = value;
    else if (field === 'data') data.push(value);
  }
  event.data = data.join('\n');
  return data.length ? event : null;
}
