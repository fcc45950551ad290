// The access token, kept for as long as the tab lives.

const KEY = 'dossier.token';

class Access {
  token = $state(sessionStorage.getItem(KEY) ?? '');
  /** Whether someone has to give a token. */
  wanted = $state(false);
  /** Whether the one that was given was refused. */
  refused = $state(false);
  #waiting: (() => void)[] = [];

  /** Resolves when a token was given. */
  ask(): Promise<void> {
    this.refused = this.token !== '';
    this.wanted = true;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  give(token: string): void {
    this.token = token.trim();
    sessionStorage.setItem(KEY, this.token);
    this.wanted = false;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

export const access = new Access();
