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
  await desk.api('POST', '/api/refs', { content: 'mooring line\n'.repeat(40), kind: 'lines' });
  await page.reload();
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
