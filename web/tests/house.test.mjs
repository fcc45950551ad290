// Keeping the house in order: providers, settings, usage, projects, consulting, and who may come in.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { Desk } from './desk.mjs';

const BINARY = process.env['DOSSIER_TEST_BINARY'] ?? '../target/debug/dossier';

/** @type {Desk} */ let desk;

before(async () => {
  desk = await Desk.open();
  await desk.go('#/models');
});
after(() => desk.close());

test('a provider is tested, and one that does not answer says why', async () => {
  const { page } = desk;
  await page.getByRole('button', { name: 'Test openai' }).click();
  await page.getByText('answers, with 1 model').waitFor();
  await page.getByRole('button', { name: 'Set up a provider' }).click();
  const sheet = page.getByRole('dialog', { name: 'Set up a provider' });
  await sheet.getByLabel('Name').fill('home');
  await sheet.getByLabel('Address').fill('http://127.0.0.1:9/v1');
  await sheet.getByLabel('Key').fill('sk-home');
  await sheet.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Test home' }).click();
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'home' }) });
  await card.locator('.bad').waitFor();
});

test('the protocol of a provider is changed, and its stored key removed', async () => {
  const { page } = desk;
  const sheet = page.getByRole('dialog', { name: 'Change home' });
  const known = async () => {
    const { providers } = await desk.api('GET', '/api/providers');
    const home = providers.find((/** @type {{ name: string }} */ each) => each.name === 'home');
    return [home.protocol, home.base_url, home.key_origin];
  };
  await page.getByRole('button', { name: 'Change home' }).click();
  await sheet.getByLabel('Protocol').selectOption('responses');
  await sheet.getByRole('button', { name: 'Save' }).click();
  await sheet.waitFor({ state: 'detached' });
  assert.deepEqual(await known(), ['responses', 'http://127.0.0.1:9/v1', 'the stored keys']);

  await page.getByRole('button', { name: 'Change home' }).click();
  await sheet.getByLabel(/Remove the stored key/).check();
  await sheet.getByRole('button', { name: 'Save' }).click();
  await sheet.waitFor({ state: 'detached' });
  assert.deepEqual(await known(), ['responses', 'http://127.0.0.1:9/v1', null]);

  // A key of the environment is not removed here.
  await page.getByRole('button', { name: 'Change openai' }).click();
  await page.getByRole('dialog', { name: 'Change openai' }).getByLabel('Key').waitFor();
  assert.equal(await page.getByLabel(/Remove the stored key/).count(), 0);
  await page.keyboard.press('Escape');
});

test('the providers are asked for their models again', async () => {
  const { page } = desk;
  const told = page.locator('.notice').filter({ hasText: 'openai: 1 model' });
  await Promise.all([told.waitFor(), page.getByRole('button', { name: 'Ask the providers again' }).click()]);
  await page.getByRole('checkbox', { name: 'Also those that cannot be asked' }).check();
  await page.getByRole('region', { name: 'Table of models' }).getByText('anthropic/').first().waitFor();
});

test('what the environment says is locked, the rest is set and forgotten', async () => {
  const { page } = desk;
  const embedder = page.getByRole('textbox', { name: 'embedder', exact: true });
  assert.equal(await embedder.isDisabled(), true);
  await page.getByText('environment DOSSIER_EMBEDDER, locked').waitFor();
  const role = page.getByRole('textbox', { name: 'user.role' });
  await role.fill('harbour master');
  await role.press('Enter');
  await page.getByRole('button', { name: 'Forget user.role' }).click();
  await page.getByRole('button', { name: 'Forget user.role' }).waitFor({ state: 'detached' });
  const profile = page.getByRole('combobox', { name: 'profile', exact: true });
  await profile.fill('enormous');
  await profile.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'enormous' }).waitFor();
});

