// Talking with one model and with several: streams, failures, branches, and what each was given.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Desk } from './desk.mjs';
import { gate } from './provider.mjs';
import { ANSWERS, ferry, QUESTION, THREE } from './sample.mjs';

/** @type {Desk} */ let desk;

before(async () => {
  desk = await Desk.open();
  await ferry(desk);
  await desk.go('');
});
after(() => desk.close());

test('three models answer side by side, and the one that fails can be asked again', async () => {
  let isDown = true;
  desk.provider.script = ({ model }) =>
    model === 'gpt-4.1-mini' && isDown
      ? { status: 400, message: 'the model is away' }
      : { pieces: [ANSWERS[model] ?? 'A title'] };
  await desk.choose(THREE);
  await desk.ask(QUESTION);
  const failed = desk.page.getByRole('region', { name: 'Answer of GPT-4.1 mini' });
  await failed.getByText('the model is away').waitFor();
  await desk.page.getByRole('region', { name: 'Answer of GPT-4o' }).getByText('View context').waitFor();
  await desk.page.getByRole('region', { name: 'Answer of GPT-4.1', exact: true }).getByText('View context').waitFor();
  assert.equal(await failed.getByText('View context').count(), 0);

  // It is all there after a reload, the failure too.
  await desk.page.reload();
  await failed.getByText('the model is away').waitFor();
  isDown = false;
  await failed.getByRole('button', { name: 'Ask again' }).click();
  await failed.getByText('The harbour master decides').waitFor();
  await failed.getByText('View context').waitFor();
  assert.deepEqual(desk.complaints, []);
});

test('View context shows what the model was given, what was left out, and the exact messages', async () => {
  const { page } = desk;
  await page.getByRole('region', { name: 'Answer of GPT-4o' }).getByRole('link', { name: 'View context' }).click();
  await page.getByRole('heading', { name: QUESTION }).waitFor();
  for (const title of ['Rules', 'References', 'Tools', 'Files', 'Messages', 'Facts', 'Left out', 'Budget']) {
    await page.getByRole('region', { name: title, exact: true }).waitFor();
  }
  // Rules are numbered by their place in the prompt.
  const rules = page.getByRole('region', { name: 'Rules', exact: true }).getByRole('article');
  assert.match((await rules.first().textContent()) ?? '', /001.*always/s);
  const found = page.getByRole('region', { name: 'Files', exact: true });
  const card = found.getByRole('article').filter({ hasText: 'src/bookings.py:1-33' });
  await card.getByText('found', { exact: true }).waitFor();
  assert.match((await card.textContent()) ?? '', /\d+ tokens.*score \d\.\d\d.*words/s);

  await page.getByRole('tab', { name: 'Exact messages' }).click();
  const question = page.getByRole('listitem').last();
  await question.getByText(QUESTION).waitFor();
  const sent = desk.provider.asked.find(({ model }) => model === 'gpt-4o');
  const shown = await page.locator('ol pre').allTextContents();
  assert.deepEqual(shown, sent?.messages.map(({ content }) => content));

  await page.getByRole('tab', { name: 'Since the last turn' }).click();
  await page.getByText('This is the first turn').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('region', { name: 'Answer of GPT-4o' }).waitFor();
});

test('later turns tell what changed and how much of the prompt is as before', async () => {
  const { page } = desk;
  desk.provider.script = () => ({ pieces: ['At 17 metres per second.'] });
  await desk.choose(['openai/gpt-4o']);
  await desk.ask('And at which speed exactly?');
  const round = page.getByRole('article', { name: 'Round 2' });
  await round.getByRole('link', { name: 'View context' }).click();
  await page.getByRole('tab', { name: 'Since the last turn' }).click();
  await page.getByRole('heading', { name: /^\d+ % of the prompt begins as the turn before$/ }).waitFor();
  await page.keyboard.press('Escape');
  await round.getByText('At 17 metres per second.').waitFor();

  // A third one is shown what was said before it.
  await desk.ask('Who may lift the limit?');
  const third = page.getByRole('article', { name: 'Round 3' });
  await third.getByRole('link', { name: 'View context' }).click();
  const said = page.getByRole('region', { name: 'Messages', exact: true });
  await said.getByRole('link', { name: 'You, round 2' }).waitFor();
  await said.getByText('recent', { exact: true }).first().waitFor();
  const [, share] = /(\d+) of [\d,]+ tokens used/.exec((await page.getByRole('img', { name: /tokens used$/ }).getAttribute('aria-label')) ?? '') ?? [];
  assert.ok(Number(share) > 0);
  await page.getByRole('tab', { name: 'Since the last turn' }).click();
  await page.getByRole('region', { name: 'New in this turn' }).getByText('You, round 2').waitFor();
  await page.getByText(/^\d+ items? as before\.$/).waitFor();
  const same = page.getByRole('heading', { name: /^\d+ % of the prompt begins as the turn before$/ });
  assert.ok(Number.parseInt((await same.textContent()) ?? '', 10) > 0);
  await page.keyboard.press('Escape');
  await third.waitFor();
});

