// Everything can be done with the keyboard: each story leaves the mouse alone and goes by Tab, Enter and
// the keys that a field has of its own.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Desk } from './desk.mjs';
import { gate } from './provider.mjs';
import { FERRY } from './sample.mjs';

/** @typedef {import('playwright-core').Locator} Locator */

/** How often Tab is pressed at most on the way to something. */
const FAR = 150;

/** @type {Desk} */ let desk;

before(async () => {
  desk = await Desk.open({ serve: ['--root', FERRY] });
  await desk.go('');
  await desk.choose(['openai/gpt-4o']);
});
after(() => desk.close());

/** Goes on with Tab until something is reached. @param {Locator} place */
async function reach(place) {
  await place.waitFor();
  const isThere = () => place.evaluate((node) => node === document.activeElement);
  for (let step = 0; step < FAR && !(await isThere()); step++) await desk.page.keyboard.press('Tab');
  assert.ok(await isThere(), `not reached: ${place}`);
}

/** Reaches something and presses a key upon it. @param {Locator} place @param {string} [key] */
async function press(place, key = 'Enter') {
  await reach(place);
  await desk.page.keyboard.press(key);
}

/** Reaches a field and writes into it what it is to hold. @param {Locator} field @param {string} text */
async function write(field, text) {
  await reach(field);
  await desk.page.keyboard.press('Control+A');
  await desk.page.keyboard.type(text);
  await desk.holds(field, text);
}

/** Reaches a list and goes to one of its entries by the letters that it begins with. @param {Locator} list @param {string} entry */
async function pick(list, entry) {
  await list.locator('option', { hasText: entry }).first().waitFor({ state: 'attached' });
  await reach(list);
  await desk.page.keyboard.type(entry);
  await list.and(desk.page.locator(':focus')).waitFor();
}

/** Goes to a view by its keys. @param {string} keys */
async function go(keys) {
  // They rest while somebody writes.
  await desk.page.evaluate(() => /** @type {HTMLElement | null} */ (document.activeElement)?.blur());
  for (const key of keys) await desk.page.keyboard.press(key);
}

const button = (/** @type {string | RegExp} */ name) => desk.page.getByRole('button', { name, exact: typeof name === 'string' });
const message = () => desk.page.getByRole('textbox', { name: 'Message', exact: true });
const round = (/** @type {number} */ number) => desk.page.getByRole('article', { name: `Round ${number}` });

test('a folder is added with the button, and a file of it tagged and pinned', async () => {
  const { page } = desk;
  await go('gf');
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press(button('Add a folder'))]);
  await chooser.setFiles(FERRY);
  await page.getByText('8 files added').waitFor();
  await press(page.getByRole('link', { name: 'tariffs.py', exact: true }));
  await page.getByRole('heading', { name: 'ferry/src/tariffs.py' }).waitFor();
  await write(page.getByRole('textbox', { name: 'Add a tag' }), 'prices');
  await page.keyboard.press('Enter');
  await button('Remove the tag prices').waitFor();
  await press(page.getByRole('checkbox', { name: 'Always in context' }), 'Space');
  await page.getByTitle('Always in context').waitFor();
  await press(button('Remove the tag prices'));
  await button('Remove the tag prices').waitFor({ state: 'detached' });
});

test('something is searched for, chosen with the arrows and opened at its line', async () => {
  const { page } = desk;
  await go('/');
  const search = page.getByRole('combobox', { name: 'Search' });
  await search.and(page.locator(':focus')).waitFor();
  await page.keyboard.type('cancelled gusts');
  const hit = page.getByRole('option', { name: /decisions\.md/ }).first();
  await hit.waitFor();
  await page.waitForURL(/q=cancelled\+gusts/);
  const isChosen = async () => (await hit.getAttribute('aria-selected')) === 'true';
  for (let step = 0; step < 30 && !(await isChosen()); step++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'ferry/docs/decisions.md' }).waitFor();
  await page.locator('tr.wanted').first().waitFor();
});

