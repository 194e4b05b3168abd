// Sends the request of a form and shows the response.
import { anHourAgo, candidatesOf, liveBody } from './live-values.js';

const KEY_NAME = 'launchwire-key';

/** The key stays in this tab: other tabs, and the next session, do not see it. */
const storedKey = () => {
  try {
    return sessionStorage.getItem(KEY_NAME) ?? '';
  } catch {
    return '';
  }
};
const storeKey = (key) => {
  try {
    sessionStorage.setItem(KEY_NAME, key);
  } catch {
    // Storage is disabled: the key stays in the field.
  }
};

/** The API has the origin of these pages, unless the operator serves the pages from another one. */
function originOf({ dataset }) {
  const isElsewhere = dataset.origin && location.origin === dataset.docsOrigin;
  return isElsewhere ? dataset.origin : '';
}

/** @param given values of path parameters that take precedence over the fields */
function addressOf(form, given = {}) {
  const path = form.dataset.path.replace(/:(\w+)/g, (_, name) =>
    encodeURIComponent(given[name] ?? form.elements[name].value.trim()),
  );
  const query = new URLSearchParams();
  for (const field of form.querySelectorAll('[data-part=query]')) {
    if (field.value.trim() !== '') query.set(field.name, field.value.trim());
  }
  return `${originOf(form)}${form.dataset.base}${path}${query.size > 0 ? `?${query}` : ''}`;
}

function optionsOf(form) {
  const headers = new Headers();
  const key = form.elements.key?.value.trim();
  if (key) headers.set('Authorization', `Bearer ${key}`);
  for (const field of form.querySelectorAll('[data-part=header]')) {
    const fresh = field.name === 'Idempotency-Key' ? newKey() : '';
    const value = field.value.trim() || fresh;
    if (value) headers.set(field.name, value);
  }
  const body = form.elements.body?.value;
  if (body?.trim()) headers.set('Content-Type', 'application/json');
  return { method: form.dataset.method, headers, cache: 'no-store', ...(body?.trim() && { body }) };
}

/** 128 random bits; `randomUUID` is missing on pages over plain http. */
function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const keyOf = (form) => form.elements.key?.value.trim() ?? '';
/** A text that equals the example is the reader's as well, once it was typed. */
const isUntouched = ({ dataset, value }) => dataset.typed === undefined && value === dataset.filled;

/** Largest number of reads for one form, below the API and with the key of the form. */
const READS_MAX = 60;
function readerOf(form) {
  let reads = 0;
  const key = keyOf(form);
  const headers = key === '' ? {} : { Authorization: `Bearer ${key}` };
  return async (path) => {
    reads += 1;
    if (reads > READS_MAX) return undefined;
    const response = await fetch(originOf(form) + form.dataset.base + path, { headers }).catch(
      () => undefined,
    );
    return response?.ok ? response.json().catch(() => undefined) : undefined;
  };
}

/** Sets a field that the reader has not touched, and replaces its example in the samples. */
function put(field, value) {
  if (!isUntouched(field)) return;
  showInSamples(field.dataset.example, value);
  field.value = value;
  field.dataset.filled = value;
}

function showInSamples(example, value) {
  if (!example) return;
  for (const code of document.querySelectorAll('[data-tabs] code')) {
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) texts.currentNode.data = texts.currentNode.data.replaceAll(example, value);
  }
}

/**
 * Fills the form with records of this deployment, because no record has the example's id. The reader chooses
 * a record that the request would change.
 */
async function fill(form) {
  const read = readerOf(form);
  const [from, to] = ['from', 'to'].map((name) =>
    form.querySelector(`[name=${name}][data-part=query][data-example]`),
  );
  if (from !== null && to !== null) {
    put(from, anHourAgo());
    put(to, new Date().toISOString());
  }
  const token = form.querySelector(':is([name=mint], [name=mints])[data-part=query][data-example]');
  if (token !== null) put(token, (await tradableMint(read)) ?? token.value);
  if (form.elements.key && keyOf(form) === '' && !form.elements.mint) return;
  const { body } = form.elements;
  if (body && isUntouched(body)) await fillBody(body, read);
  const fields = [...form.querySelectorAll('[data-part=path]')];
  if (fields.length === 0 || !fields.every(isUntouched)) return;
  const names = fields.map(({ name }) => name);
  const isChosen = fields.some(({ dataset }) => dataset.chosen !== undefined);
  const offered = [];
  let found;
  for await (const values of candidatesOf(form.dataset.path, names, read)) {
    offered.push(values);
    if (!isChosen && (await isAnswered(form, values, read))) found = values;
    if (found !== undefined || offered.length >= CANDIDATES_MAX) break;
  }
  for (const field of fields) {
    if (isChosen)
      offer(
        field,
        offered.map((values) => values[field.name]),
      );
    else if (offered.length > 0) put(field, (found ?? offered[0])[field.name]);
  }
}

const CANDIDATES_MAX = 12;

/** A token that can be traded; undefined when the deployment has none among its newest ones. */
async function tradableMint(read) {
  let looked = 0;
  for await (const { mint } of candidatesOf('/tokens/:mint', ['mint'], read)) {
    if (await isTradable(mint, read)) return mint;
    looked += 1;
    if (looked >= CANDIDATES_MAX) return undefined;
  }
}

