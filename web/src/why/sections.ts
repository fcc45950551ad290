// The sections of a dossier, as a person names them.

export interface Section {
  key: string;
  name: string;
  color: string;
}

export const SECTIONS: Section[] = [
  { key: 'header', name: 'Header', color: 'var(--section-1)' },
  { key: 'history', name: 'Messages', color: 'var(--section-2)' },
  { key: 'summaries', name: 'Files', color: 'var(--section-3)' },
  { key: 'facts', name: 'Facts', color: 'var(--section-4)' },
  { key: 'question', name: 'Question and frame', color: 'var(--section-5)' },
];

export function sectionName(key: string): string {
  return SECTIONS.find((section) => section.key === key)?.name ?? key;
}