test('models and projects are switched, and an answer is stopped and asked for again', async () => {
  const { page } = desk;
  await desk.api('POST', '/api/projects', { name: 'island' });
  await go('gt');
  await pick(page.getByRole('combobox', { name: 'Project' }), 'island');
  await page.getByRole('heading', { name: 'Ask about island' }).waitFor();

  await press(button('Models: GPT-4o'));
  const sheet = page.getByRole('dialog', { name: 'Whom to ask' });
  await write(sheet.getByRole('searchbox', { name: 'Filter models' }), 'gpt-4.1-mini');
  await press(sheet.getByLabel(/openai\/gpt-4\.1-mini/), 'Space');
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  await button('Models: 2 models').and(page.locator(':focus')).waitFor();

  const never = gate();
  desk.provider.script = () => ({ pieces: ['It begins ', never.wait] });
  await write(message(), 'Tell me everything.');
  await page.keyboard.press('Enter');
  const [first, second] = ['Answer of GPT-4o', 'Answer of GPT-4.1 mini'].map((name) => page.getByRole('region', { name }));
  assert.ok(first && second);
  await first.getByText('It begins').waitFor();
  await second.getByText('It begins').waitFor();
  // One of them, and then the rest with the button beside what is written.
  await press(button('Stop GPT-4.1 mini'));
  await second.getByText('stopped', { exact: true }).waitFor();
  await press(button('Stop'));
  await first.getByText('stopped', { exact: true }).waitFor();
  never.open();
  desk.provider.script = ({ model }) => ({ pieces: [`All of it, says ${model}.`] });
  for (const [answer, model] of /** @type {[Locator, string][]} */ ([[first, 'gpt-4o'], [second, 'gpt-4.1-mini']])) {
    await press(answer.getByRole('button', { name: 'Ask again' }));
    await answer.getByText(`All of it, says ${model}.`).waitFor();
    await answer.getByText('View context').waitFor();
  }
});