async function isTradable(mint, read) {
  return (await read(`/tokens/${mint}/quote?side=buy&amountRaw=1000000`)) !== undefined;
}

async function fillBody(field, read) {
  const example = JSON.parse(field.value);
  const live = await liveBody(example, read);
  for (const [name, value] of Object.entries(live)) {
    if (value !== example[name]) showInSamples(example[name], value);
  }
  if (!isUntouched(field)) return;
  field.value = JSON.stringify(live, null, 2);
  field.dataset.filled = field.value;
}

/** True when a request with these values would succeed, as far as reads can show. */
async function isAnswered(form, values, read) {
  if (form.elements.key && keyOf(form) === '') return true;
  const { method, path } = form.dataset;
  if (method === 'GET')
    return (
      (await read(addressOf(form, values).slice((originOf(form) + form.dataset.base).length))) !== undefined
    );
  return !path.endsWith('/swaps') || isTradable(values.mint, read);
}

/** Offers values to choose from. */
function offer(field, values) {
  const options = document.createElement('datalist');
  options.id = `${field.name}-values`;
  options.append(...values.map((value) => Object.assign(document.createElement('option'), { value })));
  document.getElementById(options.id)?.remove();
  field.after(options);
  field.setAttribute('list', options.id);
}

/**
 * Returns a missing value that only the reader can enter, with its field; undefined when the request can be
 * sent.
 */
function missing(form) {
  const { key, body } = form.elements;
  if (key && keyOf(form) === '')
    return [
      key,
      'Enter an API key first. The sandbox prints one when it starts; its link “Try it” contains it.',
    ];
  for (const field of form.querySelectorAll('[data-part=path]')) {
    if (field.value.trim() !== '') continue;
    const which =
      field.dataset.chosen === undefined
        ? 'No record was found.'
        : 'The request changes the record: choose one.';
    return [field, `Enter ${field.name} first. ${which}`];
  }
  const text = body?.value ?? '';
  if (text.includes('AQAB…'))
    return [body, 'Put the transaction that your wallet has signed into signedTransaction first.'];
  if (text.includes('//bot.example/')) return [body, 'Put the address of your own receiver into url first.'];
  return undefined;
}

/** Sets the current version of the record, unless the reader has entered one. */
async function putVersion(form) {
  const field = form.querySelector('[name=If-Match]');
  if (field === null || !isUntouched(field)) return;
  const record = addressOf(form).slice((originOf(form) + form.dataset.base).length);
  const { version } = (await readerOf(form)(record.split('/').slice(0, 3).join('/'))) ?? {};
  if (version !== undefined) put(field, `"${version}"`);
}

async function send(form) {
  const status = form.querySelector('[role=status]');
  const answer = form.querySelector('.answer');
  const [body, headers] = answer.querySelectorAll('code');
  const button = form.querySelector('button');
  // A disabled button would lose the focus.
  if (button.ariaDisabled === 'true') return;
  button.ariaDisabled = 'true';
  // The mark of the request before.
  delete status.dataset.ok;
  status.textContent = 'Sending …';
  try {
    // Wait for the running search for values.
    await ready.get(form);
    const [field, text] = missing(form) ?? [];
    if (field !== undefined) {
      answer.hidden = true;
      status.textContent = text;
      field.focus();
      return;
    }
    await putVersion(form);
    const startedAt = performance.now();
    const response = await fetch(addressOf(form), optionsOf(form));
    const answered = await response.text();
    status.textContent = `${response.status} ${response.statusText} in ${Math.round(performance.now() - startedAt)} ms`;
    status.dataset.ok = String(response.ok);
    body.textContent = pretty(answered);
    headers.textContent = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
    answer.hidden = false;
  } catch (error) {
    answer.hidden = true;
    status.textContent = `The request was not sent, or its response may not be read: ${error.message}`;
  } finally {
    button.ariaDisabled = null;
  }
}

/**
 * Takes the key from the link that the sandbox prints. Only a test key, and only on the reader's own machine,
 * because anyone can make such a link.
 */
function takeKeyOfLink() {
  const [, key] = /^#key=(lw_test_[\w-]{1,190})$/.exec(location.hash) ?? [];
  if (key === undefined) return;
  history.replaceState(null, '', location.pathname + location.search);
  if (!['localhost', '127.0.0.1', '[::1]'].includes(location.hostname)) return;
  storeKey(key);
  document.querySelector('#try')?.scrollIntoView();
}

/** By form: the running or finished search for values. */
const ready = new Map();

takeKeyOfLink();
for (const form of document.querySelectorAll('form.try')) {
  const { key } = form.elements;
  if (key) key.value = storedKey();
  for (const field of form.querySelectorAll('[data-part], [name=body]')) field.dataset.filled = field.value;
  form.addEventListener('input', ({ target }) => {
    target.dataset.typed = '';
  });
  // A failed search leaves the fields as they are.
  const prepare = () =>
    ready.set(
      form,
      fill(form).catch(() => undefined),
    );
  prepare();
  key?.addEventListener('change', () => {
    storeKey(key.value.trim());
    prepare();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(form);
  });
}
