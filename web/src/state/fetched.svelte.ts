// Something a view fetches: waiting, there, or failed with a way to try again.
import { words } from '../api/problem';

export class Fetched<T> {
  value = $state.raw<T | undefined>();
  problem = $state('');
  waiting = $state(false);
  #last: (() => Promise<T>) | undefined;
  #round = 0;

  /** Fetches; an older answer that comes late is passed over. */
  async load(fetch: () => Promise<T>): Promise<void> {
    this.#last = fetch;
    const round = ++this.#round;
    this.waiting = true;
    try {
      const value = await fetch();
      if (round !== this.#round) return;
      this.value = value;
      this.problem = '';
    } catch (error) {
      if (round === this.#round) this.problem = words(error);
    } finally {
      if (round === this.#round) this.waiting = false;
    }
  }

  /** Shows what is known otherwise; what is on its way is older. */
  set(value: T): void {
    this.clear();
    this.value = value;
  }

  again = async (): Promise<void> => {
    if (this.#last) await this.load(this.#last);
  };

  /** Forgets what was fetched, as when something else is to be shown. */
  clear(): void {
    this.#round++;
    this.value = undefined;
    this.problem = '';
    this.waiting = false;
  }
}
