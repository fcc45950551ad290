// Files on their way to a project, in batches, so that progress can be told and one that fails does
// not take the others with it.
import { send } from '../api/client';
import { Problem, words } from '../api/problem';
import type { Skipped } from '../api/types';

export interface Picked {
  path: string;
  file: File;
}

const BATCH_BYTES = 4_000_000;
const BATCH_FILES = 25;

/** Hidden files and what others have built are passed over, as the command line does. */
const PASSED_OVER = /(^|\/)(\.[^/]+|node_modules|target|__pycache__)(\/|$)/;

class Upload {
  total = $state(0);
  sent = $state(0);
  taken = $state(0);
  passedOver = $state(0);
  skipped = $state<Skipped[]>([]);
  problem = $state('');
  isRunning = $state(false);

  async send(project: string, picked: Picked[]): Promise<void> {
    const wanted = picked.filter(({ path }) => !PASSED_OVER.test(path));
    this.total = wanted.length;
    this.passedOver = picked.length - wanted.length;
    this.sent = this.taken = 0;
    this.skipped = [];
    this.problem = '';
    this.isRunning = true;
    try {
      for (const batch of batches(wanted)) {
        await this.#batch(project, batch);
        this.sent += batch.length;
      }
    } catch (error) {
      this.problem = words(error);
    } finally {
      this.isRunning = false;
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

/** The files that were dropped, those of folders too. */
export async function dropped(items: DataTransferItemList): Promise<Picked[]> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  return (await Promise.all(entries.map((entry) => below(entry, '')))).flat();
}

async function below(entry: FileSystemEntry, prefix: string): Promise<Picked[]> {
  const path = prefix + entry.name;
  if (PASSED_OVER.test(path)) return [];
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    return [{ path, file }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const all: Picked[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return all;
    for (const one of some) all.push(...(await below(one, `${path}/`)));
  }
}

export const upload = new Upload();