test('one of the answers is continued in a branch that holds no other', async () => {
  const { page } = desk;
  const first = page.getByRole('article', { name: 'Round 1' });
  const answer = first.getByRole('region', { name: 'Answer of GPT-4.1', exact: true });
  await answer.getByRole('button', { name: 'Continue with this' }).click();
  await page.getByRole('article', { name: 'Round 2' }).waitFor({ state: 'detached' });
  await answer.getByText('harbour master decided it in March').waitFor();
  assert.equal(await page.getByRole('region', { name: /^Answer of/ }).count(), 1);
  // What its model was given is known on this side as well.
  const here = page.url();
  await answer.getByRole('link', { name: 'View context' }).click();
  await page.getByRole('tab', { name: 'Exact messages' }).waitFor();
  await page.goto(here);
  await desk.ask('Go on.');
  await page.getByRole('article', { name: 'Round 2' }).getByText('View context').waitFor();
});

test('a question that is edited is asked in a branch, and the old one stays', async () => {
  const { page } = desk;
  const before = page.url();
  const round = page.getByRole('article', { name: 'Round 2' });
  await round.getByRole('button', { name: 'Edit in a branch' }).click();
  await round.getByRole('textbox', { name: 'Edited question' }).fill('Go on, but briefly.');
  desk.provider.script = () => ({ pieces: ['Briefly, then.'] });
  await round.getByRole('button', { name: 'Ask in a branch' }).click();
  await round.getByText('Briefly, then.').waitFor();
  await round.getByText('Go on, but briefly.').waitFor();
  await round.getByText('View context').waitFor();
  assert.notEqual(page.url(), before);
  await page.goto(before);
  await round.getByText('Go on.', { exact: true }).waitFor();
});

