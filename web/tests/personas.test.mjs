// Personas and what they are made of: talking with one through reloads and in other tabs, and its time.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Desk } from './desk.mjs';
import { gate } from './provider.mjs';

/** @type {Desk} */ let desk;

before(async () => {
  desk = await Desk.open();
  await desk.go('');
});
after(() => desk.close());

test('a persona is made of a preset, talked with and given more time', async () => {
  const { page } = desk;
  desk.provider.script = () => ({ pieces: ['Breathe in.'] });
  await desk.go('#/personas');
  await page.getByRole('button', { name: 'New persona' }).first().click();
  const sheet = page.getByRole('dialog', { name: 'New persona' });
  await sheet.getByLabel('Name').fill('Ada');
  const preset = sheet.getByLabel('Made of');
  await preset.locator('option').nth(1).waitFor({ state: 'attached' });
  await preset.selectOption({ index: 1 });
  // A preset brings its own time, and it can be changed.
  const own = await sheet.getByLabel('Days without talk').inputValue();
  await sheet.getByLabel('Model').selectOption('openai/gpt-4o');
  await sheet.getByRole('button', { name: 'Make it' }).click();
  await page.getByRole('textbox', { name: 'Message to Ada' }).fill('I am late.');
  await page.getByRole('button', { name: 'Say it' }).click();
  await page.getByText('Breathe in.').waitFor();
  await page.getByText('Nothing was said yet').waitFor({ state: 'detached' });
  const rest = gate();
  desk.provider.script = () => ({ pieces: ['Breathe ', rest.wait, 'out.'] });
  await page.getByRole('textbox', { name: 'Message to Ada' }).fill('And now?');
  await page.getByRole('button', { name: 'Say it' }).click();
  // It is read while it comes.
  await page.getByText('Breathe', { exact: true }).waitFor();
  rest.open();
  await page.getByText('Breathe out.').waitFor();
  await page.getByRole('button', { name: 'Say it' }).waitFor();
  await page.getByRole('button', { name: 'Extend' }).click();
  await page.getByRole('region', { name: 'Persona', exact: true }).getByText(`expires in ${own} days`).waitFor();
});

test('what a persona was given is shown, and its answer goes on after a reload and in other tabs', async () => {
  const { page } = desk;
  const rest = gate();
  desk.provider.script = () => ({ pieces: ['Breathe ', rest.wait, 'slowly.'] });
  await page.getByRole('textbox', { name: 'Message to Ada' }).fill('How?');
  await page.getByRole('button', { name: 'Say it' }).click();
  const round = page.getByRole('article', { name: 'Round 3' });
  await round.getByText('Breathe').waitFor();
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByRole('article', { name: 'Round 3' }).getByText('Breathe').waitFor();
  await page.reload();
  await round.getByText('Breathe').waitFor();
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  rest.open();
  await round.getByText('Breathe slowly.').waitFor();
  await other.getByText('Breathe slowly.').waitFor();
  assert.equal(desk.provider.asked.filter(({ messages }) => messages.at(-1)?.content === 'How?').length, 1);

  // What is said elsewhere appears, once this tab has told that it listens.
  desk.provider.script = () => ({ pieces: ['Elsewhere, too.'] });
  const id = page.url().split('/').at(-1);
  await desk.api('POST', `/api/personas/${id}/chat`, { message: 'And there?', model: 'openai/gpt-4o' });
  await other.getByText('Elsewhere, too.').waitFor();
  await page.getByText('Elsewhere, too.').waitFor();
  await other.close();

  await round.getByRole('link', { name: 'View context' }).click();
  await page.getByRole('heading', { name: 'How?' }).waitFor();
  await page.getByText('profile persona').waitFor();
  await page.getByRole('link', { name: 'Back to the persona' }).click();
  await round.waitFor();
  await round.getByRole('link', { name: 'View context' }).and(page.locator(':focus')).waitFor();
  // In Talk it is read, and goes on where it belongs.
  const { personas } = await desk.api('GET', '/api/personas');
  await desk.go(`#/talk/${personas[0].conversation_id}`);
  await round.waitFor();
  await page.getByText('This is what was said with a persona.').waitFor();
  assert.equal(await page.getByRole('textbox', { name: 'Message' }).count(), 0);
  assert.equal(await page.getByRole('button', { name: 'Ask anew' }).count(), 0);
  await page.getByRole('link', { name: 'Go on there' }).click();
  await page.getByRole('textbox', { name: 'Message to Ada' }).waitFor();
});

