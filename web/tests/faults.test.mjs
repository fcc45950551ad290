// What is unusual or goes wrong stays where it is: the page around it goes on.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Desk } from './desk.mjs';
import { gate } from './provider.mjs';

/** @type {Desk} */ let desk;

before(async () => {
  desk = await Desk.open();
  await desk.go('');
  await desk.choose(['openai/gpt-4o']);
});
after(() => desk.close());

/**
 * Brings a conversation in.
 * @param {{ speaker: string, content: string }[]} messages
 */
async function imported(messages) {
  const project = await desk.api('POST', '/api/projects', { name: `brought in ${messages.length}` });
  const path = `/api/projects/${project.id}/conversations/import`;
  const { conversation_id } = await desk.api('POST', path, { title: 'Brought in', messages });
  return conversation_id;
}

test('two answers of the same model to one question stand side by side', async () => {
  const { page } = desk;
  const id = await imported([
    { speaker: 'user', content: 'When is high tide?' },
    { speaker: 'assistant', content: 'At noon.' },
    { speaker: 'assistant', content: 'At midnight, too.' },
  ]);
  await desk.go(`#/talk/${id}`);
  await page.getByText('At noon.').waitFor();
  await page.getByText('At midnight, too.').waitFor();
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  assert.deepEqual(desk.complaints, []);
});

test('projects that are gone have a bar each in the usage', async () => {
  const { page } = desk;
  for (const name of ['one', 'two']) {
    const project = await desk.api('POST', '/api/projects', { name });
    await desk.api('POST', '/api/turn', { project_id: project.id, message: 'Hello?', models: ['openai/gpt-4o'] });
    await desk.api('DELETE', `/api/projects/${project.id}`);
  }
  await desk.go('#/usage');
  const bars = page.getByRole('region', { name: 'Tokens by project' }).getByRole('listitem');
  await bars.filter({ hasText: 'none' }).nth(1).waitFor();
  assert.deepEqual(await bars.locator('.cut').allTextContents(), ['none', 'none']);
  assert.deepEqual(desk.complaints, []);
});

test('a view that fails says so, leaves the page whole, and can be tried again', async () => {
  const { page } = desk;
  await page.route('**/api/usage?*by=model*', (route) => route.fulfill({ json: { sums: [{}] } }));
  await page.reload();
  const fault = page.getByRole('alert').filter({ hasText: 'This view has failed' });
  await fault.waitFor();
  await page.getByRole('link', { name: 'Models' }).click();
  await page.getByRole('heading', { name: 'Models and settings' }).waitFor();
  await page.getByRole('link', { name: 'Usage' }).click();
  await fault.waitFor();
  await page.unroute('**/api/usage?*by=model*');
  await fault.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('region', { name: 'Tokens by model' }).waitFor();
  assert.equal(desk.complaints.splice(0).length, 2);
});

test('an address that is not encoded opens the view that it names', async () => {
  const { page } = desk;
  await desk.go('#/files/%');
  await page.getByRole('alert').first().waitFor();
  await desk.go('#/search?q=%');
  await page.getByRole('combobox', { name: 'Search' }).waitFor();
  assert.deepEqual(desk.complaints, []);
});

