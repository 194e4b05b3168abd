// The search: documents are loaded when it is first opened, and indexed in the browser.
import MiniSearch from './minisearch.js';

const dialog = document.querySelector('dialog.search');
const input = dialog.querySelector('input');
const list = dialog.querySelector('[role=listbox]');
const status = dialog.querySelector('[role=status]');
const SHOWN_MAX = 12;
let loading;

const words = (text) => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);

function load() {
  loading ??= fetch(dialog.dataset.documents)
    .then((response) => {
      if (!response.ok) throw new Error(String(response.status));
      return response.json();
    })
    .then((documents) => {
      const index = new MiniSearch({
        fields: ['title', 'place', 'text'],
        storeFields: ['title', 'place', 'kind', 'url'],
        // A search for "swap" or "createsw" finds createSwap.
        tokenize: (text) => words(text).flatMap((word) => [word, ...word.split(/(?<=[a-z])(?=[A-Z])/)]),
        searchOptions: {
          tokenize: words,
          prefix: true,
          fuzzy: 0.15,
          combineWith: 'AND',
          boost: { title: 4, place: 2 },
          // What does it, and what explains it as a whole, come before sections and errors that name it.
          boostDocument: (_id, _term, { kind, url }) =>
            kind === 'operation' || (kind === 'guide' && !url.includes('#')) ? 2 : 1,
        },
      });
      index.addAll(documents);
      return index;
    });
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}

async function show() {
  const query = input.value.trim();
  if (query === '') {
    fill([]);
    status.textContent = 'Guides, operations, errors and events.';
    return;
  }
  try {
    const index = await load();
    // The reader has typed more: a later call shows the newer query.
    if (input.value.trim() !== query) return;
    const found = index.search(query).slice(0, SHOWN_MAX);
    fill(found);
    status.textContent = found.length === 0 ? `Nothing found for “${query}”.` : '';
  } catch {
    status.textContent = 'The search could not be loaded. Try again.';
  }
}

function fill(found) {
  list.replaceChildren(...found.map(entry));
  list.hidden = found.length === 0;
  input.setAttribute('aria-expanded', String(!list.hidden));
  select(0);
}

/** A link, so that a result opens in another tab as well. */
function entry({ title, place, kind, url }, position) {
  const link = document.createElement('a');
  link.setAttribute('role', 'option');
  link.id = `result-${position}`;
  link.href = url;
  link.tabIndex = -1;
  for (const [name, text] of [
    ['kind', kind],
    ['title', title],
    ['place', place],
  ]) {
    const part = document.createElement('span');
    part.className = name;
    part.textContent = text;
    link.append(part);
  }
  link.addEventListener('click', () => dialog.close());
  // A mouse that rests where the list appears chooses nothing.
  link.addEventListener('mousemove', () => select(position));
  return link;
}

function select(position) {
  const items = [...list.children];
  const chosen = items[(position + items.length) % items.length];
  for (const item of items) item.setAttribute('aria-selected', String(item === chosen));
  input.setAttribute('aria-activedescendant', chosen?.id ?? '');
  chosen?.scrollIntoView({ block: 'nearest' });
}

const selected = () => [...list.children].findIndex((item) => item.getAttribute('aria-selected') === 'true');

function open() {
  if (dialog.open) return;
  dialog.showModal();
  input.select();
  void load().catch(() => {});
  void show();
}

input.addEventListener('input', () => void show());
input.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown') select(selected() + 1);
  else if (event.key === 'ArrowUp') select(selected() - 1);
  // The browser's own reaction to Escape is only to empty the field.
  else if (event.key === 'Escape') dialog.close();
  else if (event.key === 'Enter') list.children[selected()]?.click();
  else return;
  event.preventDefault();
});
dialog.addEventListener('click', (event) => {
  if (event.target === dialog) dialog.close();
});
for (const button of document.querySelectorAll('[data-search]')) {
  button.hidden = false;
  button.addEventListener('click', open);
}
document.addEventListener('keydown', (event) => {
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
  const isShortcut =
    (event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey));
  if (!isShortcut) return;
  event.preventDefault();
  open();
});
