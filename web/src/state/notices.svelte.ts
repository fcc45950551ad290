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

  tell(text: string, action?: Notice['action']): void {
    const id = this.#add('done', text, action);
    setTimeout(() => this.dismiss(id), action ? LASTS_WITH_ACTION : LASTS);
  }

  /** Trouble stays until it is dismissed. */
  trouble(text: string): void {
    if (this.list.some((notice) => notice.text === text)) return;
    this.#add('trouble', text);
  }

  dismiss(id: number): void {
    this.list = this.list.filter((notice) => notice.id !== id);
  }

  #add(kind: Notice['kind'], text: string, action?: Notice['action']): number {
    const id = this.#next++;
    this.list.push({ id, kind, text, action });
    return id;
  }
}

export const notices = new Notices();
