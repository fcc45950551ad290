// Who is asked, and where: models that are chosen or set, projects that are switched, and what is dropped.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Desk } from './desk.mjs';

/** @type {Desk} */ let desk;

before(async () => {
  desk = await Desk.open();
  await desk.go('');
});
after(() => desk.close());

/** Waits for the name of the model or models that are asked. @param {string} name */
const asks = (name) => desk.page.getByRole('button', { name: `Models: ${name}`, exact: true }).waitFor();

/** Begins as somebody who has chosen nothing yet. */
async function anew() {
  await desk.page.evaluate(() => localStorage.clear());
  await desk.go('#/talk');
  await desk.page.reload();
}

test('the only model that is ticked can be taken away, and another takes its place', async () => {
  const { page } = desk;
  await page.getByRole('button', { name: /^Models:/ }).click();
  const sheet = page.getByRole('dialog', { name: 'Whom to ask' });
  await sheet.getByRole('checkbox', { checked: true }).click();
  assert.equal(await sheet.getByRole('checkbox', { checked: true }).count(), 0);
  await sheet.getByLabel(/openai\/gpt-4o /).check();
  await page.keyboard.press('Escape');
  await asks('GPT-4o');
  assert.deepEqual(await page.evaluate(() => localStorage.getItem('dossier.models')), '["openai/gpt-4o"]');
});

test('where nobody has chosen, the models of the settings are asked, and before them those of the project', async () => {
  await desk.api('PUT', '/api/settings', { values: { model: 'openai/gpt-4.1-mini' } });
  await anew();
  await asks('GPT-4.1 mini');
  const project = await desk.api('POST', '/api/projects', { name: 'usual', settings: { default_models: ['openai/gpt-4o', 'openai/gpt-4.1'] } });
  await desk.page.getByRole('combobox', { name: 'Project' }).selectOption({ label: 'usual' });
  await asks('2 models');
  await desk.api('PUT', '/api/settings', { values: { model: null } });
  await desk.api('DELETE', `/api/projects/${project.id}`);
});

test('another project is another conversation, and a conversation brings its project along', async () => {
  const { page } = desk;
  const [harbour, island] = await Promise.all(['harbour', 'island'].map((name) => desk.api('POST', '/api/projects', { name })));
  await anew();
  await desk.choose(['openai/gpt-4o']);
  const choice = page.getByRole('combobox', { name: 'Project' });
  await choice.selectOption({ label: 'harbour' });
  await desk.ask('Who is in the harbour?');
  await page.getByText('View context').waitFor();
  const first = page.url();
  await choice.selectOption({ label: 'island' });
  await page.getByRole('heading', { name: 'Ask about island' }).waitFor();
  await desk.ask('Who is on the island?');
  await page.getByText('View context').waitFor();
  const names = async (/** @type {{ id: string }} */ { id }) => (await desk.api('GET', `/api/projects/${id}/conversations`)).conversations.length;
  assert.deepEqual([await names(harbour), await names(island)], [1, 1]);
  await page.goto(first);
  await page.getByText('Who is in the harbour?').first().waitFor();
  await desk.holds(choice, harbour.id);

  // From elsewhere Talk is gone back to where it was left, unless another project is worked in since.
  await page.getByRole('link', { name: 'Files' }).click();
  await page.getByRole('link', { name: 'Talk' }).click();
  await page.getByText('Who is in the harbour?').first().waitFor();
  await page.getByRole('link', { name: 'Files' }).click();
  await choice.selectOption({ label: 'island' });
  await page.getByRole('link', { name: 'Talk' }).click();
  await page.getByRole('heading', { name: 'Ask about island' }).waitFor();
});

test('a project that comes later and stands first does not take the place of the one that is worked in', async () => {
  const { page } = desk;
  await anew();
  const choice = page.getByRole('combobox', { name: 'Project' });
  await choice.locator('option').nth(1).waitFor({ state: 'attached' });
  const now = await choice.inputValue();
  await desk.api('POST', '/api/projects', { name: 'aaa' });
  await choice.locator('option', { hasText: 'aaa' }).waitFor({ state: 'attached' });
  assert.equal(await choice.inputValue(), now);
});

test('a text that is selected beyond the edge of a sheet leaves it open', async () => {
  const { page } = desk;
  await page.getByRole('button', { name: 'Change the project' }).click();
  const sheet = page.getByRole('dialog', { name: 'Project' });
  const name = sheet.getByLabel('Name');
  await name.fill('A long name');
  const box = await name.boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + 100, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(20, box.y + 10, { steps: 5 });
  await page.mouse.up();
  assert.equal(await name.inputValue(), 'A long name');
  await page.mouse.click(20, 20);
  await sheet.waitFor({ state: 'detached' });
});

test('a folder that is dropped on a question is shown the way, and the file beside it is attached', async () => {
  const { page, folder } = desk;
  const plans = join(folder, 'plans');
  await mkdir(plans);
  await writeFile(join(folder, 'tide.txt'), 'High water at 04:12.');
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  await desk.drop([plans, join(folder, 'tide.txt')]);
  await page.getByRole('button', { name: 'Remove tide.txt' }).click();
  await page.locator('.notice').getByRole('button', { name: 'Go to Files' }).click();
  await page.getByRole('button', { name: 'Add a folder' }).waitFor();
  assert.deepEqual(desk.complaints, []);
});

test('a conversation that could not be read again stays, and is read with the next that is heard', async () => {
  const { page } = desk;
  await desk.go('#/talk');
  await desk.ask('Does it stay?');
  await page.getByText('View context').waitFor();
  const id = page.url().split('/').at(-1) ?? '';
  await page.route(`**/api/conversations/${id}?*`, (route) => route.fulfill({ status: 503, json: { code: 'unavailable', status: 503, detail: 'the store is away' } }));
  await desk.api('PUT', `/api/conversations/${id}/title`, { title: 'Another title' });
  await page.getByRole('alert').filter({ hasText: 'The store is away.' }).waitFor();
  assert.ok(await page.getByRole('article', { name: 'Round 1' }).getByText('Does it stay?').isVisible());
  await page.unroute(`**/api/conversations/${id}?*`);
  await desk.api('POST', '/api/projects', { name: 'heard' });
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Another title' }).waitFor();
  assert.deepEqual(desk.complaints, []);
});
