// A conversation as a thing of its own: what it took, how full its window is, its name, its file, its end.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { Desk } from './desk.mjs';
import { ferry, QUESTION } from './sample.mjs';

/** @type {Desk} */ let desk;
/** @type {string} */ let project;

before(async () => {
  desk = await Desk.open();
  project = await ferry(desk);
  desk.provider.script = ({ model }) => ({ pieces: [model === 'gpt-4o' ? 'At 17 metres per second.' : 'Wind'] });
  await desk.go('');
  await desk.choose(['openai/gpt-4o']);
});
after(() => desk.close());

test('the forecast tells the cost before a question is asked, and the head what all answers took', async () => {
  const { page } = desk;
  await page.getByRole('textbox', { name: 'Message' }).fill(QUESTION);
  const line = page.getByRole('button', { name: 'Forecast of this question' });
  await line.getByText(/tokens · \$0\.0\d+/).waitFor();
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('View context').waitFor();
  // The provider tells of 1,200 tokens read and 80 written each time.
  await page.getByText(/^1 round · 1,280 tokens · \$0\.0038$/).waitFor();
  await desk.ask('Are you sure?');
  await page.getByRole('article', { name: 'Round 2' }).getByText('View context').waitFor();
  await page.getByText(/^2 rounds · 2,560 tokens · \$0\.0076$/).waitFor();
});

test('how full the window is stands below what is written, also when nothing is', async () => {
  const { page } = desk;
  await page.getByRole('img', { name: '1 % of the window' }).waitFor();
  await page.reload();
  await page.getByRole('img', { name: '1 % of the window' }).waitFor();
});

test('what finds no room is told before it is asked', async () => {
  const { page } = desk;
  const change = { settings: { max_context_tokens: 450 } };
  await desk.api('PUT', `/api/projects/${project}`, change);
  await page.getByRole('link', { name: 'New conversation' }).click();
  await page.getByRole('textbox', { name: 'Message' }).fill(QUESTION);
  await page.getByRole('button', { name: 'Forecast of this question' }).filter({ hasText: 'some left out' }).click();
  const sheet = page.getByRole('dialog', { name: 'What this question would take' });
  await sheet.getByText(/of 450 tokens of context · [^]* · about \$0\.0/).waitFor();
  await sheet.getByText(/^\d+ passages? without room, [\d,]+ tokens$/).click();
  await sheet.getByRole('listitem').filter({ hasText: 'over the budget of 450 tokens' }).first().waitFor();
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  await page.getByRole('textbox', { name: 'Message' }).fill('');
  await desk.api('PUT', `/api/projects/${project}`, { settings: {} });
});

test('a conversation is renamed, exported, deleted and brought back', async () => {
  const { page } = desk;
  const list = page.getByRole('complementary', { name: 'Conversations' });
  await list.getByRole('listitem').first().click();
  await page.getByRole('button', { name: 'Rename the conversation' }).click();
  const title = page.getByRole('textbox', { name: 'Title' });
  await title.fill('Wind: who decides?');
  await title.press('Enter');
  await page.getByRole('heading', { name: 'Wind: who decides?' }).waitFor();
  await list.getByText('Wind: who decides?').waitFor();

  // Escape leaves it as it is.
  await page.getByRole('button', { name: 'Rename the conversation' }).click();
  await title.fill('Something else');
  await title.press('Escape');
  await page.getByRole('heading', { name: 'Wind: who decides?' }).waitFor();

  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export' }).click()]);
  assert.equal(download.suggestedFilename(), 'Wind who decides.md');
  const text = await readFile(await download.path(), 'utf8');
  assert.ok(text.includes(QUESTION) && text.includes('At 17 metres per second.') && text.includes('Are you sure?'));

  await page.getByRole('button', { name: 'Delete the conversation' }).click();
  // A notice stays while somebody is at it.
  await page.getByRole('button', { name: 'Bring it back' }).hover();
  await list.getByText('Wind: who decides?').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Bring it back' }).click();
  await page.getByRole('heading', { name: 'Wind: who decides?' }).waitFor();
  await page.getByRole('article', { name: 'Round 2' }).waitFor();
  await list.getByText('Wind: who decides?').waitFor();
  assert.deepEqual(desk.complaints, []);
});
