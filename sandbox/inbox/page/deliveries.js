// Shows deliveries as they arrive, and the failed attempts that the service reports.
import { addresses } from './addresses.js';
import { read } from './api.js';
import { actionsFor, detailOf, isTroubled, summaryOf, verdictOf } from './delivery-row.js';
import { button, element, perFrame } from './element.js';
import { endpointUrl, readEndpoints, rememberSubject, subjectOf } from './endpoints.js';
import { Floods } from './floods.js';

const list = document.querySelector('#deliveries');
const typeFilter = document.querySelector('#type');
const search = document.querySelector('#search');
const onlyMine = document.querySelector('#mine');
const onlyFailed = document.querySelector('#failed');
const showExpired = document.querySelector('#expired');
const connection = document.querySelector('#connection');
const rows = new Map();
/** Records of deliveries from the service, by their ids. */
const records = new Map();
/** The buttons of a delivery and what they have shown, by its id: a change of the row leaves them as they are. */
const actions = new Map();
const floods = new Floods();
const KEPT = 300;
const more = document.querySelector('#more');
/** The page stays short until somebody asks for the rest. */
let shownMax = 20;
const draw = perFrame(applyFilters);
/** Types of events that every account gets, and the wallet of this one; nothing is known to be mine before. */
let account = { publicTypes: null, wallet: null };

function actionsOf(deliveryId) {
  const isRetrying = () => records.get(deliveryId)?.status === 'retrying';
  const known = actions.get(deliveryId) ?? actionsFor(deliveryId, isRetrying);
  actions.set(deliveryId, known);
  known.again.textContent = isRetrying() ? 'Send now' : 'Replay';
  return known.shown;
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
  if (!delivery.isMissing) rememberSubject(delivery);
  const key = keyOf(delivery);
  const known = rows.get(key);
  const focused = known?.item.contains(document.activeElement) ? document.activeElement : null;
  const again = () => rows.has(key) && show(rows.get(key).delivery, false);
  const endpoint = isTroubled(record) ? endpointUrl(record.endpointId, again) : null;
  const subject = delivery.subject ?? (delivery.isMissing && record ? subjectOf(record, again) : null);
  const item = element('li', isFresh ? 'fresh' : '');
  if (isTroubled(record)) item.dataset.status = record.status;
  const details = element('details');
  details.open = known?.item.firstChild.open ?? false;
  const buttons = delivery.deliveryId === null ? null : actionsOf(delivery.deliveryId);
  details.append(
    summaryOf(delivery, { endpoint, subject }),
    detailOf(delivery, { endpoint, actions: buttons }),
  );
  item.append(details);
  if (known) known.item.replaceWith(item);
  else list.prepend(item);
  // The row in use keeps its focus; its line is a new one, its buttons are the same.
  if (focused !== null)
    (item.contains(focused) ? focused : item.querySelector('summary')).focus({ preventScroll: true });
  const text = `${JSON.stringify(delivery)} ${endpoint ?? ''} ${subject ?? ''}`.toLowerCase();
  rows.set(key, { delivery, item, text, flood: null, fold: null });
  if (!delivery.isMissing) forget(missingKey(delivery.deliveryId));
  if (rows.size > KEPT) forget(rows.keys().next().value);
  offerType(delivery.type);
  draw();
}

function forget(key) {
  const known = rows.get(key);
  if (known === undefined) return;
  known.item.remove();
  rows.delete(key);
  if ([...rows.values()].every(({ delivery }) => delivery.deliveryId !== known.delivery.deliveryId))
    actions.delete(known.delivery.deliveryId);
}

/** Takes the record of a delivery. A failed attempt is shown although it did not arrive here. */
export function attempted(record, isFresh = true) {
  records.set(record.id, record);
  if (records.size > KEPT) records.delete(records.keys().next().value);
  const known = [...rows.values()].find(({ delivery }) => delivery.deliveryId === record.id);
  if (known !== undefined) show(known.delivery, false);
  else if (isTroubled(record)) show(notReceived(record), isFresh);
}

/** Reads the failed deliveries of each endpoint from before the page was opened. */
export async function loadFailed() {
  const endpoints = await readEndpoints();
  const pages = await Promise.all(
    endpoints.flatMap((id) =>
      ['dead_letter', 'retrying'].map((status) =>
        read(`/webhook-endpoints/${encodeURIComponent(id)}/deliveries?status=${status}&limit=20`),
      ),
    ),
  );
  const failed = pages.flatMap((page) => page?.data ?? []).filter(({ id }) => !records.has(id));
  for (const record of failed) records.set(record.id, record);
  merge(failed.filter(({ id }) => !isShown(id)).map(notReceived));
}

