// Shows the deliveries as they arrive, and what the service says of attempts that never did.
import { read, replay, sendNow } from './api.js';
import { clock, element, row } from './element.js';

const list = document.querySelector('#deliveries');
const typeFilter = document.querySelector('#type');
const search = document.querySelector('#search');
const showExpired = document.querySelector('#expired');
const connection = document.querySelector('#connection');
const rows = new Map();
/** What the service says of a delivery, by its id. */
const records = new Map();
/** The buttons of a delivery and what they have shown, by its id: a change of the row leaves them as they are. */
const actions = new Map();
const KEPT = 300;
const more = document.querySelector('#more');
/** The page stays short until somebody asks for the rest. */
let shownMax = 20;
/** A delivery that has succeeded is seen when it arrives; others are shown as the service tells of them. */
const TROUBLED = new Set(['retrying', 'failed']);

/** Shows `build.service.` and `.v1` less prominently than the name between them. */
function typeLine(type) {
  const line = element('span', 'type');
  const [, before, name, after] = /^(build\.service\.)?(.*?)(\.v\d+)?$/.exec(type ?? '(unknown type)');
  line.append(
    element('span', 'affix', before ?? ''),
    element('span', 'name', name),
    element('span', 'affix', after ?? ''),
  );
  return line;
}

function summaryOf(delivery) {
  const summary = element('summary');
  const time = element('time', '', clock(delivery.receivedAt));
  time.dateTime = delivery.receivedAt;
  time.title = `received ${new Date(delivery.receivedAt).toISOString()}`;
  const what = row('div', 'what', typeLine(delivery.type));
  what.append(element('span', 'subject', delivery.subject ?? delivery.id));
  const copies = delivery.copies > 1 ? `, ${delivery.copies} copies` : '';
  const number = (delivery.isMissing ? delivery.record?.attemptCount : null) ?? delivery.attempt ?? '?';
  const attempt = element('span', 'attempt', `attempt ${number}${copies}`);
  summary.append(time, what, attempt, verdictOf(delivery));
  return summary;
}

function verdictOf({ verified, record, isMissing }) {
  if (record !== undefined && (isMissing || TROUBLED.has(record.status))) {
    if (!TROUBLED.has(record.status))
      return element('span', 'verdict', `${record.status === 'succeeded' ? '✓' : '…'} ${record.status}`);
    const cause = record.responseStatus ?? record.lastErrorCode ?? '';
    return element('span', 'verdict refused', `✗ ${record.status} ${cause}`.trim());
  }
  return element('span', verified ? 'verdict' : 'verdict refused', verified ? '✓ verified' : '✗ refused');
}

function detailOf(delivery) {
  const detail = element('div', 'detail');
  const facts = element('dl', 'facts');
  const lines = {
    'webhook-id': delivery.id,
    delivery: delivery.deliveryId,
    'event time': delivery.time,
    received: delivery.receivedAt,
    problem: delivery.problem,
    'next attempt': delivery.record?.nextAttemptAt ?? null,
  };
  for (const [name, value] of Object.entries(lines)) {
    if (value !== null) facts.append(element('dt', '', name), element('dd', '', value));
  }
  detail.append(facts);
  if (delivery.deliveryId !== null) detail.append(actionsOf(delivery.deliveryId));
  if (delivery.event !== undefined)
    detail.append(element('pre', '', JSON.stringify(delivery.event, null, 2)));
  return detail;
}

function actionsOf(deliveryId) {
  const known = actions.get(deliveryId) ?? actionsFor(deliveryId);
  actions.set(deliveryId, known);
  known.again.textContent = isRetrying(deliveryId) ? 'Send now' : 'Replay';
  return known.shown;
}

function isRetrying(deliveryId) {
  return records.get(deliveryId)?.status === 'retrying';
}

/** Two buttons: one lists the attempts of a delivery, the other sends its event once more. */
function actionsFor(deliveryId) {
  const list = element('ul', 'attempts');
  const show = element('button', '', 'Attempts');
  const again = element('button');
  const outcome = element('output');
  for (const button of [show, again]) button.type = 'button';
  show.addEventListener('click', async () => {
    const page = await read(`/webhook-deliveries/${encodeURIComponent(deliveryId)}/attempts?limit=20`);
    list.replaceChildren(...(page?.data ?? []).map(attemptLine));
    outcome.textContent = page === null ? 'the attempts cannot be read' : '';
  });
  again.addEventListener('click', async () => {
    again.disabled = true;
    outcome.textContent = await (isRetrying(deliveryId) ? sendNow : replay)(deliveryId);
    again.disabled = false;
  });
  return { shown: row('div', 'actions', row('p', 'action-row', show, again, outcome), list), again };
}

