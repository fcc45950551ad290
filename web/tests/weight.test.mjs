// What the page weighs, and that it stays light under a long conversation and several streams.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Desk } from './desk.mjs';
import { gate } from './provider.mjs';

const FIRST_LOAD = 250_000;
/**
 * How long a key may take to be seen, in milliseconds. An idle machine takes a tenth of it; what blocks
 * the page does so at every key, and what the machine does beside it only at some.
 */
const USUAL_KEY = 500;

/** @type {Desk} */ let desk;

before(async () => {
  desk = await Desk.open();
});
after(() => desk.close());

test('the first load is at most 250 KB compressed, and everything of it comes compressed', async () => {
  /** @type {import('playwright-core').Response[]} */ const responses = [];
  desk.page.on('response', (response) => responses.push(response));
  await desk.go('');
  await desk.page.getByRole('heading', { name: 'Welcome to Dossier' }).waitFor();
  await desk.page.evaluate(() => document.fonts.ready);
  const parts = responses.filter((response) => !new URL(response.url()).pathname.startsWith('/api/'));
  const sizes = await Promise.all(parts.map(async (part) => (await part.request().sizes()).responseBodySize));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(parts.length >= 4 && total <= FIRST_LOAD, `${parts.length} parts, ${total} bytes`);
  for (const part of parts.filter((part) => /\.(js|css)$|\/$/.test(new URL(part.url()).pathname))) {
    assert.equal(await part.headerValue('content-encoding'), 'gzip', part.url());
  }
});

/**
 * A conversation of so many messages.
 * @param {number} length
 */
async function conversation(length) {
  const messages = Array.from({ length }, (_, place) => ({
    speaker: place % 2 ? 'assistant' : 'user',
    content: place % 2 ? `Answer ${place} with **words**.\n\n${'A sentence more. '.repeat(place % 40)}` : `Question ${place}?`,
  }));
  const project = await desk.api('POST', '/api/projects', { name: `long ${length}` });
  const path = `/api/projects/${project.id}/conversations/import`;
  const { conversation_id } = await desk.api('POST', path, { title: 'Long', messages });
  await desk.go(`#/talk/${conversation_id}`);
  await desk.page.getByText(`Answer ${length - 1} with`).waitFor();
}

