// What is remembered: large contents in their three views, and facts with where they were said.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Desk } from './desk.mjs';

/** @type {Desk} */ let desk;

before(async () => {
  desk = await Desk.open();
  await desk.go('#/memory/refs');
});
after(() => desk.close());

test('a content is stored by hand, and shown as a summary, in short and whole', async () => {
  const { page } = desk;
  await page.getByRole('heading', { name: 'No ref yet' }).waitFor();
  await page.getByRole('button', { name: 'Store a content' }).first().click();
  const sheet = page.getByRole('dialog', { name: 'Store a content' });
  const items = Array.from({ length: 60 }, (_, place) => ({ id: 10_000_000_000_000_001n + BigInt(place), berth: `quay ${place}` }));
  const content = `{"total":60,"items":[${items.map(({ id, berth }) => `{"id":${id},"berth":"${berth}"}`).join(',')}]}`;
  await sheet.getByLabel('Content').fill(content);
  await sheet.getByLabel('Kind').fill('berths');
  await sheet.getByRole('button', { name: 'Store it' }).click();

  const shown = page.getByRole('region', { name: 'Ref', exact: true });
  await shown.getByRole('heading', { name: /^ref:berths:/ }).waitFor();
  await shown.getByText('Quoted from it, without a model').waitFor();
  await shown.getByText(/values? that must not be lost/).waitFor();
  await shown.getByRole('tabpanel', { name: 'Summary' }).getByText('berths').waitFor();
  await shown.getByText(/^[1-9]\d? % shorter in short$/).waitFor();
  await shown.getByRole('tab', { name: 'In short' }).click();
  await shown.getByRole('tabpanel', { name: 'In short' }).getByText('quay 0').waitFor();
  await shown.getByRole('tab', { name: 'Whole' }).click();
  await shown.getByLabel('Fields').fill('items[].id');
  await shown.getByLabel('From').fill('58');
  await shown.getByLabel('How many').fill('1');
  await shown.getByRole('button', { name: 'Expand' }).click();
  await shown.getByText('59–59 of 60').waitFor();
  // To the digit: no number that a browser would round.
  const part = shown.locator('pre');
  assert.equal(await part.textContent(), '{\n  "items": [\n    {\n      "id": 10000000000000059\n    }\n  ]\n}');
  await shown.getByRole('button', { name: 'After' }).click();
  await shown.getByText('60–60 of 60').waitFor();
  assert.match((await part.textContent()) ?? '', /10000000000000060/);
  await shown.getByLabel('Fields').fill('items[');
  await shown.getByRole('button', { name: 'Expand' }).click();
  await shown.getByRole('alert').filter({ hasText: 'is no path' }).waitFor();
});

