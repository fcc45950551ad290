// What went wrong, in the words of the server's problem documents.
import type { components } from './schema';

export type ProblemDocument = components['schemas']['Problem'];

/** A request that failed; its message is fit to be shown. */
export class Problem extends Error {
  readonly code: string;
  readonly status: number;
  readonly fields: { field: string; message: string }[];

  constructor(code: string, status: number, message: string, fields: Problem['fields'] = []) {
    super(message);
    this.code = code;
    this.status = status;
    this.fields = fields;
  }

  static unreachable(): Problem {
    return new Problem(
      'unreachable',
      0,
      'The server does not answer. Is `dossier serve` still running?',
    );
  }

  static of(body: unknown, status: number): Problem {
    if (isDocument(body)) {
      return new Problem(body.code, body.status, sentence(body.detail), body.errors ?? []);
    }
    return new Problem('unknown', status, `The server answered with status ${status}.`);
  }
}

/** Any error as words for a person. */
export function words(error: unknown): string {
  if (error instanceof Problem) {
    const fields = error.fields.map((field) => `${field.field}: ${field.message}`);
    return [error.message, ...fields].join(' ');
  }
  return error instanceof Error ? error.message : String(error);
}

function isDocument(body: unknown): body is ProblemDocument {
  return typeof body === 'object' && body !== null && 'code' in body && 'detail' in body;
}

export function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}