/** The time in seconds that the page's thread works to scroll up so many steps, whatever else the machine does. */
async function scrolling() {
  const session = await desk.page.context().newCDPSession(desk.page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const worked = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
  };
  const before = await worked();
  await desk.page.getByRole('region', { name: 'Messages' }).evaluate(async (node) => {
    for (let step = 0; step < 60; step++) {
      node.scrollTop -= 100;
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  });
  const took = (await worked()) - before;
  await session.detach();
  return took;
}

test('scrolling through 2,000 messages is as light as through 100', async () => {
  await conversation(100);
  const few = await scrolling();
  await conversation(2000);
  // What is still being read of it, or thrown away, is no part of scrolling.
  const first = await scrolling();
  await desk.page.getByRole('region', { name: 'Messages' }).focus();
  await desk.page.keyboard.press('End');
  await desk.page.getByText('Answer 1999 with').waitFor();
  const many = Math.min(first, await scrolling());
  assert.ok(many < few * 4, `${few} s of work for 100 messages, ${many} s for 2,000`);
});

test('of 2,000 messages only those in view are drawn, from the last to the first', async () => {
  const { page } = desk;
  await desk.page.reload();
  await page.getByText('Answer 1999').waitFor();
  assert.ok((await page.getByRole('article').count()) < 60);
  const frame = page.getByRole('region', { name: 'Messages' });
  for (const share of [0.75, 0.5, 0.25, 0]) {
    await frame.evaluate((node, share) => (node.scrollTop = node.scrollHeight * share), share);
    await page.waitForFunction(() => {
      const frame = document.querySelector('[aria-label="Messages"]');
      if (!frame) return false;
      const box = frame.getBoundingClientRect();
      return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.closest('article') != null;
    });
    assert.ok((await page.getByRole('article').count()) < 60);
  }
  await page.getByText('Question 0?').waitFor();
  await frame.focus();
  await page.keyboard.press('End');
  await page.getByText('Answer 1999').waitFor();
});

test('a message in the middle of a long conversation of tall answers is opened at its place', async () => {
  const { page } = desk;
  const project = await desk.api('POST', '/api/projects', { name: 'tall' });
  // Much taller than what is not yet drawn counts with, and each otherwise.
  const answer = (/** @type {number} */ place) => Array.from({ length: 10 + (place % 60) }, (_, line) => `Line ${line} of ${place}.`).join('\n\n');
  const messages = Array.from({ length: 2000 }, (_, place) =>
    place % 2 ? { speaker: 'assistant', content: answer(place) } : { speaker: 'user', content: `Tall question ${place}?` },
  );
  const path = `/api/projects/${project.id}/conversations/import`;
  const { message_ids } = await desk.api('POST', path, { title: 'Tall', messages });
  for (const place of [1000, 40, 1960]) {
    await desk.go('#/usage');
    await desk.go(`#/talk?message=${message_ids[place]}`);
    const question = page.locator('.question.marked').filter({ hasText: `Tall question ${place}?` });
    await question.waitFor();
    await page.waitForFunction(() => {
      const frame = document.querySelector('[aria-label="Messages"]')?.getBoundingClientRect();
      const marked = document.querySelector('.question.marked')?.getBoundingClientRect();
      return frame && marked && Math.abs(marked.top - frame.top) < 60;
    });
    // It stays there, once what is around it has been drawn.
    await page.waitForFunction(async () => {
      const top = (/** @type {string} */ name) => document.querySelector(name)?.getBoundingClientRect().top ?? Number.NaN;
      const below = () => top('.question.marked') - top('[aria-label="Messages"]');
      const before = below();
      await new Promise((resolve) => setTimeout(resolve, 300));
      return Math.abs(below()) < 60 && Math.abs(below() - before) < 2;
    });
  }
});

test('typing goes on while four models stream', async () => {
  const { page } = desk;
  const four = ['openai/gpt-4o', 'openai/gpt-4.1', 'openai/gpt-4.1-mini', 'openai/gpt-4o-mini'];
  const [start, end] = [gate(), gate()];
  const breath = () => new Promise((/** @type {(value: void) => void} */ resolve) => setTimeout(resolve, 2));
  const words = Array.from({ length: 400 }, (_, place) => (place % 9 ? `word${place} ` : `**bold** \`code\`\n\n- item ${place} `));
  desk.provider.script = () => ({ pieces: [start.wait, ...words.flatMap((word) => [word, breath]), end.wait, 'That is all.'] });
  await desk.go('#/talk');
  await desk.choose(four);
  await page.evaluate(() => {
    /** @type {number[]} */ const keys = [];
    Object.assign(globalThis, { keys });
    // From the press to the next frame; shorter ones than 16 ms are not told.
    const how = { type: 'event', durationThreshold: 16 };
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) if (name === 'keydown') keys.push(duration);
    }).observe(how);
  });
  await desk.ask('All of you, at once.');
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
  start.open();
  const text = 'typed while they talk';
  const message = page.getByRole('textbox', { name: 'Message' });
  await message.pressSequentially(text);
  assert.equal(await message.inputValue(), text);
  // They were still talking, or it would prove nothing.
  assert.equal(await page.locator('.reply[aria-busy=true]').count(), 4);
  end.open();
  await page.waitForFunction(() => document.querySelectorAll('.reply footer').length === 4);
  /** @type {number[]} */ const keys = await page.evaluate('keys');
  const middle = keys.toSorted((a, b) => a - b)[keys.length >> 1] ?? 0;
  assert.ok(middle < USUAL_KEY, `${keys} ms for each key`);
  assert.deepEqual(desk.complaints, []);
});
