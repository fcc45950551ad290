// Every view in both themes: no serious fault of accessibility, and a picture of it. And everything
// can be done with the keyboard, and on a narrow screen.
import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Desk } from './desk.mjs';
import { ANSWERS, FERRY, ferry, QUESTION, THREE } from './sample.mjs';

const PICTURES = process.env['DOSSIER_TEST_PICTURES'] ?? '../.test/pictures';
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** @type {Desk} */ let desk;
/**
 * The addresses of the views, with what shows that they are there; and the tab that is meant.
 * @type {[string, string, string, string?][]}
 */
let views = [];

before(async () => {
  desk = await Desk.open({ serve: ['--root', FERRY] });
  await mkdir(PICTURES, { recursive: true });
  desk.provider.script = ({ model }) => ({ pieces: [ANSWERS[model] ?? 'Limits of the crossing'] });
  const project = await ferry(desk);
  const compared = await desk.api('POST', '/api/turn', { project_id: project, message: QUESTION, models: THREE });
  await desk.api('PUT', `/api/conversations/${compared.conversation_id}/title`, { title: 'Refused bookings' });
  const first = { project_id: project, message: 'Who sets the wind limit?', models: ['openai/gpt-4o'] };
  const turn = await desk.api('POST', '/api/turn', first);
  const persona = await desk.api('POST', '/api/personas', { name: 'Ada', preset_id: 'calm_counselor' });
  await desk.api('POST', `/api/personas/${persona.id}/chat`, { message: 'The ferry was late again.', model: 'openai/gpt-4o' });
  const asked = { assistant: 'builtin', session_id: 'review', instructions: 'Who sets the wind limit?', context: [FERRY], project_id: project };
  await desk.api('POST', '/api/consult', asked);
  const { sessions } = await desk.api('GET', '/api/consult/sessions');
  const thread = turn.conversation_id;
  await desk.api('PUT', `/api/conversations/${thread}/title`, { title: 'The wind limit' });
  const log = Array.from({ length: 200 }, (_, place) => `booking ${place} ${place % 50 ? 'accepted' : 'refused: too much wind'}`);
  const ref = await desk.api('POST', '/api/refs', { content: log.join('\n'), file: 'bookings.log', project_id: project });
  for (const [text, kind, pinned] of [
    ['A crossing is cancelled when gusts above 17 metres per second are forecast.', 'decision', true],
    ['The harbour master sets the wind limit.', 'entity', false],
    ['The timetable is printed by Agnes.', 'task', false],
  ]) {
    await desk.api('POST', '/api/facts', { project_id: project, text, kind, pinned, tags: ['harbour'] });
  }
  const again = { conversation_id: thread, message: 'And who may lift it?', models: ['openai/gpt-4o'] };
  const second = await desk.api('POST', '/api/turn', again);
  views = [
    ['talk', `#/talk/${compared.conversation_id}`, 'View context'],
    ['context', `#/why/${compared.replies[0].message_id}`, 'Left out'],
    ['context-later', `#/why/${second.replies[0].message_id}`, 'round 1'],
    ['context-exact', `#/why/${second.replies[0].message_id}`, 'Copy', 'Exact messages'],
    ['context-since', `#/why/${second.replies[0].message_id}`, 'begins as the turn before', 'Since the last turn'],
    ['welcome', '#/talk', 'Ask about ferry'],
    ['files', `#/files/${project}?path=src/bookings.py&lines=10-16`, 'Always in context'],
    ['search', '#/search?q=wind+limit', 'decisions.md'],
    ['facts', '#/memory', 'printed by Agnes'],
    ['refs', `#/memory/refs/${ref.id}`, 'shorter in short'],
    ['models', '#/models', 'Per million'],
    ['usage', '#/usage', 'Tokens by component'],
    ['personas', `#/personas/${persona.id}`, 'late again'],
    ['consult', `#/consult/${sessions[0].id}`, 'of the session'],
  ];
  await desk.go('');
  await desk.choose(THREE);
});
after(() => desk.close());