test('a reload in the middle of a stream resumes it', async () => {
  const { page } = desk;
  const rest = gate();
  desk.provider.script = () => ({ pieces: ['The first half, ', rest.wait, 'and the second.'] });
  await page.getByRole('link', { name: 'New conversation' }).click();
  await page.getByRole('article').first().waitFor({ state: 'detached' });
  await desk.ask('Tell me slowly.');
  await page.getByText('The first half,').waitFor();
  await page.waitForURL(/#\/talk\/thr_/);
  await page.reload();
  await page.getByText('The first half,').waitFor();
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  rest.open();
  await page.getByText('The first half, and the second.').waitFor();
  await page.getByText('View context').waitFor();
  // The model was not asked a second time.
  const asked = desk.provider.asked.filter(({ model, messages }) => model === 'gpt-4o' && JSON.stringify(messages.at(-1)).includes('Tell me slowly'));
  assert.equal(asked.length, 1);
});

test('an answer is stopped, and another tab sees what became of it', async () => {
  const { page } = desk;
  const never = gate();
  desk.provider.script = () => ({ pieces: ['It goes on ', never.wait] });
  await desk.ask('Tell me everything.');
  await page.getByText('It goes on').waitFor();
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByText('It goes on').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('stopped', { exact: true }).waitFor();
  await other.getByText('stopped', { exact: true }).waitFor();
  never.open();
  await other.close();
  assert.deepEqual(desk.complaints, []);
});

test('one answer of several is stopped, and the others go on', async () => {
  const { page } = desk;
  const [never, rest] = [gate(), gate()];
  desk.provider.script = ({ model }) =>
    model === 'gpt-4o' ? { pieces: ['I hesitate ', never.wait] } : { pieces: ['I go on ', rest.wait, 'to the end.'] };
  await desk.choose(['openai/gpt-4o', 'openai/gpt-4.1']);
  await page.getByRole('link', { name: 'New conversation' }).click();
  await page.getByRole('article').first().waitFor({ state: 'detached' });
  await desk.ask('Both of you.');
  const stopped = page.getByRole('region', { name: 'Answer of GPT-4o' });
  const other = page.getByRole('region', { name: 'Answer of GPT-4.1', exact: true });
  await stopped.getByText('I hesitate').waitFor();
  await other.getByText('I go on').waitFor();
  await page.getByRole('button', { name: 'Stop GPT-4o' }).click();
  await stopped.getByText('stopped', { exact: true }).waitFor();
  // The last one is stopped with the turn.
  assert.equal(await page.getByRole('button', { name: 'Stop GPT-4.1' }).count(), 0);
  rest.open();
  await other.getByText('I go on to the end.').waitFor();
  await other.getByText('View context').waitFor();
  assert.equal(await stopped.getByText('View context').count(), 0);
  never.open();
  await desk.choose(['openai/gpt-4o']);
  assert.deepEqual(desk.complaints, []);
});

test('the tools that were used for an answer are told after a reload too', async () => {
  const { page } = desk;
  desk.provider.script = ({ messages }) =>
    messages.some(({ role }) => role === 'tool')
      ? { pieces: ['It holds a rule.'] }
      : { pieces: [{ tool: 'read_project_file', arguments: JSON.stringify({ path: 'docs/decisions.md' }) }] };
  await page.getByRole('combobox', { name: 'Profile' }).selectOption('project');
  await page.getByRole('link', { name: 'New conversation' }).click();
  await page.getByRole('article').first().waitFor({ state: 'detached' });
  await desk.ask('Read the decisions.');
  const answer = page.getByRole('region', { name: 'Answer of GPT-4o' });
  await answer.getByText('View context').waitFor();
  await page.reload();
  await answer.getByText('It holds a rule.').waitFor();
  await answer.getByText('read_project_file').waitFor();
  await answer.getByText('docs/decisions.md').waitFor();

  // And the context says which it was offered.
  await answer.getByRole('link', { name: 'View context' }).click();
  const offered = page.getByRole('region', { name: 'Tools', exact: true });
  await offered.getByText('offered').first().waitFor();
  const names = await offered.locator('.tool .mono').allTextContents();
  assert.deepEqual(names, ['dossier/list_project_files', 'dossier/read_project_file', 'dossier/search_project']);
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'Profile' }).selectOption('');
});

test('what a model thought is shown while it comes, and after a reload', async () => {
  const { page } = desk;
  const rest = gate();
  desk.provider.script = () => ({ pieces: [{ thought: 'The wind ' }, { thought: 'comes first.' }, rest.wait, 'Wind first.'] });
  await page.getByRole('link', { name: 'New conversation' }).click();
  await page.getByRole('article').first().waitFor({ state: 'detached' });
  await desk.ask('What comes first?');
  const answer = page.getByRole('region', { name: 'Answer of GPT-4o' });
  await answer.getByText('Thoughts').click();
  await answer.getByText('The wind comes first.').waitFor();
  rest.open();
  await answer.getByText('View context').waitFor();
  await page.reload();
  await answer.getByText('Wind first.').waitFor();
  await answer.getByText('Thoughts').click();
  await answer.getByText('The wind comes first.').waitFor();
});

test('an answer from the cache says so, also after a reload, and the model can be asked anew', async () => {
  const { page } = desk;
  const project = await desk.api('POST', '/api/projects', { name: 'kept', settings: { enable_semantic_cache: true } });
  const request = { project_id: project.id, message: 'When is high tide?', models: ['openai/gpt-4o'] };
  desk.provider.script = () => ({ pieces: ['At noon.'] });
  await desk.api('POST', '/api/turn', request);
  desk.provider.script = () => ({ pieces: ['At one.'] });
  const { conversation_id } = await desk.api('POST', '/api/turn', request);
  await desk.go(`#/talk/${conversation_id}`);
  const answer = page.getByRole('region', { name: 'Answer of GPT-4o' });
  await answer.getByText('At noon.').waitFor();
  await answer.getByText('from the cache').waitFor();
  await answer.getByText(/^kept since \w+ \d+, \d+/).waitFor();
  await answer.getByRole('link', { name: 'View context' }).click();
  await page.getByText('No model was asked').waitFor();
  await page.keyboard.press('Escape');
  await answer.getByRole('button', { name: 'Ask anew' }).click();
  await answer.getByText('At one.').waitFor();
  await answer.getByText('View context').waitFor();
  assert.equal(await answer.getByText('from the cache').count(), 0);
  assert.notEqual(page.url().split('/').at(-1), conversation_id);
  await page.getByRole('link', { name: 'New conversation' }).click();
  await page.getByRole('article').first().waitFor({ state: 'detached' });
});

