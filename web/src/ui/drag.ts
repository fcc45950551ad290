// Files that are dragged over the page.

/** Whether files are dragged, and not text within the page. */
export function holdsFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false;
}

/** Keeps the browser from opening what is dropped where no view takes it. */
export function keepPage(event: DragEvent): void {
  if (holdsFiles(event)) event.preventDefault();
}