test('a provider that is not set up says so, and is known by what its models are called', async () => {
  const { page } = desk;
  await page.getByRole('button', { name: 'Set up google' }).waitFor();
  await page.getByRole('button', { name: 'Set up a provider' }).click();
  const sheet = page.getByRole('dialog', { name: 'Set up a provider' });
  await sheet.getByLabel('Name').fill('gemini');
  await sheet.getByLabel('Key').fill('g-1234567890');
  await sheet.getByRole('button', { name: 'Save' }).click();
  await sheet.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Change google' }).waitFor();
});

test('what is true or false is chosen, and what holds is told where nothing is set', async () => {
  const { page } = desk;
  const shadow = page.getByRole('combobox', { name: 'consult.shadow' });
  assert.deepEqual(await shadow.locator('option').allTextContents(), ['as usual: false', 'true', 'false']);
  await shadow.selectOption('true');
  await page.getByRole('button', { name: 'Forget consult.shadow' }).click();
  await page.getByRole('button', { name: 'Forget consult.shadow' }).waitFor({ state: 'detached' });
  await desk.holds(shadow, '');
  assert.equal(await page.getByRole('textbox', { name: 'consult.retention_days' }).getAttribute('placeholder'), '183');
});

test('what a file says is locked, and names the file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dossier-web-'));
  await writeFile(join(folder, 'dossier.toml'), 'profile = "lean"\n');
  const told = await Desk.open({ folder });
  try {
    await told.go('#/models');
    const profile = told.page.getByRole('combobox', { name: 'profile', exact: true });
    await profile.waitFor();
    assert.deepEqual([await profile.inputValue(), await profile.isDisabled()], ['lean', true]);
    await told.page.getByRole('listitem').filter({ has: profile }).getByText(/dossier\.toml, locked$/).waitFor();
    assert.deepEqual(told.complaints, []);
  } finally {
    await told.close();
  }
});

test('usage is empty at first, and shows what a turn took', async () => {
  const { page } = desk;
  await desk.go('#/usage');
  await page.getByRole('heading', { name: 'Nothing was used yet' }).waitFor();
  const request = { message: 'Hello?', models: ['openai/gpt-4o'] };
  await desk.api('POST', '/api/turn', request);
  await page.reload();
  await page.getByRole('region', { name: 'Tokens by component' }).getByText('turn').waitFor();
  await page.getByRole('region', { name: 'Tokens by model' }).getByText('GPT-4o', { exact: true }).waitFor();
  await page.getByRole('img', { name: /^Cost by day/ }).waitFor();
  await page.getByRole('img', { name: /^Time to the whole answer, by day: .* half within .*, 1 answer$/ }).waitFor();
  await page.getByRole('region', { name: 'Time to the whole answer, by model' }).getByText('GPT-4o').waitFor();
  assert.equal(await page.getByText('Contents shortened').count(), 0);

  // Each plot can be read as a table, with its unit.
  for (const [title, unit] of [['Tokens by day', 'tokens'], ['Cost by day', 'dollars'], ['Time to the whole answer, by day', 'seconds']]) {
    const plot = page.getByRole('figure').filter({ has: page.getByRole('heading', { name: `${title}, in ${unit}` }) });
    await plot.getByText('As a table').click();
    await plot.getByRole('region', { name: `${title}, as a table` }).getByRole('row').nth(1).waitFor();
  }
  assert.equal(await page.getByRole('region', { name: 'Tokens by day, as a table' }).getByRole('row').count(), 2);
});

test('answers from the cache are counted, and the page follows what is asked elsewhere', async () => {
  const { page } = desk;
  const project = await desk.api('POST', '/api/projects', { name: 'kept', settings: { enable_semantic_cache: true } });
  const listening = page.waitForResponse('**/api/events');
  await page.reload();
  await listening;
  for (let round = 0; round < 2; round++) {
    await desk.api('POST', '/api/turn', { project_id: project.id, message: 'When is high tide?', models: ['openai/gpt-4o'] });
  }
  await page.getByRole('img', { name: /^The answer cache by day: .* from the cache 1, calls of models [1-9]/ }).waitFor();
  const saved = page.getByRole('figure').filter({ has: page.getByRole('heading', { name: /^Savings by day/ }) });
  await saved.getByText('As a table').click();
  await saved.getByRole('row').nth(1).waitFor();
});

