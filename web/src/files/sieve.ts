// What is passed over among the files of picked folders, as the command line does it: what is hidden, the
// folders that tools fill, and what the .gitignore of their folder or of one above it names. What was picked by its own name is
// taken, whatever it is called.
import type { Skipped } from '../api/types';
import { ignored, type Ignored } from './ignored';

export interface Picked {
  /** Below the folder that was picked, with its name. */
  path: string;
  file: File;
}

const RULES = '.gitignore';

export class Sieve {
  readonly #folders: Set<string>;
  /** By the folder that they stand in. */
  readonly #rules = new Map<string, Ignored>();
  readonly #passedOver = new Map<string, string>();

  /** Passes over the folders of these names. */
  constructor(folders: string[]) {
    this.#folders = new Set(folders);
  }

  /** Each file or folder that was passed over, and why; not what is in such a folder. */
  get passedOver(): Skipped[] {
    return [...this.#passedOver].map(([path, reason]) => ({ path, reason }));
  }

  /** Whether a folder has to be looked into. */
  enters(path: string): boolean {
    return this.#wants(path, true);
  }

  /** Whether one of several folders is wanted that came together, so that nobody has named it alone. */
  wantsAmong(folder: string): boolean {
    const reason = this.#reason(folder, folder, true);
    if (reason) this.pass(`${folder}/`, reason);
    return !reason;
  }

  pass(path: string, reason: string): void {
    this.#passedOver.set(path, reason);
  }

  /** The files that are wanted. */
  async wanted(picked: Picked[]): Promise<Picked[]> {
    for (const { path, file } of picked) {
      if (path.endsWith(`/${RULES}`)) this.#rules.set(path.slice(0, -RULES.length - 1), ignored(await file.text()));
    }
    return picked.filter(({ path }) => {
      const places = [...path.matchAll(/\//g)].map(({ index }) => index).slice(1);
      return places.every((place) => this.#wants(path.slice(0, place), true)) && this.#wants(path, false);
    });
  }

  #wants(path: string, isFolder: boolean): boolean {
    const [, ...below] = path.split('/');
    const name = below.at(-1);
    if (name === undefined) return true;
    const reason = this.#reason(path, name, isFolder);
    if (reason) this.pass(isFolder ? `${path}/` : path, reason);
    return !reason;
  }

  #reason(path: string, name: string, isFolder: boolean): string {
    if (isFolder && this.#folders.has(name)) return 'made or fetched by tools';
    if (name.startsWith('.')) return 'hidden';
    // The nearest that says something of it decides.
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end);
      const isIgnored = this.#rules.get(folder)?.(path.slice(end + 1), isFolder);
      if (isIgnored !== undefined) return isIgnored ? `named by ${folder}/${RULES}` : '';
    }
    return '';
  }
}