/** The serious faults that axe finds on the page. */
async function faults() {
  await desk.page.evaluate(axe);
  /** @type {import('axe-core').AxeResults} */
  const { violations } = await desk.page.evaluate('axe.run({ resultTypes: ["violations"] })');
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

for (const theme of ['light', 'dark']) {
  test(`no view has a serious fault in the ${theme} theme`, async () => {
    await desk.page.evaluate((theme) => localStorage.setItem('dossier.theme', theme), theme);
    await desk.page.reload();
    for (const [name, hash, text, tab] of views) {
      await desk.go(hash);
      if (tab) await desk.page.getByRole('tab', { name: tab }).click();
      await desk.page.getByText(new RegExp(text, 'i')).first().waitFor();
      await desk.page.evaluate(() => document.fonts.ready);
      if (name === 'talk') await desk.page.locator('a.citation').nth(4).waitFor();
      await desk.page.screenshot({ path: join(PICTURES, `${name}-${theme}.png`) });
      assert.deepEqual(await faults(), [], name);
    }
  });
}

/** Where a sheet is opened, by what, its name, and what is in it. @type {[string, string | RegExp, string, string][]} */
const SHEETS = [
  ['#/talk', /^Models:/, 'Whom to ask', 'GPT-4.1 mini'],
  ['#/talk', 'Change the project', 'Project', 'What it is about'],
  ['#/memory', 'Add a fact', 'Add a fact', 'nothing closes it'],
  ['#/memory/refs', 'Store a content', 'Store a content', 'Or a file'],
  ['#/personas', 'Presets', 'Presets', 'Calm Counselor'],
  ['#/personas', 'New persona', 'New persona', 'Days without talk'],
  ['#/consult', 'Consult an assistant', 'Consult an assistant', 'What it is to do'],
  ['#/models', 'Set up a provider', 'Set up a provider', 'Address'],
  ['#/models', 'Change openai', 'Change openai', 'Protocol'],
  ['#/usage', 'Keyboard shortcuts', 'Keyboard shortcuts', 'Begin a new conversation'],
  ['#/memory', /^Forget/, 'Forget this fact?', 'Cancel'],
  ['#/memory', /^Edit/, 'Edit the fact', 'Kind'],
];
/** Looks for faults in either theme. @param {string} what */
async function isSound(what) {
  const { page } = desk;
  for (const theme of ['light', 'dark']) {
    await page.evaluate((theme) => (document.documentElement.dataset['theme'] = theme), theme);
    assert.deepEqual(await faults(), [], `${what}, ${theme}`);
  }
}

for (const [hash, button, name, text] of SHEETS) {
  test(`the sheet “${name}” has no serious fault in either theme, and goes with Escape`, async () => {
    const { page } = desk;
    await desk.go(hash);
    await page.getByRole('button', { name: button }).first().click();
    const sheet = page.getByRole('dialog', { name, exact: true });
    await sheet.getByText(text).first().waitFor();
    await isSound(name);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    // The focus is where it was.
    await page.getByRole('button', { name: button }).first().and(page.locator(':focus')).waitFor();
  });
}

test('the forecast, an edited question and the sheet for a token have no serious fault either', async () => {
  const { page } = desk;
  const [[, talk = ''] = []] = views;
  await desk.go(talk);
  await page.getByRole('textbox', { name: 'Message' }).fill(QUESTION);
  await page.getByRole('button', { name: 'Forecast of this question' }).click();
  await page.getByRole('dialog', { name: 'What this question would take' }).getByText('The exact prompt').first().click();
  await page.getByRole('dialog').locator('pre').first().waitFor();
  await isSound('forecast');
  await page.keyboard.press('Escape');
  await page.getByRole('textbox', { name: 'Message' }).fill('');
  await page.getByRole('button', { name: 'Edit in a branch' }).click();
  await page.getByRole('textbox', { name: 'Edited question' }).waitFor();
  await isSound('edited question');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Rename the conversation' }).click();
  await page.getByRole('textbox', { name: 'Title' }).waitFor();
  await isSound('title');
  await page.keyboard.press('Escape');
  await page.route('**/api/usage?*', (route) => route.fulfill({ status: 401, json: {} }));
  await desk.go('#/usage');
  await page.getByRole('dialog', { name: 'This server wants an access token' }).getByLabel('Token').waitFor();
  await isSound('token');
  await page.unroute('**/api/usage?*');
  await page.reload();
});

test('a question is asked, its context looked at and come back from with Tab and Enter alone', async () => {
  const { page } = desk;
  await desk.go('#/talk');
  await desk.choose(['openai/gpt-4o']);
  /** Goes on with Tab until something is reached. @param {import('playwright-core').Locator} place */
  const reach = async (place) => {
    const isThere = () => place.evaluate((node) => node === document.activeElement);
    for (let step = 0; step < 60 && !(await isThere()); step++) await page.keyboard.press('Tab');
    assert.ok(await isThere());
  };
  const context = page.getByRole('link', { name: 'View context' });
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  await reach(page.getByRole('textbox', { name: 'Message' }));
  await page.keyboard.type('Who sets the limit?');
  await reach(page.getByRole('button', { name: 'Send' }));
  await page.keyboard.press('Enter');
  await context.waitFor();
  await reach(context);
  for (const leave of [
    () => page.keyboard.press('Escape'),
    async () => {
      await reach(page.getByRole('link', { name: 'Back to the conversation' }));
      await page.keyboard.press('Enter');
    },
  ]) {
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'What it was given' }).waitFor();
    await leave();
    await context.and(page.locator(':focus')).waitFor();
  }
  // What is edited in place gives the focus back as well.
  const edit = page.getByRole('button', { name: 'Edit in a branch' });
  const rename = page.getByRole('button', { name: 'Rename the conversation' });
  for (const opener of [edit, rename]) {
    await opener.focus();
    await page.keyboard.press('Enter');
    await page.locator('main :is(textarea, input):focus:not(#message)').waitFor();
    await page.keyboard.press('Escape');
    await opener.and(page.locator(':focus')).waitFor();
  }
});

