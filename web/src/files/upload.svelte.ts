// Files on their way to a project, in batches, so that progress can be told and one that fails does
// not take the others with it.
import { answer, api, send } from '../api/client';
import { Problem, words } from '../api/problem';
import type { Skipped } from '../api/types';
import { bytes } from '../ui/format';
import { Sieve, type Picked } from './sieve';

const BATCH_BYTES = 4_000_000;
const BATCH_FILES = 25;
/** What a request may hold, less what a form takes besides its file. */
const LARGEST = 19_900_000;

class Upload {
  total = $state(0);
  sent = $state(0);
  taken = $state(0);
  skipped = $state<Skipped[]>([]);
  problem = $state('');
  isRunning = $state(false);
  /** Whether there is something to tell. */
  isTold = $state(false);

  /**
   * Sends what was picked; where, and how what was picked is found out, are told once it is known which
   * files are passed over.
   */
  async send(find: (sieve: Sieve) => Promise<Picked[]>, place: (picked: Picked[]) => Promise<string>): Promise<void> {
    this.total = this.sent = this.taken = 0;
    this.skipped = [];
    this.problem = '';
    this.isRunning = this.isTold = true;
    try {
      const { skipped_folders } = await answer(api.GET('/api/settings'));
      const sieve = new Sieve(skipped_folders);
      const picked = await sieve.wanted(await find(sieve));
      const wanted = picked.filter(({ file }) => file.size <= LARGEST);
      const large = picked.filter(({ file }) => file.size > LARGEST);
      const reason = `larger than ${bytes(LARGEST)}`;
      this.skipped.push(...large.map(({ path }) => ({ path, reason })), ...sieve.passedOver);
      this.total = wanted.length;
      if (wanted.length) await this.#all(await place(wanted), wanted);
    } catch (error) {
      this.problem = words(error);
    } finally {
      this.isRunning = false;
    }
  }

  async #all(project: string, wanted: Picked[]): Promise<void> {
    for (const batch of batches(wanted)) {
      try {
        await this.#batch(project, batch);
      } catch (error) {
        // Without the server the rest would fail as well.
        if (!(error instanceof Problem) || error.status === 0) throw error;
        this.skipped.push(...batch.map(({ path }) => ({ path, reason: words(error) })));
      }
      this.sent += batch.length;
    }
  }

  async #batch(project: string, batch: Picked[]): Promise<void> {
    const form = new FormData();
    for (const { path, file } of batch) form.append('files', file, path);
    const path = `/api/projects/${project}/files?replace=true`;
    const response = await send(new Request(path, { method: 'POST', body: form }));
    const body: unknown = await response.json().catch(() => null);
    if (!response.ok) throw Problem.of(body, response.status);
    const { files, skipped } = body as { files: unknown[]; skipped: Skipped[] };
    this.taken += files.length;
    this.skipped.push(...skipped);
  }
}

function* batches(picked: Picked[]): Generator<Picked[]> {
  let batch: Picked[] = [];
  let size = 0;
  for (const one of picked) {
    if (batch.length && (batch.length >= BATCH_FILES || size + one.file.size > BATCH_BYTES)) {
      yield batch;
      [batch, size] = [[], 0];
    }
    batch.push(one);
    size += one.file.size;
  }
  if (batch.length) yield batch;
}

/** The files of an input, with their paths below the folder that was picked. */
export function picked(list: FileList | null): Picked[] {
  return [...(list ?? [])].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/** How to find what was dropped, the files of folders too; it has to be asked for at once. */
export function dropped(items: DataTransferItemList): (sieve: Sieve) => Promise<Picked[]> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const isAlone = entries.length === 1;
  return async (sieve) => {
    const wanted = entries.filter((entry) => isAlone || entry.isFile || sieve.wantsAmong(entry.name));
    return (await Promise.all(wanted.map((entry) => below(entry, '', sieve)))).flat();
  };
}

async function below(entry: FileSystemEntry, prefix: string, sieve: Sieve): Promise<Picked[]> {
  const path = prefix + entry.name;
  try {
    return await found(entry, path, sieve);
  } catch {
    sieve.pass(path, 'cannot be read');
    return [];
  }
}

async function found(entry: FileSystemEntry, path: string, sieve: Sieve): Promise<Picked[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    return [{ path, file }];
  }
  if (!sieve.enters(path)) return [];
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const all: Picked[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return all;
    for (const one of some) all.push(...(await below(one, `${path}/`, sieve)));
  }
}

export const upload = new Upload();