function attemptLine({ attemptNumber, startedAt, outcome, errorCode, responseStatus }) {
  const result = [outcome, responseStatus ?? errorCode].filter((part) => part !== null && part !== undefined);
  return element('li', '', `${attemptNumber}. ${clock(startedAt)} ${result.join(', ')}`);
}

function keyOf({ isMissing, deliveryId, verified, id }) {
  return isMissing ? missingKey(deliveryId) : `${verified}:${id}`;
}

function missingKey(deliveryId) {
  return `missing:${deliveryId}`;
}

function show(received, isFresh) {
  const record = records.get(received.deliveryId);
  const delivery = record === undefined ? received : { ...received, record };
  const key = keyOf(delivery);
  const known = rows.get(key);
  const item = element('li', isFresh ? 'fresh' : '');
  const details = element('details');
  details.open = known?.item.firstChild.open ?? false;
  details.append(summaryOf(delivery), detailOf(delivery));
  item.append(details);
  if (known) known.item.replaceWith(item);
  else list.prepend(item);
  rows.set(key, { delivery, item, text: JSON.stringify(delivery).toLowerCase() });
  if (!delivery.isMissing) forget(missingKey(delivery.deliveryId));
  if (rows.size > KEPT) forget(rows.keys().next().value);
  offerType(delivery.type);
}

function forget(key) {
  const known = rows.get(key);
  if (known === undefined) return;
  known.item.remove();
  rows.delete(key);
  if ([...rows.values()].every(({ delivery }) => delivery.deliveryId !== known.delivery.deliveryId))
    actions.delete(known.delivery.deliveryId);
}

/** Takes what the service says of a delivery: a failed attempt is shown also when nothing of it arrived here. */
export function attempted(record) {
  records.set(record.id, record);
  if (records.size > KEPT) records.delete(records.keys().next().value);
  const known = [...rows.values()].find(({ delivery }) => delivery.deliveryId === record.id);
  if (known !== undefined) show(known.delivery, false);
  else if (TROUBLED.has(record.status)) show(notReceived(record), true);
  applyFilters();
}

/** A delivery that the service tells of, in the shape of a received one. */
function notReceived({ id, eventId, eventType, attemptCount, updatedAt }) {
  return {
    id: eventId,
    type: eventType,
    subject: null,
    time: null,
    receivedAt: updatedAt,
    deliveryId: id,
    attempt: attemptCount,
    copies: 1,
    verified: false,
    problem: null,
    isMissing: true,
    event: undefined,
  };
}

function offerType(type) {
  if (type === null || [...typeFilter.options].some(({ value }) => value === type)) return;
  const option = element('option', '', type.replace(/^build\.service\./, ''));
  option.value = type;
  typeFilter.append(option);
}

/** The sandbox always keeps a prepared intent for the example; how it renews unsigned ones is hidden. */
function isRenewalOfDemoIntent({ type, event }) {
  const isRenewal = /^build\.service\.transaction_intent\.(?:prepared|expired)\.v1$/.test(type);
  return isRenewal && event?.data?.kind === 'sandbox_transfer';
}

function applyFilters() {
  const wanted = search.value.trim().toLowerCase();
  let fitting = 0;
  for (const { delivery, item, text } of [...rows.values()].reverse()) {
    const fits =
      (typeFilter.value === '' || delivery.type === typeFilter.value) &&
      (wanted === '' || text.includes(wanted)) &&
      (showExpired.checked || !isRenewalOfDemoIntent(delivery));
    if (fits) fitting += 1;
    item.hidden = !fits || fitting > shownMax;
  }
  document.querySelector('#count').textContent = fitting === 1 ? '1 event' : `${fitting} events`;
  document.querySelector('#empty').hidden = fitting > 0;
  more.hidden = fitting <= shownMax;
  more.textContent = `Show all ${fitting}`;
}

more.addEventListener('click', () => {
  shownMax = KEPT;
  applyFilters();
});

for (const control of [typeFilter, search, showExpired]) control.addEventListener('input', applyFilters);

const stream = new EventSource('/deliveries/stream');
stream.addEventListener('open', () => {
  connection.dataset.state = 'live';
  connection.textContent = 'webhooks live';
});
stream.addEventListener('error', () => {
  connection.dataset.state = 'waiting';
  connection.textContent = 'webhooks reconnecting';
});
stream.addEventListener('snapshot', ({ data }) => {
  list.replaceChildren();
  rows.clear();
  for (const delivery of JSON.parse(data)) show(delivery, false);
  applyFilters();
});
stream.addEventListener('delivery', ({ data }) => {
  show(JSON.parse(data), true);
  applyFilters();
});
