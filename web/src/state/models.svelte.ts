// The models that can be asked, and those that someone asks.
import { answer, api } from '../api/client';
import type { Model } from '../api/types';
import { onChange } from './live';

const KEY = 'dossier.models';
export const MOST = 8;

class Models {
  list = $state.raw<Model[]>([]);
  loaded = $state(false);
  #chosen = $state<string[]>(read());

  constructor() {
    onChange((change) => {
      if (change === 'everything' || change.subject === 'settings') void this.load();
    });
  }

  get ready(): Model[] {
    return this.list.filter((model) => model.ready);
  }

  /** Those that are asked: what was chosen as far as it can be asked, or the strongest that can. */
  get chosen(): string[] {
    const known = this.#chosen.filter((id) => this.ready.some((model) => model.id === id));
    if (known.length) return known;
    const strength = (model: Model) =>
      (model.provider === 'builtin' ? 0 : 1e12) + (model.tier === 'smart' ? 1e10 : 0) + model.context_window;
    const [first] = this.ready.toSorted((a, b) => strength(b) - strength(a));
    return first ? [first.id] : [];
  }

  byId(id: string): Model | undefined {
    return this.list.find((model) => model.id === id);
  }

  name(id: string): string {
    return this.byId(id)?.display_name ?? id.replace(/^[^/]*\//, '');
  }

  choose(ids: string[]): void {
    this.#chosen = ids.slice(0, MOST);
    localStorage.setItem(KEY, JSON.stringify(this.#chosen));
  }

  async load(): Promise<void> {
    this.list = (await answer(api.GET('/api/models/metadata'))).models;
    this.loaded = true;
  }
}

function read(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter((id): id is string => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

export const models = new Models();
