// The first run without any key: files come in, are asked about, cited, found and tagged.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Desk } from './desk.mjs';
import { FERRY } from './sample.mjs';

/** @type {Desk} */ let desk;

before(async () => {
  desk = await Desk.open({ provider: false });
  await desk.go('');
});
after(() => desk.close());

test('the first page says what to do, and works without any key', async () => {
  const { page } = desk;
  await page.getByRole('heading', { name: 'Welcome to Dossier' }).waitFor();
  await page.getByText('No provider is set up yet').waitFor();
  await page.getByRole('link', { name: 'Add files' }).click();
  await page.getByRole('heading', { name: 'Make a project first' }).waitFor();
});

test('a folder is uploaded, and its hidden files are passed over', async () => {
  const { page } = desk;
  await page.getByRole('button', { name: 'New project' }).click();
  await page.getByRole('textbox', { name: 'Name of the new project' }).fill('ferry');
  await page.getByRole('button', { name: 'Make' }).click();
  await page.getByLabel('Folder to add').setInputFiles(FERRY);
  await page.getByText('8 files added').waitFor();
  await page.getByRole('link', { name: 'bookings.py', exact: true }).click();
  await page.getByRole('heading', { name: 'ferry/src/bookings.py' }).waitFor();
});

test('a file is tagged and pinned, and the next dossier holds it', async () => {
  const { page } = desk;
  await page.getByRole('textbox', { name: 'Add a tag' }).fill('core');
  await page.getByRole('textbox', { name: 'Add a tag' }).press('Enter');
  await page.getByRole('button', { name: 'Remove the tag core' }).waitFor();
  await page.getByRole('checkbox', { name: 'Always in context' }).check();
  await page.getByTitle('Always in context').waitFor();
  await page.getByRole('combobox', { name: 'Tag' }).selectOption('core');
  await page.getByRole('link', { name: 'tariffs.py' }).waitFor({ state: 'detached' });
  await page.getByRole('combobox', { name: 'Tag' }).selectOption('All tags');
});

test('an answer cites its passage, and the citation opens the file at its lines', async () => {
  const { page } = desk;
  await page.getByRole('link', { name: 'Talk' }).click();
  await desk.ask('Why are bookings refused in strong wind?');
  const citation = page.locator('a.citation').first();
  await citation.waitFor();
  const [, path, first] = /^(.+), lines? (\d+)/.exec((await citation.textContent()) ?? '') ?? [];
  await citation.click();
  await page.getByRole('heading', { name: path }).waitFor();
  await page.locator('tr.wanted').first().waitFor();
  assert.equal(await page.locator('tr.wanted .count').first().textContent(), first);
  assert.ok(await page.locator('tr.wanted').first().isVisible());
});

test('search finds files and conversations by keyboard, and opens at the line', async () => {
  const { page } = desk;
  await page.keyboard.press('/');
  const search = page.getByRole('combobox', { name: 'Search' });
  await search.fill('cancelled gusts');
  const hit = page.getByRole('option', { name: /decisions\.md/ });
  await hit.waitFor();
  while ((await hit.getAttribute('aria-selected')) !== 'true') await search.press('ArrowDown');
  await search.press('Enter');
  await page.getByRole('heading', { name: 'ferry/docs/decisions.md' }).waitFor();
  await page.locator('tr.wanted').first().waitFor();

  await page.keyboard.press('/');
  await search.fill('"refused in strong wind"');
  const said = page.getByRole('option').filter({ hasText: /^You, / });
  await said.first().click();
  await page.locator('.question.marked').waitFor();
});

test('a file that is deleted can be brought back', async () => {
  const { page } = desk;
  await page.getByRole('link', { name: 'Files' }).click();
  await page.getByRole('link', { name: 'notify.py' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('link', { name: 'notify.py' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Bring it back' }).click();
  await page.getByRole('link', { name: 'notify.py' }).waitFor();
  assert.deepEqual(desk.complaints, []);
});
