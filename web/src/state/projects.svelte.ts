// The projects, and the one that someone works in.
import { answer, api, done, everything } from '../api/client';
import type { Project, ProjectChange } from '../api/types';
import { onChange } from './live';
import { Queue } from './queue';

const KEY = 'dossier.project';

class Projects {
  list = $state.raw<Project[]>([]);
  loaded = $state(false);
  #chosen = $state(localStorage.getItem(KEY) ?? '');
  readonly #queue = new Queue();

  constructor() {
    onChange((change) => {
      // What is shown stays, and the next change reads them again.
      if (change === 'everything' || change.subject === 'project') this.load().catch(() => undefined);
    });
  }

  /** The project that someone works in; none before the first exists. */
  get current(): Project | undefined {
    return this.list.find((project) => project.id === this.#chosen) ?? this.list[0];
  }

  name(id: string): string {
    return this.list.find((project) => project.id === id)?.name ?? '';
  }

  choose(id: string): void {
    this.#chosen = id;
    localStorage.setItem(KEY, id);
  }

  /** Reads the projects, after what is being read already: the newest list is read last. */
  load(): Promise<void> {
    return this.#queue.add(() => this.#load());
  }

  async #load(): Promise<void> {
    this.list = await everything(async (cursor) => {
      const query = { limit: 1000, cursor };
      const page = await answer(api.GET('/api/projects', { params: { query } }));
      return { rows: page.projects, next: page.next_cursor };
    });
    // A project that comes later must not take the place of the one that somebody works in.
    if (this.current && this.current.id !== this.#chosen) this.choose(this.current.id);
    this.loaded = true;
  }

  /** Changes what is known of a project: its name, what it is about, its settings. */
  async change(id: string, change: ProjectChange): Promise<void> {
    // The OpenAPI document has no words for an object with any members.
    const body = change as { settings?: Record<string, never> };
    await answer(api.PUT('/api/projects/{id}', { params: { path: { id } }, body }));
    await this.load();
  }

  /** Hides a project with everything in it, for as long as the settings say. */
  async remove(id: string): Promise<void> {
    await done(api.DELETE('/api/projects/{id}', { params: { path: { id }, query: {} } }));
    await this.load();
  }

  async restore(id: string): Promise<void> {
    await done(api.POST('/api/hidden/{id}/restore', { params: { path: { id } } }));
    await this.load();
    this.choose(id);
  }

  async create(name: string): Promise<Project> {
    const project = await answer(api.POST('/api/projects', { body: { name } }));
    await this.load();
    this.choose(project.id);
    return project;
  }
}

export const projects = new Projects();
