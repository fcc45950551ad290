// Light or dark: what the system prefers, until someone chooses.

export type Theme = 'light' | 'dark';

const KEY = 'dossier.theme';
const system = matchMedia('(prefers-color-scheme: dark)');

class ThemeChoice {
  #chosen = $state(read());
  #system = $state<Theme>(system.matches ? 'dark' : 'light');

  constructor() {
    system.addEventListener('change', () => {
      this.#system = system.matches ? 'dark' : 'light';
    });
  }

  get now(): Theme {
    return this.#chosen ?? this.#system;
  }

  toggle(): void {
    this.#chosen = this.now === 'dark' ? 'light' : 'dark';
    localStorage.setItem(KEY, this.#chosen);
  }
}

function read(): Theme | null {
  const kept = localStorage.getItem(KEY);
  return kept === 'light' || kept === 'dark' ? kept : null;
}

export const theme = new ThemeChoice();
