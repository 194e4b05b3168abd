// Shows the deliveries as they arrive. Their content is untrusted: it is only ever set as textContent, never as markup.

const list = document.querySelector('#deliveries');
const typeFilter = document.querySelector('#type');
const search = document.querySelector('#search');
const showExpired = document.querySelector('#expired');
const connection = document.querySelector('#connection');
const rows = new Map();
const KEPT = 300;

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

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
  const at = new Date(delivery.receivedAt);
  const time = element('time', '', at.toLocaleTimeString([], { hour12: false }));
  time.dateTime = delivery.receivedAt;
  time.title = `received ${at.toISOString()}`;
  const what = element('div', 'what');
  what.append(typeLine(delivery.type), element('span', 'subject', delivery.subject ?? delivery.id));
  const copies = delivery.copies > 1 ? `, ${delivery.copies} copies` : '';
  const attempt = element('span', 'attempt', `attempt ${delivery.attempt ?? '?'}${copies}`);
  const verdict = element('span', delivery.verified ? 'verdict' : 'verdict refused');
  verdict.textContent = delivery.verified ? '✓ verified' : '✗ refused';
  summary.append(time, what, attempt, verdict);
  return summary;
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
  };
  for (const [name, value] of Object.entries(lines)) {
    if (value !== null) facts.append(element('dt', '', name), element('dd', '', value));
  }
  detail.append(facts, element('pre', '', JSON.stringify(delivery.event, null, 2)));
  return detail;
}

function keyOf(delivery) {
  return `${delivery.verified}:${delivery.id}`;
}

function show(delivery, isFresh) {
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
  if (rows.size > KEPT) {
    const [oldest, { item: gone }] = rows.entries().next().value;
    gone.remove();
    rows.delete(oldest);
  }
  offerType(delivery.type);
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
  let shown = 0;
  for (const { delivery, item, text } of rows.values()) {
    const isShown =
      (typeFilter.value === '' || delivery.type === typeFilter.value) &&
      (wanted === '' || text.includes(wanted)) &&
      (showExpired.checked || !isRenewalOfDemoIntent(delivery));
    item.hidden = !isShown;
    if (isShown) shown += 1;
  }
  document.querySelector('#count').textContent = shown === 1 ? '1 event' : `${shown} events`;
  document.querySelector('#empty').hidden = shown > 0;
}

for (const control of [typeFilter, search, showExpired]) control.addEventListener('input', applyFilters);

const stream = new EventSource('/deliveries/stream');
stream.addEventListener('open', () => {
  connection.dataset.state = 'live';
  connection.textContent = 'live';
});
stream.addEventListener('error', () => {
  connection.dataset.state = 'waiting';
  connection.textContent = 'reconnecting';
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
