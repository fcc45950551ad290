// Paths as folders within folders.
import type { FileEntry } from '../api/types';

export interface Folder {
  name: string;
  path: string;
  folders: Folder[];
  files: FileEntry[];
  /** Files in it and below. */
  total: number;
}

export function tree(files: FileEntry[]): Folder {
  const root: Folder = folder('', '');
  for (const file of files) {
    const names = file.path.split('/').slice(0, -1);
    let here = root;
    here.total++;
    for (const name of names) {
      let next = here.folders.find((known) => known.name === name);
      if (!next) {
        next = folder(name, `${here.path}${name}/`);
        here.folders.push(next);
      }
      here = next;
      here.total++;
    }
    here.files.push(file);
  }
  return root;
}

function folder(name: string, path: string): Folder {
  return { name, path, folders: [], files: [], total: 0 };
}

export function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