test('the forecast tells what a question would take before it is asked', async () => {
  const { page } = desk;
  await page.getByRole('textbox', { name: 'Message' }).fill(QUESTION);
  await page.getByRole('button', { name: 'Forecast of this question' }).click();
  const sheet = page.getByRole('dialog', { name: 'What this question would take' });
  await sheet.getByText(/of context · .* of a window of/).waitFor();
  // Titles are asked of smaller models whenever there is time.
  const asked = () => desk.provider.asked.filter(({ model }) => model === 'gpt-4o').length;
  const before = asked();
  await sheet.getByText('The exact prompt').click();
  await sheet.locator('pre').filter({ hasText: QUESTION }).waitFor();
  assert.equal(asked(), before);
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  await page.getByRole('textbox', { name: 'Message' }).fill('');
});

test('files that are dropped and pasted go with the question', async () => {
  const { page } = desk;
  desk.provider.script = () => ({ pieces: ['I have read it.'] });
  await page.getByRole('textbox', { name: 'Message' }).evaluate((node) => {
    const holding = (/** @type {string} */ name, /** @type {string} */ text) => {
      const held = new DataTransfer();
      held.items.add(new File([text], name, { type: 'text/plain' }));
      return held;
    };
    const how = { bubbles: true, cancelable: true };
    const clipboardData = holding('tide.txt', 'High water at 04:12.');
    node.dispatchEvent(new ClipboardEvent('paste', { ...how, clipboardData }));
    const dataTransfer = holding('moon.txt', 'The moon is full.');
    node.dispatchEvent(new DragEvent('drop', { ...how, dataTransfer }));
  });
  await page.getByRole('button', { name: 'Remove tide.txt' }).waitFor();
  await page.getByRole('button', { name: 'Remove moon.txt' }).waitFor();
  await desk.ask('When is high water?');
  await page.getByText('I have read it.').waitFor();
  const asked = desk.provider.asked.map(({ messages }) => JSON.stringify(messages));
  assert.ok(asked.some((text) => text.includes('High water at 04:12.') && text.includes('The moon is full.')));

  // After a reload they still stand apart from the words, and come along when those are edited.
  await page.getByText('View context').last().waitFor();
  await page.reload();
  const round = page.getByRole('article').last();
  await round.getByText('When is high water?', { exact: true }).waitFor();
  await round.getByText('tide.txt').click();
  await round.getByText('High water at 04:12.', { exact: true }).waitFor();
  desk.provider.script = () => ({ pieces: ['I have read it again.'] });
  const before = desk.provider.asked.length;
  await round.getByRole('button', { name: 'Edit in a branch' }).click();
  await round.getByRole('textbox', { name: 'Edited question' }).fill('When is low water?');
  await round.getByRole('button', { name: 'Ask in a branch' }).click();
  await page.getByText('I have read it again.').waitFor();
  const later = desk.provider.asked.slice(before).map(({ messages }) => JSON.stringify(messages.at(-1)));
  assert.ok(later.some((text) => text.includes('When is low water?') && text.includes('The moon is full.')));
});

