import { read } from './api.js';
import { clock, element, row } from './element.js';
import { between } from './figures.js';

const KEPT = 8;
const ENDED = new Set(['confirmed', 'failed', 'expired', 'succeeded', 'cancelled']);

/** A list of records that change their status: the newest few, each under its id. */
export class ActivityList {
  #list;
  #hint;
  #path;
  #draw;
  #items = new Map();

  constructor({ list, hint, path, draw }) {
    this.#list = document.querySelector(list);
    this.#hint = document.querySelector(hint);
    this.#path = path;
    this.#draw = draw;
  }

  async load() {
    const page = await read(`${this.#path}?limit=${KEPT}`);
    for (const record of page?.data.toReversed() ?? []) this.show(record);
  }

  show(record) {
    const known = this.#items.get(record.id);
    // A response may come after the message of a later change.
    if (Number(known?.dataset.version ?? 0) > (record.version ?? 0)) return;
    const item = known ?? element('li');
    item.dataset.id = record.id;
    item.dataset.version = record.version ?? 0;
    item.dataset.status = record.status;
    item.replaceChildren(...this.#draw(record));
    if (known === undefined) {
      this.#items.set(record.id, item);
      this.#list.prepend(item);
    }
    this.#hint.hidden = true;
    if (this.#items.size <= KEPT) return;
    const [oldest, gone] = this.#items.entries().next().value;
    gone.remove();
    this.#items.delete(oldest);
  }
}

export const intents = new ActivityList({
  list: '#intent-list',
  hint: '#no-intents',
  path: '/transaction-intents',
  draw: drawIntent,
});

export const operations = new ActivityList({
  list: '#operation-list',
  hint: '#no-operations',
  path: '/operations',
  draw: drawOperation,
});

function heading({ kind, status, createdAt }) {
  return row(
    'div',
    'head',
    element('strong', '', kind.replaceAll('_', ' ')),
    element('span', `status ${status}`, status),
    element('time', '', clock(createdAt)),
  );
}

/** One of the steps of a record. */
export function step(name, detail, isDone) {
  return row('li', isDone ? 'done' : '', element('span', '', name), element('small', '', detail));
}

/** Prepared, submitted, ended: each step with the time since the one before. */
function drawIntent(intent) {
  const { createdAt, submittedAt, completedAt, status, error, transactionSignature } = intent;
  const steps = [step('prepared', clock(createdAt), true)];
  steps.push(step('submitted', submittedAt ? `after ${between(createdAt, submittedAt)}` : '', !!submittedAt));
  const end = ENDED.has(status) ? status : 'confirmed';
  const since = submittedAt ?? createdAt;
  steps.push(step(end, completedAt ? `after ${between(since, completedAt)}` : '', !!completedAt));
  const lines = [heading(intent), row('ol', 'steps', ...steps)];
  if (error) lines.push(element('p', 'problem', `${error.code}: ${error.detail ?? ''}`));
  if (transactionSignature) lines.push(element('p', 'id', transactionSignature));
  return lines;
}

function drawOperation(operation) {
  const { progress, completedAt, startedAt, error } = operation;
  const lines = [heading(operation)];
  if (progress) {
    const bar = element('progress');
    bar.max = Math.max(1, progress.total);
    bar.value = progress.completed;
    const text = `${progress.completed} of ${progress.total}${progress.unit ? ` ${progress.unit}` : ''}`;
    lines.push(row('p', 'progress', bar, element('small', '', text)));
  }
  if (startedAt && completedAt) lines.push(element('p', 'id', `took ${between(startedAt, completedAt)}`));
  if (error) lines.push(element('p', 'problem', `${error.code}: ${error.detail ?? ''}`));
  return lines;
}
