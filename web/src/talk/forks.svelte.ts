// Where the conversations of a project branch off from each other, as the list of them tells.
import { answer, api, everything } from '../api/client';
import type { Conversation } from '../api/types';
import { Fetched } from '../state/fetched.svelte';
import { onChange } from '../state/live';

class Forks {
  readonly #fetched = new Fetched<Conversation[]>();

  /** Reads them, and again after each change, until the returned function is called. */
  follow(project: string): () => void {
    const load = () => void this.#fetched.load(() => read(project));
    load();
    const stop = onChange((change) => {
      if (change === 'everything' || (change.subject === 'conversation' && change.project_id === project)) load();
    });
    return () => {
      stop();
      this.#fetched.clear();
    };
  }

  /** Whether the conversations are known. */
  get isKnown(): boolean {
    return this.#fetched.value !== undefined;
  }

  /** One of them, while it is there. */
  byId(id: string | undefined): Conversation | undefined {
    return this.#fetched.value?.find((conversation) => conversation.id === id);
  }

  /** Those that leave a conversation at one of its messages, the oldest first. */
  at(conversation: string, message: string): Conversation[] {
    const leaves = ({ branched_from }: Conversation) =>
      branched_from?.conversation_id === conversation && branched_from.message_id === message;
    return (this.#fetched.value ?? []).filter(leaves).sort((a, b) => a.created_at.localeCompare(b.created_at));
  }
}

function read(id: string): Promise<Conversation[]> {
  return everything(async (cursor) => {
    const params = { path: { id }, query: { limit: 1000, cursor } };
    const page = await answer(api.GET('/api/projects/{id}/conversations', { params }));
    return { rows: page.conversations, next: page.next_cursor };
  });
}

export const forks = new Forks();
