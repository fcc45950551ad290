// Work that is done one piece after the other, in the order in which it was wanted.

export class Queue {
  #last: Promise<unknown> = Promise.resolve();

  /** Does a piece when all before it are done, however they ended. */
  add<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