test('one answer is continued, a question edited, and the branches are gone through', async () => {
  const { page } = desk;
  const first = page.url();
  await press(page.getByRole('region', { name: 'Answer of GPT-4.1 mini' }).getByRole('button', { name: 'Continue with this' }));
  await page.getByRole('region', { name: 'Answer of GPT-4o' }).waitFor({ state: 'detached' });
  const continued = page.url();
  assert.notEqual(continued, first);
  desk.provider.script = () => ({ pieces: ['Certainly.'] });
  await write(message(), 'Are you sure?');
  await page.keyboard.press('Enter');
  await round(2).getByText('View context').first().waitFor();
  await press(round(2).getByRole('button', { name: 'Edit in a branch' }));
  desk.provider.script = () => ({ pieces: ['Hardly anything.'] });
  await write(round(2).getByRole('textbox', { name: 'Edited question' }), 'Tell me little.');
  await press(round(2).getByRole('button', { name: 'Ask in a branch' }));
  await round(2).getByText('Hardly anything.').first().waitFor();
  await round(2).getByText('View context').first().waitFor();
  const edited = page.url();

  // Back from branch to branch, each time to the message where it was left.
  await press(page.getByRole('link', { name: /^Branch of/ }));
  await round(2).locator('.question.marked').getByText('Are you sure?').waitFor();
  assert.equal(page.url().split('?')[0], continued);
  await press(page.getByRole('link', { name: /^Branch of/ }));
  await page.locator('.reply.marked').getByText('All of it, says gpt-4.1-mini.').waitFor();
  assert.equal(page.url().split('?')[0], first);
  // And there again, from those messages.
  const answer = page.getByRole('region', { name: 'Answer of GPT-4.1 mini' });
  await press(answer.getByRole('list', { name: 'Branches from here' }).getByRole('link'));
  await page.waitForURL(continued);
  await press(round(2).locator('.question').getByRole('list', { name: 'Branches from here' }).getByRole('link'));
  await page.waitForURL(edited);
  await round(2).getByText('Hardly anything.').first().waitFor();

  // What both sides have in common is found once.
  await go('/');
  await page.getByRole('combobox', { name: 'Search' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.type('"says gpt-4.1-mini"');
  await page.getByRole('option').first().waitFor();
  await page.waitForURL(/q=%22says/);
  assert.equal(await page.getByRole('option').count(), 1);
  await page.keyboard.press('Enter');
  await page.locator('.reply.marked').waitFor();
  assert.equal(page.url().split('?')[0], first);
});

test('a fact is written down, pinned and forgotten', async () => {
  const { page } = desk;
  await go('ge');
  await press(button('Add a fact').first());
  const sheet = page.getByRole('dialog', { name: 'Add a fact' });
  await write(sheet.getByRole('textbox').first(), 'The pier is closed in winter.');
  await press(sheet.getByRole('button', { name: 'Add it' }));
  const fact = page.getByRole('listitem', { name: 'The pier is closed in winter.' });
  await press(fact.getByRole('button', { name: 'Pin' }));
  await fact.getByText('pinned', { exact: true }).waitFor();
  await press(fact.getByRole('button', { name: 'Forget' }));
  await press(page.getByRole('dialog', { name: 'Forget this fact?' }).getByRole('button', { name: 'Forget it' }));
  await fact.waitFor({ state: 'detached' });
});

test('a persona is made and talked with', async () => {
  const { page } = desk;
  desk.provider.script = () => ({ pieces: ['Breathe in.'] });
  await go('gp');
  await press(button('New persona').first());
  const sheet = page.getByRole('dialog', { name: 'New persona' });
  await write(sheet.getByLabel('Name'), 'Ada');
  await pick(sheet.getByLabel('Made of'), 'Calm Counselor');
  await press(sheet.getByRole('button', { name: 'Make it' }));
  await write(page.getByRole('textbox', { name: 'Message to Ada' }), 'I am late.');
  await press(button('Say it'));
  await page.getByText('Breathe in.').waitFor();
  await button('Say it').waitFor();
  await press(button('Extend'));
  await page.getByText(/expires in/).first().waitFor();
});

test('an assistant is consulted, and its session begun anew', async () => {
  const { page } = desk;
  await go('gc');
  await press(button('Consult an assistant').first());
  const sheet = page.getByRole('dialog', { name: 'Consult an assistant' });
  await pick(sheet.getByLabel('Assistant'), 'builtin');
  await write(sheet.getByLabel('Name of the session'), 'review');
  await write(sheet.getByLabel('Files and folders'), FERRY);
  await write(sheet.getByLabel('What it is to do'), 'Who sets the wind limit?');
  await press(sheet.getByRole('button', { name: 'Ask', exact: true }));
  await sheet.getByText(/files sent/).waitFor();
  await page.keyboard.press('Escape');
  await press(page.getByRole('link', { name: /builtin · 1 round/ }));
  await page.getByRole('heading', { name: /of the session's window/ }).waitFor();
  await Promise.all([page.getByText('The next call sends all files anew.').waitFor(), press(button('Send all files anew'))]);
});

test('a setting is changed and forgotten, and a project made', async () => {
  const { page } = desk;
  await go('gm');
  await write(page.getByRole('textbox', { name: 'user.role' }), 'harbour master');
  await page.keyboard.press('Enter');
  await press(button('Forget user.role'));
  await button('Forget user.role').waitFor({ state: 'detached' });
  await pick(page.getByRole('combobox', { name: 'consult.shadow' }), 'true');
  await press(button('Forget consult.shadow'));
  await button('Forget consult.shadow').waitFor({ state: 'detached' });

  await go('gt');
  await press(button('New project'));
  const name = page.getByRole('textbox', { name: 'Name of the new project' });
  await name.and(page.locator(':focus')).waitFor();
  await page.keyboard.type('lagoon');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Welcome to Dossier' }).or(page.getByRole('heading', { name: 'Ask about lagoon' })).waitFor();
  assert.deepEqual(desk.complaints, []);
});