test('an edited question takes its images and its profile along, and says when an image is gone', async () => {
  const { page } = desk;
  /** What the model was last sent of images, and how it was asked. */
  const last = async () => {
    const images = JSON.stringify(desk.provider.asked.findLast(({ model }) => model === 'gpt-4o')?.messages.at(-1)).match(/data:image\/png/g) ?? [];
    const message = (await page.getByRole('link', { name: 'View context' }).last().getAttribute('href'))?.split('/').at(-1);
    const { profile } = await desk.api('GET', `/api/messages/${message}/context`);
    return { images: images.length, profile };
  };
  const edit = async (/** @type {string} */ question, /** @type {string} */ answer) => {
    desk.provider.script = () => ({ pieces: [answer] });
    const round = page.getByRole('article').last();
    await round.getByRole('button', { name: 'Edit in a branch' }).click();
    await round.getByRole('textbox', { name: 'Edited question' }).fill(question);
    await round.getByRole('button', { name: 'Ask in a branch' }).click();
    await page.getByText(answer).waitFor();
    await page.getByRole('link', { name: 'View context' }).last().waitFor();
  };
  desk.provider.script = () => ({ pieces: ['A lighthouse.'] });
  await page.getByRole('combobox', { name: 'Profile' }).selectOption('project');
  await page.getByRole('link', { name: 'New conversation' }).click();
  await page.getByRole('article').first().waitFor({ state: 'detached' });
  await page.getByRole('textbox', { name: 'Message' }).evaluate((node) => {
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const bytes = Uint8Array.from(atob(pixel), (letter) => letter.charCodeAt(0));
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([bytes], 'light.png', { type: 'image/png' }));
    node.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }));
  });
  await page.getByRole('button', { name: 'Remove light.png' }).waitFor();
  await desk.ask('What is this?');
  await page.getByText('A lighthouse.').waitFor();
  await page.getByRole('link', { name: 'View context' }).last().waitFor();
  assert.deepEqual(await last(), { images: 1, profile: 'project' });
  await page.getByRole('combobox', { name: 'Profile' }).selectOption('');

  await edit('And where is it?', 'On the pier.');
  assert.deepEqual(await last(), { images: 1, profile: 'project' });
  assert.equal(await page.getByText('goes without its images').count(), 0);

  // The server keeps no image, and another tab does not have it.
  await page.reload();
  await edit('And how high is it?', 'Nobody knows.');
  assert.deepEqual(await last(), { images: 0, profile: 'project' });
  await page.getByText('goes without its images').waitFor();
  await page.getByRole('button', { name: 'Dismiss' }).click();
});

test('any answer can be asked for anew, in a branch, and the first stays', async () => {
  const { page } = desk;
  desk.provider.script = () => ({ pieces: ['The first answer.'] });
  await page.getByRole('link', { name: 'New conversation' }).click();
  await page.getByRole('article').first().waitFor({ state: 'detached' });
  await desk.ask('Is it open?');
  const [first, second] = [1, 2].map((number) => page.getByRole('article', { name: `Round ${number}` }));
  await first?.getByText('View context').waitFor();
  await desk.ask('Are you sure?');
  await second?.getByText('View context').waitFor();
  const before = page.url();
  desk.provider.script = () => ({ pieces: ['Another answer.'] });
  await second?.getByRole('button', { name: 'Ask anew' }).click();
  await second?.getByText('Another answer.').waitFor();
  await second?.getByText('Are you sure?').waitFor();
  await first?.getByText('The first answer.').waitFor();
  assert.notEqual(page.url(), before);
  await page.goto(before);
  await second?.getByText('The first answer.').waitFor();
});

test('how long models think is chosen where one of them can', async () => {
  const { page } = desk;
  await page.getByRole('link', { name: 'New conversation' }).click();
  await desk.choose(['openai/gpt-4o']);
  const thinking = page.getByRole('combobox', { name: 'Thinking' });
  assert.equal(await thinking.count(), 0);
  await desk.choose(['openai/gpt-5']);
  await thinking.selectOption('high');
  desk.provider.script = () => ({ pieces: ['After some thought: yes.'] });
  await desk.ask('Is that wise?');
  await page.getByText('After some thought: yes.').waitFor();
  const asked = desk.provider.asked.find(({ messages }) => JSON.stringify(messages).includes('Is that wise?'));
  assert.match(JSON.stringify(asked), /"reasoning_effort":"high"/);
  await thinking.selectOption('');
  await desk.choose(['openai/gpt-4o']);
});

test('a question that cannot be asked comes back to be mended', async () => {
  const { page } = desk;
  await page.route('**/api/turn', (route) =>
    route.fulfill({
      status: 402,
      contentType: 'application/problem+json',
      body: JSON.stringify({ code: 'over_budget', status: 402, detail: 'the budget of the day is spent' }),
    }),
  );
  await desk.ask('Is there money left?');
  await page.getByText('The budget of the day is spent.').waitFor();
  await desk.holds(page.getByRole('textbox', { name: 'Message' }), 'Is there money left?');
  await page.unroute('**/api/turn');
});
