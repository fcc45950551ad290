// What changes elsewhere: other tabs, the command line's server, programs. Views subscribe and fetch
// again; after a gap or a lost line everybody does.
import { CHANGES } from '../api/client';
import { events, open } from '../api/sse';
import type { Change } from '../api/types';

type Listener = (change: Change | 'everything') => void;

const listeners = new Set<Listener>();
const RETRY = 2000;

/** Calls back on every change until the returned function is called. */
export function onChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(change: Change | 'everything'): void {
  for (const listener of listeners) listener(change);
}

/** Follows changes for as long as the page lives. */
export async function follow(): Promise<never> {
  let missed = false;
  for (;;) {
    try {
      const response = await open(new Request(CHANGES));
      if (missed) tell('everything');
      for await (const event of events(response)) {
        tell(event.name === 'change' ? (JSON.parse(event.data) as Change) : 'everything');
      }
    } catch {
      // The line is tried again below.
    }
    missed = true;
    await new Promise((resolve) => setTimeout(resolve, RETRY));
  }
}
