// Sends the request of a form, and shows what came back.
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
    // Storage is switched off: the key stays in the field.
  }
};

function addressOf(form) {
  const path = form.dataset.path.replace(/:(\w+)/g, (_, name) =>
    encodeURIComponent(form.elements[name].value.trim()),
  );
  const query = new URLSearchParams();
  for (const field of form.querySelectorAll('[data-part=query]')) {
    if (field.value.trim() !== '') query.set(field.name, field.value.trim());
  }
  // The API answers where these pages are, unless the operator serves them from an origin of their own.
  const isElsewhere = form.dataset.origin && location.origin === form.dataset.docsOrigin;
  return `${isElsewhere ? form.dataset.origin : ''}${path}${query.size > 0 ? `?${query}` : ''}`;
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

async function send(form) {
  const status = form.querySelector('[role=status]');
  const answer = form.querySelector('.answer');
  const [body, headers] = answer.querySelectorAll('code');
  const button = form.querySelector('button');
  if (form.elements.key) storeKey(form.elements.key.value.trim());
  button.disabled = true;
  status.textContent = 'Sending …';
  const startedAt = performance.now();
  try {
    const response = await fetch(addressOf(form), optionsOf(form));
    const text = await response.text();
    const outcome = answer.querySelector('.outcome');
    outcome.textContent = `${response.status} ${response.statusText} in ${Math.round(performance.now() - startedAt)} ms`;
    outcome.dataset.ok = String(response.ok);
    body.textContent = pretty(text);
    headers.textContent = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
    answer.hidden = false;
    status.textContent = '';
  } catch (error) {
    answer.hidden = true;
    status.textContent = `The request was not sent, or its response may not be read: ${error.message}`;
  }
  button.disabled = false;
}

/** An example mint exists nowhere: a token of this deployment takes its place, unless the reader has typed one. */
async function offerToken(form) {
  const field = form.querySelector('[name=mint][data-part=path]');
  if (field === null || field.value !== field.defaultValue) return;
  const path = form.dataset.path.replace(/\/tokens\/.*/, '/tokens?limit=1');
  const response = await fetch(path).catch(() => undefined);
  const mint = response?.ok ? (await response.json()).data[0]?.mintAddress : undefined;
  if (mint !== undefined && field.value === field.defaultValue) field.value = mint;
}

for (const form of document.querySelectorAll('form.try')) {
  if (form.elements.key) form.elements.key.value = storedKey();
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(form);
  });
  form.addEventListener('focusin', () => void offerToken(form), { once: true });
}
