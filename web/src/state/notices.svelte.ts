// Short notices at the edge of the page, with at most one thing to do about each.

export interface Notice {
  id: number;
  kind: 'done' | 'trouble';
  text: string;
  action?: { label: string; run: () => void };
}

/** How long a notice lasts, and one that something can be done about. */
const LASTS = 4000;
const LASTS_WITH_ACTION = 8000;

class Notices {
  list = $state<Notice[]>([]);
  #next = 0;
  readonly #timers = new Map<number, ReturnType<typeof setTimeout>>();

  tell(text: string, action?: Notice['action']): void {
    this.release(this.#add('done', text, action));
  }

  /** Lets a notice stay, as while somebody is about to use it. */
  hold(id: number): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  /** Lets it go after its time. */
  release(id: number): void {
    const notice = this.list.find((one) => one.id === id);
    if (notice?.kind !== 'done' || this.#timers.has(id)) return;
    this.#timers.set(id, setTimeout(() => this.dismiss(id), notice.action ? LASTS_WITH_ACTION : LASTS));
  }

  /** Trouble stays until it is dismissed. */
  trouble(text: string, action?: Notice['action']): void {
    if (this.list.some((notice) => notice.text === text)) return;
    this.#add('trouble', text, action);
  }

  dismiss(id: number): void {
    this.hold(id);
    this.list = this.list.filter((notice) => notice.id !== id);
  }

  #add(kind: Notice['kind'], text: string, action?: Notice['action']): number {
    const id = this.#next++;
    this.list.push({ id, kind, text, action });
    return id;
  }
}

export const notices = new Notices();
