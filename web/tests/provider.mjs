// A provider of models on loopback that follows a script: it speaks OpenAI's chat completions, and
// says what the test tells it to, piece by piece.
import { createServer } from 'node:http';

/**
 * @typedef {object} Asked
 * @property {string} model
 * @property {{ role: string, content: unknown }[]} messages
 */

/**
 * A piece of text or of a thought, something to wait for before the next piece is sent, or the call
 * of a tool.
 * @typedef {string | { thought: string } | (() => Promise<void>) | { tool: string, arguments: string }} Piece
 */

/**
 * How a model answers: piece by piece, or with a status to fail with.
 * @typedef {{ pieces: Iterable<Piece> } | { status: number, message: string }} Reply
 */

/** A gate that opens once. */
export function gate() {
  /** @type {() => void} */
  let open = () => undefined;
  /** @type {Promise<void>} */
  const opened = new Promise((resolve) => (open = resolve));
  return { open, wait: () => opened };
}

export class Provider {
  /** @type {Asked[]} */
  asked = [];
  /** @type {(asked: Asked) => Reply} */
  script = () => ({ pieces: ['Certainly.'] });
  /** Tokens of each prompt that it says it had in its cache. */
  cached = 0;
  #server = createServer((request, response) => void this.#serve(request, response));

  async start() {
    await new Promise((resolve) => this.#server.listen(0, '127.0.0.1', () => resolve(null)));
    return this;
  }

  get url() {
    const address = this.#server.address();
    if (!address || typeof address === 'string') throw new Error('the provider is not started');
    return `http://127.0.0.1:${address.port}/v1`;
  }

  async stop() {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /**
   * @param {import('node:http').IncomingMessage} request
   * @param {import('node:http').ServerResponse} response
   */
  async #serve(request, response) {
    if (request.url?.endsWith('/models')) {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'gpt-4o', object: 'model' }] }));
      return;
    }
    let body = '';
    for await (const chunk of request) body += chunk;
    /** @type {Asked} */
    const asked = JSON.parse(body);
    this.asked.push(asked);
    const reply = this.script(asked);
    if ('status' in reply) {
      response.writeHead(reply.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: reply.message } }));
      return;
    }
    await stream(reply.pieces, response, this.cached);
  }
}

/**
 * @param {Iterable<Piece>} pieces
 * @param {import('node:http').ServerResponse} response
 * @param {number} cached
 */
async function stream(pieces, response, cached) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const say = (/** @type {object} */ chunk) =>
    response.write(`data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', ...chunk })}\n\n`);
  say({ choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] });
  let finish = 'stop';
  for (const piece of pieces) {
    if (response.closed) return;
    if (typeof piece === 'function') await piece();
    else if (typeof piece === 'string') say({ choices: [{ index: 0, delta: { content: piece }, finish_reason: null }] });
    else if ('thought' in piece) say({ choices: [{ index: 0, delta: { reasoning_content: piece.thought }, finish_reason: null }] });
    else {
      finish = 'tool_calls';
      const called = { name: piece.tool, arguments: piece.arguments };
      const tool_calls = [{ index: 0, id: 'call_1', type: 'function', function: called }];
      say({ choices: [{ index: 0, delta: { tool_calls }, finish_reason: null }] });
    }
  }
  say({ choices: [{ index: 0, delta: {}, finish_reason: finish }] });
  const prompt_tokens_details = { cached_tokens: cached };
  say({ choices: [], usage: { prompt_tokens: 1200, completion_tokens: 80, total_tokens: 1280, prompt_tokens_details } });
  response.end('data: [DONE]\n\n');
}
