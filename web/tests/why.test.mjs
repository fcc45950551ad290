// View context where it is tight: what found no room and why, what the budget went to, what a turn shows
// otherwise than the one before; and what cannot be shown.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Desk } from './desk.mjs';
import { ferry } from './sample.mjs';

const MODELS = ['openai/gpt-4o'];

/** @type {Desk} */ let desk;
/** @type {string} */ let project;

before(async () => {
  desk = await Desk.open();
  project = await ferry(desk);
  await desk.go('');
});
after(() => desk.close());

test('under a small budget each item says why it was left out, and the sections add up', async () => {
  const { page } = desk;
  const asked = { project_id: project, message: 'Why are bookings refused when the wind is strong?', models: MODELS, token_budget: 450 };
  const turn = await desk.api('POST', '/api/turn', asked);
  const [{ message_id }] = turn.replies;
  const receipt = await desk.api('GET', `/api/messages/${message_id}/context`);
  await desk.go(`#/why/${message_id}`);
  const out = page.getByRole('region', { name: 'Left out', exact: true });
  await out.getByRole('article').first().waitFor();
  /** @type {{ form: string, reason: string }[]} */
  const dropped = receipt.items.filter((/** @type {{ form: string }} */ item) => item.form === 'dropped');
  assert.deepEqual(await out.getByRole('article').locator('p').allTextContents(), dropped.map(({ reason }) => reason));
  assert.match(dropped[0]?.reason ?? '', /left out: over the budget of 450 tokens/);
  await page.getByRole('region', { name: 'Files', exact: true }).getByRole('article').filter({ hasText: 'src/bookings.py' }).getByText('trimmed').waitFor();

  const budget = page.getByRole('region', { name: 'Budget' });
  await budget.getByRole('heading', { name: `${receipt.budget.used} of 450 tokens` }).waitFor();
  const parts = (await budget.getByRole('listitem').locator('.number').allTextContents()).map(Number);
  assert.equal(parts.length, 6);
  assert.equal(parts.reduce((sum, part) => sum + part, 0), 450);
  assert.equal(parts.at(-1), 450 - receipt.budget.used);
  assert.equal(await budget.getByRole('img').locator('span').count(), parts.slice(0, -1).filter((part) => part > 0).length);
});

test('each tool says what it is for, and the list of them is none', async () => {
  const { page } = desk;
  const turn = await desk.api('POST', '/api/turn', { project_id: project, message: 'Which tools are there?', models: MODELS, profile: 'lean' });
  const receipt = await desk.api('GET', `/api/messages/${turn.replies[0].message_id}/context`);
  await desk.go(`#/why/${turn.replies[0].message_id}`);
  const tools = page.getByRole('region', { name: 'Tools', exact: true });
  await tools.getByRole('heading', { name: `Tools ${receipt.tools.length}` }).waitFor();
  const search = tools.getByRole('listitem').filter({ hasText: 'search_project' });
  await search.getByText("Finds passages in the project's files and conversations").waitFor();
  assert.equal(await tools.locator('.tool p').count(), receipt.tools.length);
});

test('a fact that was given is told in its words, and one that is gone as forgotten', async () => {
  const { page } = desk;
  const text = 'The wind limit is set by the harbour master.';
  const fact = await desk.api('POST', '/api/facts', { project_id: project, text, kind: 'decision', pinned: true });
  const turn = await desk.api('POST', '/api/turn', { project_id: project, message: 'Who sets the wind limit?', models: MODELS });
  await desk.go(`#/why/${turn.replies[0].message_id}`);
  const facts = page.getByRole('region', { name: 'Facts', exact: true }).getByRole('article');
  await facts.getByText(text).waitFor();
  await desk.api('DELETE', `/api/facts/${fact.id}`);
  await page.reload();
  await facts.getByText('It has been forgotten since.').waitFor();
});

test('what is shown in another form than in the turn before is told with both', async () => {
  const { page } = desk;
  let place = {};
  let last = '';
  for (let round = 0; round < 8; round++) {
    // So long that older ones are shortened.
    const told = Array.from({ length: 40 }, (_, line) => `Sentence ${line} of answer ${round} about the harbour and its lights.`);
    desk.provider.script = () => ({ pieces: [told.join(' ')] });
    const asked = { project_id: project, ...place, message: `Question ${round} about the harbour?`, models: MODELS, profile: 'lean' };
    const turn = await desk.api('POST', '/api/turn', asked);
    place = { project_id: undefined, conversation_id: turn.conversation_id };
    last = turn.replies[0].message_id;
  }
  await desk.go(`#/why/${last}`);
  await page.getByRole('tab', { name: 'Since the last turn' }).click();
  const card = page.getByRole('region', { name: 'Shown in another form' }).getByRole('article');
  assert.match((await card.first().textContent()) ?? '', /full\s*→\s*trimmed/);
  await page.getByRole('region', { name: 'New in this turn' }).getByRole('article').first().waitFor();
});

test('a context that is not there says so, and leads back', async () => {
  const { page } = desk;
  await desk.go('#/why/msg_nowhere');
  const trouble = page.getByRole('alert');
  await trouble.getByRole('button', { name: 'Try again' }).click();
  await trouble.waitFor();
  await page.getByRole('link', { name: 'Back to the conversation' }).click();
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  assert.deepEqual(desk.complaints, []);
});