test('refs are filtered, and one that is forgotten is gone for good', async () => {
  const { page } = desk;
  // One that is stored through another door appears by itself.
  const listening = page.waitForResponse('**/api/events');
  await page.reload();
  await listening;
  await desk.api('POST', '/api/refs', { content: 'mooring line\n'.repeat(40), kind: 'lines' });
  const list = page.getByRole('complementary', { name: 'Refs' });
  await list.getByRole('link', { name: /lines/ }).waitFor();
  await list.getByRole('combobox', { name: 'Kind' }).selectOption('lines');
  await list.getByRole('link', { name: /berths/ }).waitFor({ state: 'detached' });
  await list.getByRole('combobox', { name: 'Kind' }).selectOption('');
  await list.getByRole('searchbox', { name: 'Filter refs' }).fill('berths');
  await list.getByRole('link', { name: /lines/ }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Forget' }).click();
  const sheet = page.getByRole('dialog', { name: 'Forget this content?' });
  await sheet.getByRole('button', { name: 'Cancel' }).click();
  await sheet.waitFor({ state: 'detached' });
  await list.getByRole('link', { name: /berths/ }).waitFor();
  await page.getByRole('button', { name: 'Forget' }).click();
  await sheet.getByRole('button', { name: 'Forget it' }).click();
  await page.getByRole('heading', { name: 'Choose a ref to look at it' }).waitFor();
  const { refs } = await desk.api('GET', '/api/refs');
  assert.deepEqual(refs.map((/** @type {{ kind: string }} */ ref) => ref.kind), ['lines']);
  await desk.go('#/memory/refs/ref:berths:0123456789ab');
  await page.getByRole('heading', { name: 'There is no such ref' }).waitFor();
  assert.deepEqual(desk.complaints, []);
});

test('of many refs some are shown, then more, and all can be found', async () => {
  const { page } = desk;
  await desk.go('#/memory/refs');
  for (let place = 0; place < 105; place++) {
    await desk.api('POST', '/api/refs', { content: `buoy ${place} `.repeat(30), kind: 'buoys' });
  }
  await desk.api('POST', '/api/refs', { content: 'a lighthouse '.repeat(30), kind: 'lights' });
  await page.reload();
  const list = page.getByRole('complementary', { name: 'Refs' });
  const count = (/** @type {number} */ wanted) =>
    page.waitForFunction((wanted) => document.querySelectorAll('aside[aria-label="Refs"] li').length === wanted, wanted);
  await count(100);
  assert.equal(await list.locator('strong', { hasText: /^lines$/ }).count(), 0);
  await list.getByRole('searchbox', { name: 'Filter refs' }).fill('walrus');
  await count(0);
  await list.getByText('No ref is like that.').waitFor();
  await list.getByRole('searchbox', { name: 'Filter refs' }).fill('Ref:Lines:');
  await count(1);
  await list.getByRole('searchbox', { name: 'Filter refs' }).fill('');
  await count(100);
  await list.getByRole('button', { name: 'Show more' }).click();
  await count(107);
  await list.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' });
  await list.getByRole('combobox', { name: 'Kind' }).selectOption('lights');
  await count(1);
  assert.deepEqual(desk.complaints, []);
});

const harbour = async () => {
  const { projects } = await desk.api('GET', '/api/projects');
  return projects.find((/** @type {{ name: string }} */ project) => project.name === 'harbour');
};

/** @param {string} text */
const fact = (text) => desk.page.getByRole('listitem', { name: text });

test('a fact is added, found, changed, pinned, and forgotten when that is confirmed', async () => {
  const { page } = desk;
  await desk.api('POST', '/api/projects', { name: 'harbour' });
  await desk.go('#/memory');
  // What is added goes to the project that the page knows of.
  await page.reload();
  await page.getByRole('combobox', { name: 'Project' }).locator('option', { hasText: 'harbour' }).waitFor({ state: 'attached' });
  await page.getByRole('heading', { name: 'Nothing is remembered yet' }).waitFor();
  const add = async (/** @type {string} */ text, /** @type {string} */ kind) => {
    await page.getByRole('button', { name: 'Add a fact' }).first().click();
    const sheet = page.getByRole('dialog', { name: 'Add a fact' });
    await sheet.getByRole('textbox', { name: 'Fact' }).fill(text);
    await sheet.getByRole('combobox', { name: 'Kind' }).selectOption(kind);
    await sheet.getByRole('textbox', { name: 'Tags' }).fill('harbour, rules');
    await sheet.getByRole('button', { name: 'Add it' }).click();
    await sheet.waitFor({ state: 'detached' });
    await fact(text).waitFor();
  };
  await add('The harbour office is in the old customs house.', 'entity');
  await add('Ferries are refuelled at the northern quay.', 'fact');

  const search = page.getByRole('searchbox', { name: 'Search facts' });
  await search.fill('customs house');
  await fact('Ferries are refuelled').waitFor({ state: 'detached' });
  await fact('The harbour office').waitFor();
  await search.fill('nothing like this');
  await page.getByRole('heading', { name: 'Nothing is known of it' }).waitFor();
  await search.fill('');
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('fact');
  await fact('The harbour office').waitFor({ state: 'detached' });
  const fuel = fact('Ferries are refuelled');
  await fuel.getByRole('button', { name: 'Edit' }).click();
  const sheet = page.getByRole('dialog', { name: 'Edit the fact' });
  await sheet.getByRole('textbox', { name: 'Fact' }).fill('Ferries are refuelled at the southern quay.');
  await sheet.getByRole('button', { name: 'Save' }).click();
  const changed = fact('Ferries are refuelled at the southern quay.');
  await changed.getByRole('button', { name: 'Pin', exact: true }).click();
  await changed.getByText('pinned', { exact: true }).waitFor();
  await changed.getByText('told by hand').waitFor();

  await changed.getByRole('button', { name: 'Forget' }).click();
  const confirm = page.getByRole('dialog', { name: 'Forget this fact?' });
  await confirm.getByRole('button', { name: 'Cancel' }).click();
  await confirm.waitFor({ state: 'detached' });
  await changed.getByRole('button', { name: 'Forget' }).click();
  await confirm.getByRole('button', { name: 'Forget it' }).click();
  await changed.waitFor({ state: 'detached' });
  // The keyboard goes on from the list.
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Facts');
  const { facts } = await desk.api('GET', '/api/facts');
  const told = facts.map((/** @type {{ text: string, tags: string[] }} */ { text, tags }) => [text, tags]);
  assert.deepEqual(told, [['The harbour office is in the old customs house.', ['harbour', 'rules']]]);
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('');
});

test('facts are searched in one project or in all, and of many some are shown', async () => {
  const { page } = desk;
  const pier = await desk.api('POST', '/api/projects', { name: 'pier' });
  for (let place = 0; place < 120; place++) {
    await desk.api('POST', '/api/facts', { project_id: pier.id, text: `Bollard ${place} stands at metre ${place * 3}.` });
  }
  const project = page.getByRole('combobox', { name: 'Project' });
  await project.locator('option', { hasText: 'pier' }).waitFor({ state: 'attached' });
  await page.getByRole('searchbox', { name: 'Search facts' }).fill('bollard 77');
  await page.getByRole('heading', { name: 'Nothing is known of it' }).waitFor();
  await project.selectOption('');
  await fact('Bollard 77 stands').waitFor();
  await fact('The harbour office').waitFor({ state: 'detached' });
  await fact('Bollard 77 stands').getByText('pier', { exact: true }).waitFor();
  await page.getByRole('searchbox', { name: 'Search facts' }).fill('');
  await page.getByRole('button', { name: 'Holds 121' }).waitFor();
  await page.waitForFunction(() => document.querySelectorAll('li.card').length === 100);
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.waitForFunction(() => document.querySelectorAll('li.card').length === 121);
  assert.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0);
  await project.selectOption({ label: 'harbour' });
});

