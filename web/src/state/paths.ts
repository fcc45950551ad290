// The paths of a project's files, read when the first of them is asked for and again after a change.
import { answer, api, everything } from '../api/client';
import { onChange } from './live';

const known = new Map<string, Promise<string[]>>();

onChange((change) => {
  if (change === 'everything') known.clear();
  else if (change.subject === 'file' && change.project_id) known.delete(change.project_id);
});

/** All paths of a project. */
export function pathsOf(project: string): Promise<string[]> {
  let paths = known.get(project);
  if (!paths) {
    paths = read(project);
    // What could not be read is asked for again.
    paths.catch(() => known.delete(project));
    known.set(project, paths);
  }
  return paths;
}

function read(id: string): Promise<string[]> {
  return everything(async (cursor) => {
    const params = { path: { id }, query: { limit: 1000, cursor } };
    const page = await answer(api.GET('/api/projects/{id}/files', { params }));
    return { rows: page.files.map(({ path }) => path), next: page.next_cursor };
  });
}

/** The one path that is meant by it or by its end. */
export function meant(cited: string, paths: string[]): string | undefined {
  const name = cited.replace(/^\.?\//, '');
  if (paths.includes(name)) return name;
  const [first, ...more] = paths.filter((path) => path.endsWith(`/${name}`));
  return more.length ? undefined : first;
}
