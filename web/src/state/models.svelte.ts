// The models that can be asked, and those that someone asks.
import { answer, api } from '../api/client';
import type { Model } from '../api/types';
import { onChange } from './live';
import { projects } from './projects.svelte';
import { Queue } from './queue';

const KEY = 'dossier.models';
export const MOST = 8;

class Models {
  list = $state.raw<Model[]>([]);
  loaded = $state(false);
  /** What somebody has chosen here; nothing if nobody has. */
  #chosen = $state<string[] | undefined>(read());
  /** Those of the setting `model`. */
  #set = $state.raw<string[]>([]);
  readonly #queue = new Queue();

  constructor() {
    onChange((change) => {
      // What is shown stays, and the next change reads them again.
      if (change === 'everything' || change.subject === 'settings') this.load().catch(() => undefined);
    });
  }

  get ready(): Model[] {
    return this.list.filter((model) => model.ready);
  }

  /**
   * Those that are asked: what was chosen as far as it can be asked. Where nobody has chosen, those of the
   * project, those of the settings, or the strongest that can be asked.
   */
  get chosen(): string[] {
    if (this.#chosen?.length === 0) return [];
    for (const names of [this.#chosen ?? [], ofProject(), this.#set]) {
      const known = names.flatMap((name) => this.#named(name)?.id ?? []);
      if (known.length) return [...new Set(known)];
    }
    const strength = (model: Model) =>
      (model.provider === 'builtin' ? 0 : 1e12) + (model.tier === 'smart' ? 1e10 : 0) + model.context_window;
    const [first] = this.ready.toSorted((a, b) => strength(b) - strength(a));
    return first ? [first.id] : [];
  }

  /** Whether one of those that are asked can think first. */
  get canThink(): boolean {
    return this.chosen.some((id) => this.byId(id)?.thinking);
  }

  byId(id: string): Model | undefined {
    return this.list.find((model) => model.id === id);
  }

  name(id: string): string {
    return this.byId(id)?.display_name ?? id.replace(/^[^/]*\//, '');
  }

  /** Chooses some, or none until the page is loaded again. */
  choose(ids: string[]): void {
    this.#chosen = ids.slice(0, MOST);
    if (ids.length) localStorage.setItem(KEY, JSON.stringify(this.#chosen));
    else localStorage.removeItem(KEY);
  }

  /** One that can be asked, by its id or by its name alone. */
  #named(name: string): Model | undefined {
    return this.ready.find(({ id }) => id === name) ?? this.ready.find(({ id }) => id.endsWith(`/${name}`));
  }

  /** Reads the models, after what is being read already: the newest list is read last. */
  load(): Promise<void> {
    return this.#queue.add(() => this.#load());
  }

  async #load(): Promise<void> {
    const [{ models }, { settings }] = await Promise.all([
      answer(api.GET('/api/models/metadata')),
      answer(api.GET('/api/settings')),
    ]);
    const set = settings.find(({ key }) => key === 'model')?.value ?? '';
    this.#set = set.split(',').map((name) => name.trim());
    this.list = models;
    this.loaded = true;
  }
}

/** The models that the project names for whoever names none. */
function ofProject(): string[] {
  const settings = projects.current?.settings as Record<string, unknown> | undefined;
  return texts(settings?.['default_models']);
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((text): text is string => typeof text === 'string') : [];
}

function read(): string[] | undefined {
  try {
    const kept = texts(JSON.parse(localStorage.getItem(KEY) ?? '[]'));
    return kept.length ? kept : undefined;
  } catch {
    return undefined;
  }
}

export const models = new Models();