test('what was said leads to its message, and what took its place is told', async () => {
  const { page } = desk;
  const project = await harbour();
  const say = (/** @type {string} */ message) =>
    desk.api('POST', '/api/turn', { project_id: project.id, message, models: ['builtin/extractive'] });
  await say('We chose Redis for the queue.');
  await say('We chose Kafka for the queue.');
  await page.reload();
  await fact('We chose Kafka for the queue.').waitFor();
  assert.equal(await fact('We chose Redis for the queue.').count(), 0);
  await page.getByRole('button', { name: /^Held once/ }).click();
  const old = fact('We chose Redis for the queue.');
  await old.getByText(/^\w+ \d+, \d+ – \w+ \d+, \d+$/).waitFor();
  await old.getByRole('link', { name: 'We chose Kafka for the queue.' }).click();
  await page.locator('li.marked').filter({ hasText: 'Kafka' }).waitFor();
  await old.getByRole('link', { name: 'Where it was said' }).click();
  await page.locator('.question.marked').filter({ hasText: 'We chose Redis for the queue.' }).waitFor();
});

test('what is doubtful is accepted, or rejected', async () => {
  const { page } = desk;
  const project = await harbour();
  const remember = (/** @type {string} */ text, pinned = false) =>
    desk.api('POST', '/api/facts', { project_id: project.id, text, pinned });
  await remember('The launch is on March 5, 2027.', true);
  await remember('The launch is on May 1, 2027.');
  const listening = page.waitForResponse('**/api/events');
  await desk.go('#/memory');
  await page.reload();
  await listening;
  await page.getByRole('button', { name: /^Doubtful/ }).click();
  const may = fact('The launch is on May 1, 2027.');
  await may.getByText('It contradicts a fact that is pinned.').waitFor();
  await may.getByRole('button', { name: 'Reject' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Forget it' }).click();
  await may.waitFor({ state: 'detached' });
  await page.getByText('Nothing waits for your word.').waitFor();

  // Another door is heard of at once.
  await remember('The launch is on June 2, 2027.');
  const june = fact('The launch is on June 2, 2027.');
  await june.getByRole('button', { name: 'Accept' }).click();
  await june.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^Holds/ }).click();
  await june.waitFor();
  assert.deepEqual(desk.complaints, []);
});