function isShown(deliveryId) {
  return [...rows.values()].some(({ delivery }) => delivery.deliveryId === deliveryId);
}

/** Shows deliveries among the others, in the order of time. */
function merge(deliveries) {
  const all = [...[...rows.values()].map(({ delivery }) => delivery), ...deliveries];
  list.replaceChildren();
  rows.clear();
  for (const one of all.sort((a, b) => Date.parse(a.receivedAt) - Date.parse(b.receivedAt))) show(one, false);
  // At once: the page then shows that it is live.
  applyFilters();
}

/** A delivery that the service reports, in the shape of a received one. */
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

/** Something is wrong with it: with the attempt, or with the signature. */
function isFailed(delivery) {
  return isTroubled(delivery.record) || verdictOf(delivery).tone !== '';
}

/** An event of the account, or a public one that names its wallet; and whatever failed, which the account has to mend. */
function isMine({ delivery, text }) {
  const { publicTypes, wallet } = account;
  if (isFailed(delivery)) return true;
  if (publicTypes === null) return false;
  return !publicTypes.has(delivery.type) || (wallet !== null && text.includes(wallet.toLowerCase()));
}

function applyFilters() {
  const wanted = search.value.trim().toLowerCase();
  const all = [...rows.values()]
    .reverse()
    .filter(
      ({ delivery, text }) =>
        (typeFilter.value === '' || delivery.type === typeFilter.value) &&
        (wanted === '' || text.includes(wanted)) &&
        (!onlyFailed.checked || isFailed(delivery)) &&
        (showExpired.checked || !isRenewalOfDemoIntent(delivery)),
    );
  // Who names a type or searches looks through all.
  const isNarrow = onlyMine.checked && wanted === '' && typeFilter.value === '';
  const fitting = isNarrow ? all.filter(isMine) : all;
  // A search shows each of its results.
  const folded = wanted === '' ? floods.of(fitting.map((one) => [one, kindOf(one)])) : new Map();
  for (const { item } of rows.values()) item.hidden = true;
  let shown = 0;
  let foldable = 0;
  for (const one of fitting) {
    const flood = folded.get(one);
    const isHead = flood?.entries[0] === one;
    if (!isHead) one.fold?.remove();
    if (flood !== undefined && !isHead && !flood.isOpen) continue;
    foldable += 1;
    if (shown >= shownMax) continue;
    shown += 1;
    one.item.hidden = false;
    if (isHead) showFold(one, flood);
  }
  const others = all.length - fitting.length;
  document.querySelector('#count').textContent =
    `${fitting.length} ${fitting.length === 1 ? 'event' : 'events'}${others > 0 ? `, ${others} of others` : ''}`;
  document.querySelector('#empty').hidden = fitting.length > 0;
  more.hidden = foldable <= shownMax;
  more.textContent = `Show all ${foldable}`;
}

/** Deliveries of one type with the same outcome, at one endpoint, are of one kind. Those of others are folded sooner. */
function kindOf(one) {
  const { type, record, receivedAt } = one.delivery;
  return {
    kind: `${type} ${verdictOf(one.delivery).text} ${isTroubled(record) ? record.endpointId : ''}`,
    time: Date.parse(receivedAt),
    ...(!isMine(one) && { spanMs: 60_000, least: 2 }),
  };
}

/** The button stays the same one, so that it keeps its focus. */
function showFold(one, flood) {
  one.flood = flood;
  one.fold ??= button('fold', '', () => {
    floods.toggle(one.flood);
    applyFilters();
  });
  const others = flood.entries.length - 1;
  one.fold.textContent = flood.isOpen ? `Fold ${others} more like it` : `and ${others} more like it`;
  one.fold.setAttribute('aria-expanded', String(flood.isOpen));
  if (one.fold.parentElement === null) one.item.append(one.fold);
}

more.addEventListener('click', () => {
  shownMax = KEPT;
  applyFilters();
});

for (const control of [typeFilter, search, onlyMine, onlyFailed, showExpired])
  control.addEventListener('input', applyFilters);

void addresses.then(({ publicTypes, wallet }) => {
  account = { publicTypes: new Set(publicTypes), wallet };
  draw();
});

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
  // The snapshot holds all but the failed deliveries of other endpoints.
  for (const [key, { delivery }] of [...rows]) if (!delivery.isMissing) forget(key);
  merge(JSON.parse(data));
});
stream.addEventListener('delivery', ({ data }) => show(JSON.parse(data), true));
