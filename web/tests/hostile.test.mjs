// Whatever a model writes, a file is called or a tool returns: it is shown, and never runs.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Desk } from './desk.mjs';

/** @type {Desk} */ let desk;

const RUNS = 'globalThis.hostile = true';

before(async () => {
  desk = await Desk.open();
  await desk.go('');
});
after(() => desk.close());

/** What must hold after anything hostile was shown. */
async function isHarmless() {
  assert.equal(await desk.page.evaluate(() => 'hostile' in globalThis), false);
  assert.deepEqual(desk.complaints, []);
}

test('script in Markdown is shown as text, and dangerous links are none', async () => {
  const { page } = desk;
  desk.provider.script = () => ({
    pieces: [
      `<script>${RUNS}</script>\n\n<img src=x onerror="${RUNS}">\n\n`,
      `[click](javascript:${RUNS}) [data](data:text/html,<script>${RUNS}</script>)\n\n`,
      `<svg onload="${RUNS}"><a xlink:href="javascript:${RUNS}">x</a></svg>\n\n`,
      `![picture](https://evil.example/track.png)\n\n<style>body { display: none }</style>\n\n`,
      '```"><script>' + RUNS + '</script>\ncode <b>here</b>\n```\n\n<iframe srcdoc="x"></iframe>\n\nThe end.',
    ],
  });
  await desk.ask('Be evil.');
  await page.getByText('View context').waitFor();
  const answer = page.getByRole('region', { name: /^Answer of/ });
  await answer.getByText('The end.').waitFor();
  assert.equal(await answer.locator('script, img, iframe, style, svg[onload]').count(), 0);
  const targets = await answer.locator('.prose a').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  assert.deepEqual(targets, ['https://evil.example/track.png']);
  await isHarmless();
});

test('broken Markdown that does not end neither hangs nor breaks the page', async () => {
  const { page } = desk;
  // Each as long as a paragraph that is still formatted may be.
  const broken = ['[', '![', '**_', '**a', '`a', '<a ', '| a ', '[a]('].map((piece) => piece.repeat(7900 / piece.length));
  desk.provider.script = () => ({ pieces: [broken.join('\n\n'), `\n\n${'| x '.repeat(300)}\n${'|---'.repeat(300)}\n\n`, 'Still **here**.'] });
  await desk.ask('Never close a bracket.');
  const round = page.getByRole('article', { name: 'Round 2' });
  await round.getByText('View context').waitFor();
  await round.locator('strong', { hasText: 'here' }).waitFor();
  await isHarmless();
});

test('quotes and lists without bottom are shown as they are', async () => {
  const { page } = desk;
  const stairs = Array.from({ length: 200 }, (_, step) => `${'  '.repeat(step)}- step`).join('\n');
  const deep = ['> ', '1. ', '- '].map((piece) => `${piece.repeat(7900 / piece.length)}x`);
  for (const [place, text] of [...deep, stairs].entries()) {
    desk.provider.script = () => ({ pieces: [text, '\n\nStill here.'] });
    await desk.ask('Deeper.');
    const round = page.getByRole('article', { name: `Round ${place + 3}` });
    await round.getByText('View context').waitFor();
    await round.locator('.plain').filter({ hasText: 'Still here.' }).waitFor();
  }
  const message = page.getByRole('textbox', { name: 'Message' });
  await message.fill('The page still listens.');
  assert.equal(await message.inputValue(), 'The page still listens.');
  await message.fill('');
  await isHarmless();
});

test('a model that never ends is stopped, and the page goes on', async () => {
  const { page } = desk;
  const breath = () => new Promise((/** @type {(value: void) => void} */ resolve) => setTimeout(resolve, 1));
  function* endless() {
    for (;;) {
      yield '**[`<b> | > - ```\n'.repeat(40);
      yield breath;
    }
  }
  desk.provider.script = () => ({ pieces: endless() });
  await desk.ask('Go on for ever.');
  const round = page.getByRole('article', { name: 'Round 7' });
  const length = () => round.getByRole('region', { name: /^Answer of/ }).evaluate((node) => node.textContent?.length ?? 0);
  await round.getByText('characters more, which are not drawn').waitFor();
  const message = page.getByRole('textbox', { name: 'Message' });
  await message.pressSequentially('Still here?');
  assert.equal(await message.inputValue(), 'Still here?');
  await page.getByRole('button', { name: 'Stop' }).click();
  await round.getByText('stopped', { exact: true }).waitFor();
  assert.ok((await length()) < 201_000);
  await message.fill('');
  await isHarmless();
});

test('hostile file names and contents are shown as they are', async () => {
  const { page } = desk;
  const project = await desk.api('POST', '/api/projects', { name: `<img src=x onerror=${RUNS}>` });
  const path = `"><img src=x onerror=globalThis.hostile=1>.py`;
  await desk.api('POST', `/api/projects/${project.id}/files`, { path, content: `"</code><script>${RUNS}</script>` });
  await desk.go(`#/files/${project.id}?path=${encodeURIComponent(path)}`);
  await page.getByRole('heading', { name: path }).waitFor();
  await page.getByRole('region', { name: /^Text of/ }).getByText(RUNS).waitFor();
  await desk.go('#/search?q=hostile');
  await page.getByRole('option').filter({ hasText: 'onerror' }).first().waitFor();
  await isHarmless();
});

test('the context that holds it does not run either', async () => {
  const { page } = desk;
  const { projects } = await desk.api('GET', '/api/projects');
  const [project] = projects.filter((/** @type {{ name: string }} */ each) => each.name.startsWith('<img'));
  const turn = await desk.api('POST', '/api/turn', {
    project_id: project.id,
    message: `What does hostile do? <script>${RUNS}</script>`,
    models: ['builtin/extractive'],
  });
  await desk.go(`#/talk/${turn.conversation_id}`);
  await page.getByRole('link', { name: 'View context' }).click();
  await page.getByRole('region', { name: 'Files', exact: true }).getByText('onerror').first().waitFor();
  await page.getByRole('tab', { name: 'Exact messages' }).click();
  await page.locator('ol pre').filter({ hasText: RUNS }).first().waitFor();
  await isHarmless();
});

test('a tool that is called with something hostile, and returns it, does not run it', async () => {
  const { page } = desk;
  const path = `"><img src=x onerror=globalThis.hostile=1>.py`;
  desk.provider.script = ({ messages }) =>
    messages.some(({ role }) => role === 'tool')
      ? { pieces: [`It says: ${JSON.stringify(messages.filter(({ role }) => role === 'tool')[0]?.content)}`] }
      : { pieces: [{ tool: 'read_project_file', arguments: JSON.stringify({ path }) }] };
  await desk.go('#/talk');
  await desk.choose(['openai/gpt-4o']);
  await page.getByRole('combobox', { name: 'Project' }).selectOption({ label: `<img src=x onerror=${RUNS}>` });
  await page.getByRole('combobox', { name: 'Profile' }).selectOption('project');
  await page.getByRole('link', { name: 'New conversation' }).click();
  await desk.ask('Read it.');
  const answer = page.getByRole('region', { name: 'Answer of GPT-4o' });
  await answer.getByText('It says:').waitFor();
  await answer.getByText('View context').waitFor();
  await answer.getByText('read_project_file').waitFor();
  assert.ok(desk.provider.asked.some(({ messages }) => messages.some(({ role }) => role === 'tool')));
  await isHarmless();
});