test('a persona is stopped, and what it had said is still there to be read', async () => {
  const { page } = desk;
  const never = gate();
  desk.provider.script = () => ({ pieces: ['In and ', never.wait] });
  await page.getByRole('textbox', { name: 'Message to Ada' }).fill('On and on.');
  await page.getByRole('button', { name: 'Say it' }).click();
  const round = page.getByRole('article').last();
  await round.getByText('In and').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await round.getByText('stopped', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Say it' }).waitFor();
  await round.getByText('In and').waitFor();
  await round.getByText('not kept').waitFor();
  never.open();
});

test('a persona whose time is over is listed when wanted, and given more time', async () => {
  const { page } = desk;
  // Nobody waits for days: the server's word is made older, as time would make it.
  const list = '**/api/personas?*';
  await page.route(list, async (route) => {
    const response = await route.fetch();
    const told = await response.json();
    const isWanted = route.request().url().includes('include_expired=true');
    const over = (/** @type {object} */ persona) => ({ ...persona, is_active: false, expires_at: '2026-01-01T00:00:00Z' });
    await route.fulfill({ response, json: { ...told, personas: isWanted ? told.personas.map(over) : [] } });
  });
  await page.reload();
  await page.getByText('Make a persona first').waitFor();
  await page.getByRole('checkbox', { name: 'Also those that have expired' }).check();
  const listed = page.getByRole('link', { name: /^Ada/ });
  await listed.getByText('expired').waitFor();
  await page.unroute(list);
  await page.getByRole('button', { name: 'Extend' }).click();
  await listed.getByText(/expires in/).waitFor();
  await page.getByRole('article', { name: 'Round 1' }).waitFor();
  await page.getByRole('checkbox', { name: 'Also those that have expired' }).uncheck();
  await listed.getByText(/expires in/).waitFor();
});

test('a persona that is made elsewhere appears, and says that nothing was said', async () => {
  const { page } = desk;
  const listening = page.waitForResponse('**/api/events');
  await page.reload();
  await listening;
  await desk.api('POST', '/api/personas', { name: 'Grace', preset_id: 'calm_counselor' });
  await page.getByRole('link', { name: /^Grace/ }).click();
  await page.getByRole('heading', { name: 'Nothing was said yet' }).waitFor();
});

test('a persona that is deleted can be brought back', async () => {
  const { page } = desk;
  await page.getByRole('button', { name: 'Delete Grace' }).click();
  // A notice stays while somebody is at it.
  await page.getByRole('button', { name: 'Bring it back' }).hover();
  await page.getByRole('link', { name: /^Grace/ }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Bring it back' }).click();
  await page.getByRole('link', { name: /^Grace/ }).waitFor();
});

test('a preset is made, changed, put away and brought back', async () => {
  const { page } = desk;
  await page.getByRole('button', { name: 'Presets' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'New preset' }).click();
  await sheet.getByLabel('Name').fill('Pilot');
  await sheet.getByLabel('What it is for').fill('Brings ships in');
  await sheet.getByLabel('Who it is, and how it behaves').fill('You are a pilot.');
  await sheet.getByLabel('Days without talk').fill('30');
  await sheet.getByRole('button', { name: 'Save' }).click();
  await sheet.getByRole('button', { name: 'Edit Pilot' }).click();
  await desk.holds(sheet.getByLabel('Days without talk'), '30');
  await sheet.getByLabel('Name').fill('Harbour pilot');
  await sheet.getByLabel('Temperature').fill('0');
  await sheet.getByRole('button', { name: 'Save' }).click();
  await sheet.getByRole('button', { name: 'Put away Harbour pilot' }).click();
  await sheet.getByRole('button', { name: 'Bring back Harbour pilot' }).click();
  await sheet.getByRole('button', { name: 'Put away Harbour pilot' }).waitFor();
  const { presets } = await desk.api('GET', '/api/presets?limit=1000');
  const made = presets.find((/** @type {{ name: string }} */ preset) => preset.name === 'Harbour pilot');
  const { temperature, expiry_days } = made.default_settings;
  assert.deepEqual([made.system_prompt, temperature, expiry_days], ['You are a pilot.', 0, 30]);
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  assert.deepEqual(desk.complaints, []);
});

test('a persona that nobody can speak for says what helps', async () => {
  const alone = await Desk.open({ provider: false });
  try {
    const { id } = await alone.api('POST', '/api/personas', { name: 'Ada', preset_id: 'calm_counselor' });
    await alone.go(`#/personas/${id}`);
    await alone.page.getByRole('textbox', { name: 'Message to Ada' }).fill('Are you there?');
    await alone.page.getByRole('button', { name: 'Say it' }).click();
    await alone.page.getByText(/No model can speak for Ada.*dossier provider set/).waitFor();
    // What was refused can be said again.
    assert.equal(await alone.page.getByRole('textbox', { name: 'Message to Ada' }).inputValue(), 'Are you there?');
    assert.deepEqual(alone.complaints, []);
  } finally {
    await alone.close();
  }
});
