// Where a story takes place: a real `dossier serve` in a folder of its own, a provider that follows
// a script, and a browser.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { Provider } from './provider.mjs';

const BINARY = process.env['DOSSIER_TEST_BINARY'] ?? '../target/debug/dossier';
const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** How long a state is waited for; a loaded machine is slow, and nothing waits longer than it must. */
const PATIENCE = 60_000;

/**
 * @typedef {object} Options
 * @property {boolean} [provider] whether a provider of models is set up
 * @property {Record<string, string>} [environment]
 * @property {string[]} [serve] further flags
 * @property {string} [folder] where it takes place; a new one when not given
 */

export class Desk {
  /** @type {import('playwright-core').Browser} */ browser;
  /** @type {import('playwright-core').Page} */ page;
  /** Errors and refused requests that the page has told of. @type {string[]} */
  complaints = [];

  /**
   * @param {string} folder
   * @param {Provider} provider
   * @param {import('node:child_process').ChildProcess} process
   * @param {string} url
   * @param {import('playwright-core').Browser} browser
   * @param {import('playwright-core').Page} page
   */
  constructor(folder, provider, process, url, browser, page) {
    this.folder = folder;
    this.provider = provider;
    this.process = process;
    this.url = url;
    this.browser = browser;
    this.page = page;
  }

  /** @param {Options} [options] */
  static async open(options = {}) {
    const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'dossier-web-')));
    const provider = await new Provider().start();
    const { process, url } = await serve(folder, provider, options);
    const executablePath = BROWSERS.find(existsSync);
    if (!executablePath) throw new Error('Chromium is missing: apt-get install chromium');
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    const context = await browser.newContext({ viewport: { width: 1360, height: 860 }, reducedMotion: 'reduce' });
    context.setDefaultTimeout(PATIENCE);
    const page = await context.newPage();
    const desk = new Desk(folder, provider, process, url, browser, page);
    page.on('pageerror', (error) => desk.complaints.push(String(error)));
    page.on('console', (message) => {
      // A request that the server refuses is told of here too, and is no fault of the page.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
        desk.complaints.push(message.text());
      }
    });
    page.on('request', (request) => {
      if (!/^(http:\/\/127\.0\.0\.1:|data:|blob:)/.test(request.url())) {
        desk.complaints.push(`left the machine: ${request.url()}`);
      }
    });
    return desk;
  }

  async close() {
    await this.browser.close();
    this.process.kill('SIGTERM');
    await new Promise((resolve) => this.process.once('exit', resolve));
    await this.provider.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /**
   * Asks the server as a program would.
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body]
   */
  async api(method, path, body) {
    const response = await fetch(this.url + path, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.status === 204 ? null : response.json();
  }

  /** @param {string} hash */
  async go(hash) {
    await this.page.goto(`${this.url}/${hash}`);
    await this.page.getByRole('navigation', { name: 'Views' }).waitFor();
  }

  /**
   * Chooses whom to ask.
   * @param {string[]} ids
   */
  async choose(ids) {
    await this.page.evaluate((ids) => localStorage.setItem('dossier.models', JSON.stringify(ids)), ids);
    await this.page.reload();
  }

  /**
   * Waits until a field holds a text: what comes into it by the browser, or after a question was
   * refused, comes in its own time.
   * @param {import('playwright-core').Locator} field
   * @param {string} text
   */
  async holds(field, text) {
    const until = Date.now() + PATIENCE;
    while ((await field.inputValue()) !== text && Date.now() < until) await delay(20);
    assert.equal(await field.inputValue(), text);
  }

  /**
   * Drops files and folders in the middle of the page.
   * @param {string[]} files
   */
  async drop(files) {
    const session = await this.page.context().newCDPSession(this.page);
    const data = { items: [], files, dragOperationsMask: 1 };
    for (const type of /** @type {const} */ (['dragEnter', 'dragOver', 'drop'])) {
      await session.send('Input.dispatchDragEvent', { type, x: 700, y: 400, data });
    }
    await session.detach();
  }

  /** @param {string} question */
  async ask(question) {
    await this.page.getByRole('textbox', { name: 'Message' }).fill(question);
    await this.page.getByRole('button', { name: 'Send' }).click();
  }
}

/**
 * @param {string} folder
 * @param {Provider} provider
 * @param {Options} options
 * @returns {Promise<{ process: import('node:child_process').ChildProcess, url: string }>}
 */
async function serve(folder, provider, options) {
  const set = options.provider === false ? {} : { OPENAI_API_KEY: 'sk-scripted', OPENAI_BASE_URL: provider.url };
  const args = ['--data', join(folder, 'data'), 'serve', '--listen', '127.0.0.1:0', '--json'];
  const child = spawn(BINARY, [...args, ...(options.serve ?? [])], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, DOSSIER_EMBEDDER: 'none', ...set, ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (text) => (log += text));
  for await (const line of createInterface(child.stdout)) return { process: child, url: JSON.parse(line).url };
  throw new Error(`the server did not start: ${log}`);
}