test('a vendor that reads from its cache, and contents that were shortened, are plotted', async () => {
  const { page } = desk;
  desk.provider.cached = 900;
  await desk.api('POST', '/api/turn', { message: 'Hello again?', models: ['openai/gpt-4o'] });
  const lines = Array.from({ length: 300 }, (_, place) => `booking ${place} was accepted`).join('\n');
  const ref = await desk.api('POST', '/api/refs', { content: lines, kind: 'harbour_log' });
  await page.reload();
  await page.getByRole('img', { name: /^The vendors' caches by day: .* read from a cache [1-9]/ }).waitFor();
  // Of three prompts with 1,200 tokens each.
  const hits = page.getByRole('region', { name: 'Read from a cache, by model' }).getByRole('listitem');
  await hits.filter({ hasText: 'GPT-4o' }).getByText('25 % cached').waitFor();
  await page.getByRole('img', { name: /^Contents shortened, by day/ }).waitFor();
  await page.getByRole('region', { name: 'Contents shortened, by kind' }).getByText('harbour_log').waitFor();
  assert.ok(ref.compressed_tokens < ref.tokens);
});

test('figures tell how long dossiers took, what they are made of, what the cache found, and what waits', async () => {
  const { page } = desk;
  const told = page.getByLabel('Figures', { exact: true });
  const figure = (/** @type {string} */ name) => told.locator('.card').filter({ hasText: name });
  await figure('Assembling').getByText(/nine of ten; half \d/).waitFor();
  await figure('Kept answers found').getByText('1 exact, 0 reworded').waitFor();
  await figure('Summaries today').getByText(/of 50K tokens/).waitFor();
  await page.getByRole('region', { name: 'Tokens by section' }).getByText('Header').waitFor();
  await page.getByRole('region', { name: 'Shortened, by content' }).getByRole('listitem').first().waitFor();
});

test('what was chosen is told with what replies made of it, by profile and by day', async () => {
  const { page } = desk;
  const project = await desk.api('POST', '/api/projects', { name: 'chosen' });
  const content = 'The ferry casts off at nine beside the chandlery.\n';
  await desk.api('POST', `/api/projects/${project.id}/files`, { path: 'ferry.md', content });
  const { script } = desk.provider;
  desk.provider.script = () => ({ pieces: ['At nine, beside the chandlery.'] });
  await desk.api('POST', '/api/turn', { project_id: project.id, message: 'When is the ferry?', models: ['openai/gpt-4o'] });
  desk.provider.script = script;
  await page.reload();
  await page.getByLabel('Project', { exact: true }).selectOption('chosen');
  const used = page.getByRole('region', { name: 'Chosen items that replies used, by profile' });
  await used.getByRole('listitem').filter({ hasText: 'lean' }).getByText('shown, 100 % used').waitFor();
  const fetched = page.getByRole('region', { name: 'Replies that fetched what was left out, by profile' });
  await fetched.getByText('could, 0 % did').waitFor();
  const plot = page.getByRole('figure').filter({ has: page.getByRole('heading', { name: 'Chosen items by day, in items' }) });
  await plot.getByText('As a table').click();
  const row = plot.getByRole('region', { name: 'Chosen items by day, as a table' }).getByRole('row').nth(1);
  assert.deepEqual((await row.getByRole('cell').allTextContents()).slice(1), ['1', '0', '0']);
});

test('a budget warns before it is spent, then refuses, and the question is not lost', async () => {
  const { page } = desk;
  const { sums } = await desk.api('GET', '/api/usage?by=day');
  const spent = sums.reduce((/** @type {number} */ all, /** @type {{ cost: number }} */ sum) => all + sum.cost, 0);
  const set = async (/** @type {string} */ value) => {
    await desk.go('#/models');
    const budget = page.getByRole('textbox', { name: 'budget.usd_per_day' });
    await budget.fill(value);
    await budget.press('Enter');
    const row = page.getByRole('listitem').filter({ has: budget });
    await row.getByText(value ? 'set here' : 'default', { exact: true }).waitFor();
  };
  const notice = page.locator('.notice').filter({ hasText: /budget/i });
  await set((spent / 0.85).toFixed(6));
  await desk.go('#/talk');
  await desk.choose(['openai/gpt-4o']);
  await desk.ask('Is there money left?');
  await page.getByRole('region', { name: 'Answer of GPT-4o' }).getByText('View context').waitFor();
  await notice.getByRole('button', { name: 'Dismiss' }).click();

  await set((spent / 2).toFixed(6));
  await desk.go('#/talk');
  await desk.ask('And now?');
  await notice.waitFor();
  await desk.holds(page.getByRole('textbox', { name: 'Message' }), 'And now?');
  await notice.getByRole('button', { name: 'Dismiss' }).click();
  await set('');
});

test('a project is renamed, given rules of its own, deleted and brought back', async () => {
  const { page } = desk;
  await desk.api('POST', '/api/projects', { name: 'pier' });
  await desk.go('#/talk');
  const choice = page.getByRole('combobox', { name: 'Project' });
  await choice.selectOption({ label: 'pier' });
  await page.getByRole('button', { name: 'Change the project' }).click();
  const sheet = page.getByRole('dialog', { name: 'Project' });
  await sheet.getByLabel('Name').fill('long pier');
  await sheet.getByLabel('What models are told besides').fill('Answer in one sentence.');
  await sheet.getByLabel('Dollars a month').fill('2.5');
  await sheet.getByLabel('Facts are taken').uncheck();
  await sheet.getByText('More', { exact: true }).click();
  await sheet.getByLabel('Large results of tools').uncheck();
  await sheet.getByRole('button', { name: 'Save' }).click();
  await sheet.waitFor({ state: 'detached' });
  await choice.locator('option', { hasText: 'long pier' }).waitFor({ state: 'attached' });
  const { projects } = await desk.api('GET', '/api/projects');
  const changed = projects.find((/** @type {{ name: string }} */ project) => project.name === 'long pier');
  const settings = {
    system_prompt: 'Answer in one sentence.',
    budget_usd_per_month: 2.5,
    enable_facts_ledger: false,
    enable_cas_refs: false,
  };
  assert.deepEqual(changed.settings, settings);

  await page.getByRole('button', { name: 'Change the project' }).click();
  await sheet.getByRole('button', { name: 'Delete the project' }).click();
  // A notice stays while somebody is at it.
  await page.getByRole('button', { name: 'Bring it back' }).hover();
  await choice.locator('option', { hasText: 'long pier' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Bring it back' }).click();
  await choice.locator('option', { hasText: 'long pier' }).waitFor({ state: 'attached' });
  await desk.holds(choice, changed.id);

  // When the notice has gone, what was deleted is still listed.
  await desk.api('DELETE', `/api/projects/${changed.id}`);
  await desk.go('#/models');
  const deleted = page.getByRole('region', { name: 'Deleted' });
  await deleted.getByRole('button', { name: 'Bring back long pier' }).click();
  await deleted.waitFor({ state: 'detached' });
  const after = await desk.api('GET', '/api/projects');
  assert.ok(after.projects.some((/** @type {{ id: string }} */ project) => project.id === changed.id));
});

test('a consultation sends each file once, and tells what that saved', async () => {
  const root = await Desk.open({ serve: ['--root', tmpdir()] });
  try {
    const folder = join(root.folder, 'plans');
    await mkdir(folder);
    await writeFile(join(folder, 'pier.md'), 'The pier is closed in winter.\n'.repeat(20));
    root.provider.script = () => ({ pieces: ['It is closed.'] });
    await root.go('#/consult');
    await root.page.getByRole('button', { name: 'Consult an assistant' }).click();
    const sheet = root.page.getByRole('dialog');
    await sheet.getByLabel('Assistant').selectOption({ label: 'builtin (builtin/extractive)' });
    await sheet.getByLabel('Name of the session').fill('pier');
    await sheet.getByLabel('Files and folders').fill(folder);
    await sheet.getByLabel('What it is to do').fill('When is the pier closed?');
    await sheet.getByRole('button', { name: 'Ask', exact: true }).click();
    await sheet.getByText('1 file sent').waitFor();
    await sheet.getByLabel('What it is to do').fill('Really?');
    await sheet.getByRole('button', { name: 'Ask', exact: true }).click();
    await sheet.getByText('1 unchanged').waitFor();
    // Sent again, the file would have taken as many tokens as it did at first.
    const saved = /(\d+) tokens saved/.exec((await sheet.getByText('tokens saved').textContent()) ?? '')?.[1];
    assert.ok(Number(saved) > 100);
    await root.page.keyboard.press('Escape');
    await root.page.getByRole('link', { name: /builtin · 2 rounds/ }).click();
    await root.page.getByRole('heading', { name: /of the session's window/ }).waitFor();
    const figure = (/** @type {string} */ name) => root.page.locator('dl .card').filter({ hasText: name }).locator('dd').first().textContent();
    const told = await Promise.all(['Files inline', 'Unchanged', 'Searchable', 'Tokens saved'].map(figure));
    assert.deepEqual(told, ['1', '1', '0', saved]);
    await root.page.getByText('Which files are inline').click();
    // It stands in the first question.
    await root.page.getByRole('row', { name: /pier\.md \d+ 1$/ }).waitFor();
    await root.page.getByText('Really?').waitFor();
    const isTold = root.page.getByText('The next call sends all files anew.');
    await Promise.all([isTold.waitFor(), root.page.getByRole('button', { name: 'Send all files anew' }).click()]);
    await root.page.getByText('open: grows while everything fits').waitFor();
    // In Talk it is read, and goes on where its files are.
    await root.page.getByRole('link', { name: 'Read what was said' }).click();
    await root.page.getByText('This is what was said in a consultation.').waitFor();
    assert.equal(await root.page.getByRole('textbox', { name: 'Message' }).count(), 0);
    await root.page.getByRole('link', { name: 'View context' }).first().click();
    await root.page.getByRole('link', { name: 'Back to the consultation' }).click();
    await root.page.getByRole('heading', { name: /of the session's window/ }).waitFor();
    assert.deepEqual(root.complaints, []);
  } finally {
    await root.close();
  }
  assert.deepEqual(desk.complaints, []);
});

test('a server that wants a token asks for it once, and keeps it for the tab', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dossier-web-'));
  const args = ['--data', join(folder, 'data'), '--quiet', 'token', 'create', 'tab'];
  const made = await promisify(execFile)(BINARY, args, { env: { HOME: folder, PATH: process.env['PATH'] } });
  const guarded = await Desk.open({ folder, environment: { DOSSIER_SERVER_TOKENS_REQUIRED: 'true' } });
  try {
    const { page } = guarded;
    await guarded.go('');
    const sheet = page.getByRole('dialog', { name: 'This server wants an access token' });
    await sheet.getByLabel('Token').fill('tok_wrong');
    await sheet.getByRole('button', { name: 'Continue' }).click();
    await sheet.getByText('That token was refused.').waitFor();
    await sheet.getByLabel('Token').fill(made.stdout.trim());
    await sheet.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Welcome to Dossier' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Welcome to Dossier' }).waitFor();
    assert.equal(await sheet.count(), 0);
  } finally {
    await guarded.close();
  }
});
