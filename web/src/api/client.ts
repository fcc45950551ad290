// The one way to the server: typed by its OpenAPI document, with the access token where one is
// wanted, and every failure as a Problem.
import createClient from 'openapi-fetch';
import { access } from '../state/access.svelte';
import { Problem } from './problem';
import type { paths } from './schema';

/** Where changes are told. */
export const CHANGES = '/api/events';

/** How long the first request waits for that line, in milliseconds. */
const PATIENCE = 2000;

let hear: () => void = () => undefined;
/** Resolves once changes are heard, or will not be soon: what is read before could change unheard. */
const heard = new Promise<void>((resolve) => (hear = resolve));
setTimeout(hear, PATIENCE);

/** Sends a request; when the server wants a token, asks for it and sends the request again. */
export async function send(request: Request): Promise<Response> {
  const isLine = new URL(request.url).pathname === CHANGES;
  if (!isLine) await heard;
  for (;;) {
    const attempt = request.clone();
    const { token } = access;
    if (token) attempt.headers.set('authorization', `Bearer ${token}`);
    const response = await fetch(attempt).catch((error: unknown) => {
      throw request.signal.aborted ? error : Problem.unreachable();
    }).finally(isLine ? hear : undefined);
    if (response.status !== 401) return response;
    // Where another was given meanwhile, that one is tried.
    if (access.token === token) await access.ask();
  }
}

export const api = createClient<paths>({ fetch: send });

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** What the server answered as JSON, or a Problem; what it can also stream is opened by `sse.ts`. */
export async function answer<T>(pending: Promise<Answer<T>>): Promise<Exclude<NonNullable<T>, string>> {
  const { data, error, response } = await pending;
  if (data === undefined || data === null) throw Problem.of(error, response.status);
  return data as Exclude<NonNullable<T>, string>;
}

/** The same where success says nothing. */
export async function done(pending: Promise<Answer<unknown>>): Promise<void> {
  const { error, response } = await pending;
  if (!response.ok) throw Problem.of(error, response.status);
}

interface Page<T> {
  rows: T[];
  next: string | null | undefined;
}

/** The most rows of a page. */
const PAGE = 1000;

/** Rows of a long list, and whether there are more. */
export interface Several<T> {
  rows: T[];
  more: boolean;
}

/** As many rows of a long list as are wanted. */
export async function several<T>(
  wanted: number,
  page: (cursor: string | undefined, limit: number) => Promise<Page<T>>,
): Promise<Several<T>> {
  const all: T[] = [];
  let cursor: string | undefined;
  do {
    const { rows, next } = await page(cursor, Math.min(wanted - all.length, PAGE));
    all.push(...rows);
    cursor = next ?? undefined;
  } while (cursor && all.length < wanted);
  return { rows: all, more: cursor !== undefined };
}

/** All rows of a list that comes page by page. */
export async function everything<T>(
  page: (cursor: string | undefined) => Promise<Page<T>>,
): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | undefined;
  do {
    const { rows, next } = await page(cursor);
    all.push(...rows);
    cursor = next ?? undefined;
  } while (cursor);
  return all;
}
