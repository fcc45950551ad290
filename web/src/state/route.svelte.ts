// Where the page is: `#/view/part/part?name=value`. The address alone says what is shown, so every
// view can be linked to, reloaded and gone back from.

export const VIEWS = [
  'talk',
  'files',
  'search',
  'memory',
  'personas',
  'consult',
  'models',
  'usage',
  'why',
] as const;

export type View = (typeof VIEWS)[number];

export interface Route {
  view: View;
  parts: string[];
  query: URLSearchParams;
}

export function parse(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [name = '', ...parts] = path.split('/').map(decoded);
  const view = VIEWS.find((view) => view === name) ?? 'talk';
  return { view, parts: parts.filter(Boolean), query: new URLSearchParams(query) };
}

/** A part of an address; one that somebody has typed may not be encoded. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function link(view: View, parts: string[] = [], query: Record<string, string> = {}): string {
  const path = [view, ...parts.map(encodeURIComponent)].join('/');
  const text = new URLSearchParams(query).toString();
  return `#/${path}${text ? `?${text}` : ''}`;
}

class Router {
  now = $state.raw<Route>(parse(location.hash));

  constructor() {
    addEventListener('hashchange', () => {
      this.now = parse(location.hash);
    });
  }

  /** Goes at once: the browser tells of a new address only later, and what happens until then would be the old view's. */
  go(view: View, parts: string[] = [], query: Record<string, string> = {}): void {
    location.hash = link(view, parts, query);
    this.now = parse(location.hash);
  }

  /** Changes the address without a step in the history. */
  replace(view: View, parts: string[] = [], query: Record<string, string> = {}): void {
    history.replaceState(null, '', link(view, parts, query));
    this.now = parse(location.hash);
  }
}

export const router = new Router();
