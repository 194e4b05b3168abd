import { addresses } from './addresses.js';
import { ask, read } from './api.js';
import { element, row } from './element.js';
import { LaunchPicture } from './launch-picture.js';
import { LaunchQuote } from './launch-quote.js';

/** The service sees a pool within a second or two of its transaction. */
const POOL_MS = 60_000;
const PAUSE_MS = 500;
const form = document.querySelector('#form');
const fields = Object.fromEntries(
  ['name', 'symbol', 'description', 'buy'].map((id) => [id, document.querySelector(`#${id}`)]),
);
const choices = document.querySelector('#configs');
const go = document.querySelector('#go');
const outcome = document.querySelector('#outcome');
const previewName = document.querySelector('#preview-name');
const picture = new LaunchPicture();
const quote = new LaunchQuote();
let configs = [];
/** The key of the launch that the form describes: pressing twice launches once. A change of the form is another launch. */
let key = crypto.randomUUID();

/** SOL as lamports; null for none. */
function lamportsOf(text) {
  const [, whole, part = ''] = /^(\d{1,6})(?:\.(\d{1,9}))?$/.exec(text.trim()) ?? [];
  if (whole === undefined) return null;
  const lamports = BigInt(whole + part.padEnd(9, '0'));
  return lamports === 0n ? null : String(lamports);
}

function chosenConfig() {
  const { value } = choices.querySelector('input:checked') ?? {};
  return configs.find(({ name }) => name === value);
}

function changed() {
  key = crypto.randomUUID();
  previewName.textContent = fields.symbol.value === '' ? '' : `${fields.name.value} · ${fields.symbol.value}`;
  const config = chosenConfig();
  if (config !== undefined) quote.show(config, lamportsOf(fields.buy.value));
}

async function showConfigs() {
  const [list, { wallet }] = await Promise.all([read('/launch-configs'), addresses]);
  configs = list?.data ?? [];
  const usable = configs.filter(({ status }) => status === 'available');
  if (usable.length === 0 || wallet === null) {
    outcome.textContent = 'This sandbox launches no tokens.';
    return;
  }
  for (const { name, isDefault } of usable) {
    const input = element('input');
    input.type = 'radio';
    input.name = 'config';
    input.value = name;
    input.checked = isDefault || usable.length === 1;
    choices.append(row('label', '', input, name));
  }
  go.disabled = false;
  changed();
}

async function launch() {
  await picture.ready;
  const buy = lamportsOf(fields.buy.value);
  const { body, problem } = await ask('/wallet/launches', {
    method: 'POST',
    key,
    body: JSON.stringify({
      name: fields.name.value.trim(),
      symbol: fields.symbol.value.trim(),
      config: chosenConfig()?.name,
      ...(fields.description.value.trim() !== '' && { description: fields.description.value.trim() }),
      ...(picture.imageUrl !== null && { imageUrl: picture.imageUrl }),
      ...(buy !== null && { initialBuy: { amountRaw: buy } }),
    }),
  });
  if (body === undefined) return say(problem);
  say('signed and sent, waiting for the pool …');
  const { status, mintAddress, error } = await withPool(body.record);
  if (status !== 'bonding')
    return say(
      error === null ? `The launch is ${status.replaceAll('_', ' ')}.` : `It failed: ${error.code}.`,
    );
  const link = element('a', '', 'See it on the market');
  link.href = `/#${mintAddress}`;
  outcome.replaceChildren(`Launched as ${mintAddress}. `, link);
  key = crypto.randomUUID();
}

/** The launch once the service has seen its pool, or as it is when that takes too long. */
async function withPool(started) {
  let current = started;
  const endsAt = performance.now() + POOL_MS;
  while (current.status === 'pending_launch_init' && performance.now() < endsAt) {
    await new Promise((done) => setTimeout(done, PAUSE_MS));
    current = (await read(`/launches/${started.id}`)) ?? current;
  }
  return current;
}

function say(text) {
  outcome.textContent = text;
}

form.addEventListener('input', changed);
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  go.disabled = true;
  say('preparing …');
  await launch();
  go.disabled = false;
});
await showConfigs();
