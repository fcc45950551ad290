// The first run without any key: files come in, are asked about, cited, found and tagged.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Desk } from './desk.mjs';
import { gate } from './provider.mjs';
import { FERRY, ferry } from './sample.mjs';

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
  await page.getByRole('heading', { name: 'Add a folder' }).waitFor();
  assert.equal(await page.getByRole('combobox', { name: 'Project' }).evaluate((node) => /** @type {HTMLSelectElement} */ (node).selectedOptions[0]?.text), 'No project yet');
});

test('a folder is uploaded before there is a project, which is then called like it', async () => {
  const { page } = desk;
  await page.getByLabel('Folder to add').setInputFiles(FERRY);
  await page.getByText('8 files added').waitFor();
  assert.equal(await page.getByText('not taken').count(), 0);
  const { projects } = await desk.api('GET', '/api/projects');
  assert.deepEqual(projects.map((/** @type {{ name: string }} */ { name }) => name), ['ferry']);
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

  await page.getByRole('link', { name: 'Talk' }).click();
  await desk.ask('When does the harbour open?');
  await page.getByRole('link', { name: 'View context' }).click();
  const pinned = page.getByRole('region', { name: 'Files', exact: true }).getByRole('article').filter({ hasText: 'ferry/src/bookings.py' });
  await pinned.getByText('always', { exact: true }).waitFor();
  await pinned.getByText('full', { exact: true }).waitFor();
  await page.getByRole('tab', { name: 'Exact messages' }).click();
  await page.locator('ol pre').filter({ hasText: 'def book(' }).waitFor();
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
  const isChosen = async () => (await hit.getAttribute('aria-selected')) === 'true';
  for (let step = 0; step < 30 && !(await isChosen()); step++) await search.press('ArrowDown');
  assert.ok(await isChosen());
  await search.press('Enter');
  await page.getByRole('heading', { name: 'ferry/docs/decisions.md' }).waitFor();
  await page.locator('tr.wanted').first().waitFor();

  await page.keyboard.press('/');
  await search.fill('harbour');
  await page.waitForURL(/q=harbour/);
  // Where one searches already, the key leads to the words.
  await search.blur();
  await page.keyboard.press('/');
  await search.and(page.locator(':focus')).waitFor();
  assert.equal(await search.inputValue(), 'harbour');
  await search.fill('"refused in strong wind"');
  const said = page.getByRole('option').filter({ hasText: /^You, / });
  await said.first().click();
  await page.locator('.question.marked').waitFor();
});

test('a folder is dropped on the page, and its progress is told', async () => {
  const { page, folder } = desk;
  const harbour = join(folder, 'harbour');
  await mkdir(join(harbour, 'plans', 'old'), { recursive: true });
  await mkdir(join(harbour, '.git'));
  await writeFile(join(harbour, 'plans', 'old', 'pier.md'), 'The pier was closed.');
  await writeFile(join(harbour, '.git', 'HEAD'), 'ref: refs/heads/main');
  // More than goes in one request.
  for (let place = 0; place < 30; place++) await writeFile(join(harbour, `berth-${place}.md`), `Berth ${place} is free.`);
  await page.getByRole('link', { name: 'Files' }).click();
  await page.getByRole('button', { name: 'Add a folder' }).waitFor();
  const rest = gate();
  let requests = 0;
  await page.route('**/files?replace=true', async (route) => {
    if (++requests > 1) await rest.wait();
    await route.continue();
  });
  await desk.drop([harbour]);
  await page.getByRole('img', { name: '25 of 31 files sent' }).waitFor();
  await page.getByText('25 of 31 files', { exact: true }).waitFor();
  rest.open();
  await page.getByText('31 files added').waitFor();
  await page.unroute('**/files?replace=true');
  const { projects } = await desk.api('GET', '/api/projects');
  const { files } = await desk.api('GET', `/api/projects/${projects[0].id}/files?limit=1000`);
  const paths = files.map((/** @type {{ path: string }} */ file) => file.path);
  assert.ok(paths.includes('harbour/plans/old/pier.md') && !paths.some((/** @type {string} */ path) => path.includes('.git')));
});

test('what is passed over is told by name: hidden, made by tools, named by a .gitignore, too large', async () => {
  const { page, folder } = desk;
  const app = join(folder, 'app');
  for (const name of ['src', 'target/debug', 'vendor', 'logs', 'fixtures']) await mkdir(join(app, name), { recursive: true });
  const files = {
    '.gitignore': '# what is written at run time\n*.log\n!keep.log\n/logs/\n',
    '.env': 'KEY=1',
    'src/main.md': 'The lighthouse.',
    'src/noise.log': 'Noise.',
    'keep.log': 'Kept.',
    'target/debug/made.md': 'Made.',
    'vendor/fetched.md': 'Fetched.',
    'logs/one.md': 'One.',
    'fixtures/case.md': 'A case.',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(app, name), text);
  await writeFile(join(app, 'large.md'), 'x'.repeat(20_000_000));
  const told = async () => {
    await page.getByText('not taken').waitFor();
    return (await page.getByRole('status').locator('details li').allTextContents()).sort();
  };
  const passedOver = [
    'app/.env hidden',
    'app/.gitignore hidden',
    'app/large.md larger than 19.9 MB',
    'app/logs/ named by app/.gitignore',
    'app/src/noise.log named by app/.gitignore',
    'app/target/ made or fetched by tools',
    'app/vendor/ made or fetched by tools',
  ];
  await desk.drop([app]);
  await page.getByText('3 files added').waitFor();
  assert.deepEqual(await told(), passedOver);

  // The list is the command line's, as it is set; and one picks a folder as one drops it.
  await desk.api('PUT', '/api/settings', { values: { 'files.skip': 'fixtures, !vendor' } });
  await page.getByLabel('Folder to add').setInputFiles(app);
  await page.getByText('vendor/').waitFor({ state: 'detached' });
  await page.getByText('3 files added').waitFor();
  const set = passedOver.filter((line) => !line.includes('vendor')).concat('app/fixtures/ made or fetched by tools').sort();
  assert.deepEqual(await told(), set);
  await desk.api('PUT', '/api/settings', { values: { 'files.skip': null } });

  // Of several folders that come together those of tools are passed over as well.
  await desk.drop([join(app, 'src'), join(app, 'target')]);
  await page.getByText('2 files added').waitFor();
  assert.deepEqual(await told(), ['target/ made or fetched by tools']);
});