test('everything is reached with the keyboard', async () => {
  const { page } = desk;
  await desk.go('#/usage');
  await page.getByRole('heading', { name: 'Usage' }).waitFor();
  for (const [keys, heading] of [
    ['gm', 'Models and settings'],
    ['ge', 'Memory'],
    ['gp', 'Choose a persona to talk with'],
    ['gc', 'Choose a session'],
    ['gf', 'Choose a file to read it'],
    ['gt', 'Ask about ferry'],
  ]) {
    for (const key of keys ?? '') await page.keyboard.press(key);
    await page.getByRole('heading', { name: heading }).waitFor();
  }
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await page.keyboard.press('c');
  const message = page.getByRole('textbox', { name: 'Message' });
  await page.waitForFunction(() => document.activeElement?.id === 'message');
  await message.pressSequentially('Which limit?');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const sheet = page.getByRole('dialog', { name: 'Whom to ask' });
  await sheet.waitFor();
  const model = sheet.getByRole('checkbox').nth(1);
  await model.focus();
  const was = await model.isChecked();
  await page.keyboard.press('Space');
  assert.equal(await model.isChecked(), !was);
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  await message.focus();
  await page.keyboard.press('Enter');
  const context = page.getByRole('link', { name: 'View context' }).first();
  await context.waitFor();
  await context.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('tab', { name: 'What it was given' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('tab', { name: 'Exact messages', selected: true }).waitFor();
  await page.keyboard.press('Escape');
  await context.waitFor();
});

/**
 * What is wider than its place: cut off though nobody can scroll to it, or scrolled sideways though it is
 * neither code, a table nor tabs. What is shortened by an ellipsis is told to be so.
 */
function overwide() {
  const SIDEWAYS = 'pre, table, [role=tablist], [role=region][aria-label*=able]';
  const width = document.documentElement.clientWidth;
  const style = (/** @type {Element} */ node) => getComputedStyle(node);
  const isFrame = (/** @type {Element} */ node) => ['auto', 'scroll'].includes(style(node).overflowX);
  const isWithin = (/** @type {Element} */ node, /** @type {(each: Element) => boolean} */ holds) => {
    for (let each = node.parentElement; each; each = each.parentElement) if (holds(each)) return true;
    return false;
  };
  // What is under a sheet is not looked at twice.
  const nodes = [...document.querySelectorAll(document.querySelector('dialog[open]') ? 'dialog, dialog *' : 'main *')].filter((node) => node.checkVisibility() && !node.closest('.hidden, svg'));
  const cut = nodes.filter((node) => {
    const isCut = node.getBoundingClientRect().right > width + 1 && style(node).textOverflow !== 'ellipsis';
    return isCut && !isWithin(node, (each) => isFrame(each) || style(each).textOverflow === 'ellipsis');
  });
  const sideways = nodes.filter((node) => isFrame(node) && node.scrollWidth > node.clientWidth + 1 && !node.matches(SIDEWAYS));
  return [...cut, ...sideways].map((node) => node.outerHTML.slice(0, 120));
}

test('a binary without the page says what to do, and has no serious fault either', async () => {
  const { page } = desk;
  const plain = await readFile(new URL('../../crates/server/assets/plain.html', import.meta.url), 'utf8');
  const address = `${desk.url}/`;
  await page.route(address, async (route) => route.fulfill({ response: await route.fetch(), body: plain }));
  await page.goto(address);
  await page.getByRole('heading', { name: 'built without its web page' }).waitFor();
  await page.getByText('make build').waitFor();
  assert.deepEqual(await faults(), []);
  await page.getByRole('link', { name: 'what can be asked over HTTP' }).click();
  await page.waitForURL(/\/docs/);
  await page.unroute(address);
});

test('on a narrow screen answers are tabs, and nothing is wider than it', async () => {
  const { page } = desk;
  await page.setViewportSize({ width: 360, height: 780 });
  for (const [name, hash, text, tab] of views) {
    await desk.go(hash);
    if (tab) await page.getByRole('tab', { name: tab }).click();
    await page.getByText(new RegExp(text, 'i')).first().waitFor({ state: 'attached' });
    await page.evaluate(() => document.fonts.ready);
    assert.deepEqual(await page.evaluate(overwide), [], name);
    assert.deepEqual(await faults(), [], name);
    if (name === 'talk') {
      await page.getByRole('combobox', { name: 'Profile' }).waitFor();
      await page.getByRole('img', { name: /of the window$/ }).waitFor();
      await page.getByRole('tab', { name: 'GPT-4.1 mini' }).click();
      await page.getByText('The harbour master decides').waitFor();
    }
    await page.screenshot({ path: join(PICTURES, `${name}-narrow.png`) });
  }
  for (const [hash, button, name, text] of SHEETS.filter(([, , name]) => name !== 'Keyboard shortcuts')) {
    await desk.go(hash);
    if (name === 'Project') await page.getByRole('button', { name: 'Conversations' }).click();
    await page.getByRole('button', { name: button }).first().click();
    const sheet = page.getByRole('dialog', { name, exact: true });
    await sheet.getByText(text).first().waitFor();
    assert.deepEqual(await page.evaluate(overwide), [], name);
    assert.ok(await sheet.getByRole('button', { name: 'Close' }).isVisible());
    await page.screenshot({ path: join(PICTURES, `sheet-${name.toLowerCase().replace(/\W+/g, '-')}-narrow.png`) });
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
  }
  assert.deepEqual(desk.complaints, []);
});