test('Escape closes a sheet and stops no answer', async () => {
  const { page } = desk;
  const rest = gate();
  desk.provider.script = () => ({ pieces: ['It begins ', rest.wait, 'and ends.'] });
  await desk.go('#/talk');
  await desk.ask('Tell me slowly.');
  const answer = page.getByRole('region', { name: 'Answer of GPT-4o' });
  await answer.getByText('It begins').waitFor();
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  rest.open();
  await answer.getByText('It begins and ends.').waitFor();

  // Nor does it leave the context of an answer.
  await answer.getByRole('link', { name: 'View context' }).click();
  await page.getByRole('heading', { name: 'Tell me slowly.' }).waitFor();
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.match(page.url(), /#\/why\//);
  await page.keyboard.press('Escape');
  await answer.waitFor();
});

test('Escape stops an answer when no sheet is open', async () => {
  const { page } = desk;
  const never = gate();
  desk.provider.script = () => ({ pieces: ['It goes on ', never.wait] });
  await desk.ask('And on?');
  const round = page.getByRole('article', { name: 'Round 2' });
  await round.getByText('It goes on').waitFor();
  await page.getByRole('textbox', { name: 'Message' }).press('Escape');
  await round.getByText('stopped', { exact: true }).waitFor();
  never.open();
});

test('what was read of an answer that was stopped stays, and is said not to be kept', async () => {
  const { page } = desk;
  const round = page.getByRole('article', { name: 'Round 2' });
  // The stored answer has come by now: it can be asked for again.
  await round.getByRole('button', { name: 'Ask again' }).waitFor();
  await round.getByText('It goes on').waitFor();
  await round.getByText('not kept').waitFor();
  await page.reload();
  await round.getByRole('button', { name: 'Ask again' }).waitFor();
  assert.equal(await round.getByText('It goes on').count(), 0);
  desk.provider.script = () => ({ pieces: ['To the end.'] });
  await round.getByRole('button', { name: 'Ask again' }).click();
  await round.getByText('To the end.').waitFor();
  assert.equal(await round.getByText('not kept').count(), 0);
});

test('a file that is dropped beside the composer is attached, and none makes the browser leave', async () => {
  const { page } = desk;
  /** @param {import('playwright-core').Locator} place */
  const drop = (place) =>
    place.evaluate((node) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['High water at 04:12.'], 'tide.txt', { type: 'text/plain' }));
      const how = { bubbles: true, cancelable: true, dataTransfer };
      // Whoever prevents nothing leaves the file to the browser, which opens it.
      return ['dragover', 'drop'].map((name) => !node.dispatchEvent(new DragEvent(name, how)));
    });
  assert.deepEqual(await drop(page.getByRole('region', { name: 'Messages' })), [true, true]);
  await page.getByRole('button', { name: 'Remove tide.txt' }).click();
  assert.deepEqual(await drop(page.getByRole('navigation', { name: 'Views' })), [true, true]);
  await page.getByRole('button', { name: 'Remove tide.txt' }).click();
  await desk.go('#/usage');
  await page.getByRole('heading', { name: 'Usage' }).waitFor();
  assert.deepEqual(await drop(page.getByRole('region', { name: 'Usage' })), [true, true]);
});

/**
 * Presses a button and sees what is said for a moment.
 * @param {import('playwright-core').Locator} button
 * @param {import('playwright-core').Locator} said
 */
async function told(button, said) {
  await Promise.all([said.waitFor(), button.click()]);
}

test('an answer and its code are copied, also where the browser gives the page no clipboard', async () => {
  const { page } = desk;
  const said = 'So:\n\n```python\ndef tide(hour: int) -> bool:\n    return hour == 12\n```\n';
  desk.provider.script = () => ({ pieces: [said] });
  for (const hasClipboard of [true, false]) {
    if (!hasClipboard) await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    else await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await desk.go('#/talk');
    await page.reload();
    await desk.ask('In Python?');
    const answer = page.getByRole('region', { name: 'Answer of GPT-4o' });
    // It is coloured by its language.
    await answer.locator('code .hljs-keyword', { hasText: 'def' }).waitFor();
    const message = page.getByRole('textbox', { name: 'Message' });
    await told(answer.getByRole('button', { name: 'Copy', exact: true }), answer.getByRole('button', { name: 'Copied' }));
    await message.press('Control+V');
    await desk.holds(message, 'def tide(hour: int) -> bool:\n    return hour == 12');
    await message.fill('');
    await told(answer.getByRole('button', { name: 'Copy the answer' }), answer.getByRole('button', { name: 'Answer copied' }));
    await message.press('Control+V');
    await desk.holds(message, said);
    await message.fill('');
  }
  assert.deepEqual(desk.complaints, []);
});