test('a .gitignore in a folder below is read as well, and the nearest decides', async () => {
  const { page, folder } = desk;
  const house = join(folder, 'house');
  for (const name of ['cellar/old', 'loft', 'attic']) await mkdir(join(house, name), { recursive: true });
  const files = {
    '.gitignore': '*.tmp\nattic/\n/plan.md\n',
    'cellar/.gitignore': '!kept.tmp\n/old/\nplan.md\n',
    // What is in a folder that is passed over brings nothing back.
    'attic/.gitignore': '!*',
    'attic/box.md': 'A box.',
    'plan.md': 'Of the house.',
    'cellar/plan.md': 'Of the cellar.',
    'cellar/kept.tmp': 'Kept.',
    'cellar/gone.tmp': 'Gone.',
    'cellar/old/jar.md': 'A jar.',
    'loft/plan.md': 'Of the loft.',
    'loft/gone.tmp': 'Gone, too.',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(house, name), text);
  await desk.drop([house]);
  await page.getByText('2 files added').waitFor();
  const told = (await page.getByRole('status').locator('details li').allTextContents()).sort();
  assert.deepEqual(told, [
    'house/.gitignore hidden',
    'house/attic/ named by house/.gitignore',
    'house/cellar/.gitignore hidden',
    'house/cellar/gone.tmp named by house/.gitignore',
    'house/cellar/old/ named by house/cellar/.gitignore',
    'house/cellar/plan.md named by house/cellar/.gitignore',
    'house/loft/gone.tmp named by house/.gitignore',
    'house/plan.md named by house/.gitignore',
  ]);
});

test('a batch that is refused does not end the upload', async () => {
  const { page, folder } = desk;
  const many = join(folder, 'many');
  await mkdir(many);
  for (let place = 10; place < 40; place++) await writeFile(join(many, `${place}.md`), `Number ${place}.`);
  let requests = 0;
  await page.route('**/files?replace=true', (route) =>
    ++requests === 1
      ? route.fulfill({ status: 413, json: { code: 'too_large', status: 413, detail: 'it is too large' } })
      : route.continue(),
  );
  await desk.drop([many]);
  await page.getByText('5 files added').waitFor();
  await page.getByText('25 not taken').click();
  await page.getByText('It is too large.').first().waitFor();
  await page.unroute('**/files?replace=true');
});

test('a citation leads to the one file that it means, and what is no file is no link', async () => {
  const provided = await Desk.open();
  try {
    const { page } = provided;
    const project = await ferry(provided);
    for (const path of ['one/same.md', 'two/same.md']) await provided.api('POST', `/api/projects/${project}/files`, { path, content: 'Same.' });
    const said = 'At example.com:8080, in bookings.py:3, in ./src/tariffs.py (lines 2-4), same.md:1, docs/decisions.md#L1-L3, nowhere.py:9.';
    provided.provider.script = () => ({ pieces: [said] });
    await provided.go('#/talk');
    await provided.choose(['openai/gpt-4o']);
    await provided.ask('Where?');
    await page.getByText('View context').waitFor();
    await page.locator('a.citation').nth(2).waitFor();
    const links = await page.locator('.prose a').evaluateAll((nodes) => nodes.map((node) => [node.textContent, new URLSearchParams(node.getAttribute('href')?.split('?')[1]).toString()]));
    assert.deepEqual(links, [
      ['bookings.py:3', 'path=src%2Fbookings.py&lines=3-3'],
      ['./src/tariffs.py (lines 2-4)', 'path=src%2Ftariffs.py&lines=2-4'],
      ['docs/decisions.md#L1-L3', 'path=docs%2Fdecisions.md&lines=1-3'],
    ]);
    assert.deepEqual(provided.complaints, []);
  } finally {
    await provided.close();
  }
});

test('a file that is deleted can be brought back', async () => {
  const { page } = desk;
  await page.getByRole('link', { name: 'Files' }).click();
  await page.getByRole('link', { name: 'notify.py' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  // A notice stays while somebody is at it.
  await page.getByRole('button', { name: 'Bring it back' }).hover();
  await page.getByRole('link', { name: 'notify.py' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Bring it back' }).click();
  await page.getByRole('link', { name: 'notify.py' }).waitFor();
  assert.deepEqual(desk.complaints, []);
});
