// The row of a delivery that arrived, or of an attempt that failed.
import { read, replay, sendNow } from './api.js';
import { button, clock, element, name, row } from './element.js';

/** A delivery that has succeeded is seen when it arrives; others are shown as the service reports them. */
const TROUBLED = new Set(['retrying', 'dead_letter']);

export function isTroubled(record) {
  return record !== undefined && TROUBLED.has(record.status);
}

/** Everything about a delivery in one line; `endpoint` and `subject` may be null. */
export function summaryOf(delivery, { endpoint, subject }) {
  const time = element('time', '', clock(delivery.receivedAt));
  time.dateTime = delivery.receivedAt;
  time.title = `received ${new Date(delivery.receivedAt).toISOString()}`;
  const what = row(
    'div',
    'what',
    typeLine(delivery.type),
    element('span', 'subject', subject ?? delivery.id),
  );
  if (isTroubled(delivery.record))
    what.append(element('span', 'endpoint', `to ${endpoint ?? `endpoint ${delivery.record.endpointId}`}`));
  const copies = delivery.copies > 1 ? `, ${delivery.copies} copies` : '';
  const number = (delivery.isMissing ? delivery.record?.attemptCount : null) ?? delivery.attempt ?? '?';
  // What went as it should needs no word.
  const attempt = number === 1 && copies === '' ? '' : `attempt ${number}${copies}`;
  const { text, tone } = verdictOf(delivery);
  const marks = [element('span', 'attempt', attempt), element('span', `verdict ${tone}`, text)];
  return row('summary', '', time, what, ...marks.filter(({ textContent }) => textContent !== ''));
}

/** Shows `build.service.` and `.v1` less prominently than the name between them. */
function typeLine(type) {
  const [, before, middle, after] = /^(build\.service\.)?(.*?)(\.v\d+)?$/.exec(type ?? '(unknown type)');
  return row(
    'span',
    'type',
    name('affix', before ?? ''),
    name('name', middle),
    element('span', 'affix', after ?? ''),
  );
}

export function verdictOf({ verified, record, isMissing }) {
  if (isTroubled(record)) {
    const cause = record.responseStatus ?? record.lastErrorCode ?? '';
    const isDead = record.status === 'dead_letter';
    return {
      text: `✗ ${isDead ? 'dead letter' : 'retrying'} ${cause}`.trim(),
      tone: isDead ? 'dead' : 'refused',
    };
  }
  if (isMissing && record !== undefined)
    return { text: `${record.status === 'succeeded' ? '✓' : '…'} ${record.status}`, tone: '' };
  return verified ? { text: '', tone: '' } : { text: '✗ refused', tone: 'refused' };
}

/** The details below the line. */
export function detailOf(delivery, { endpoint, actions }) {
  const facts = element('dl', 'facts');
  const lines = {
    'webhook-id': delivery.id,
    delivery: delivery.deliveryId,
    endpoint: isTroubled(delivery.record) ? (endpoint ?? delivery.record.endpointId) : null,
    'event time': delivery.time,
    received: delivery.isMissing ? null : delivery.receivedAt,
    signature: delivery.verified ? 'verified' : null,
    problem: delivery.problem,
    'last error': delivery.record?.lastErrorCode ?? null,
    'next attempt': delivery.record?.nextAttemptAt ?? null,
  };
  for (const [name, value] of Object.entries(lines)) {
    if (value !== null) facts.append(element('dt', '', name), element('dd', '', value));
  }
  const detail = row('div', 'detail', facts);
  if (actions !== null) detail.append(actions);
  if (delivery.event !== undefined)
    detail.append(element('pre', '', JSON.stringify(delivery.event, null, 2)));
  return detail;
}

/** Two buttons: one lists the attempts of a delivery, the other sends its event again. */
export function actionsFor(deliveryId, isRetrying) {
  const list = element('ul', 'attempts');
  const outcome = element('output');
  const show = button('', 'Attempts', async () => {
    const page = await read(`/webhook-deliveries/${encodeURIComponent(deliveryId)}/attempts?limit=20`);
    list.replaceChildren(...(page?.data ?? []).map(attemptLine));
    outcome.textContent = page === null ? 'the attempts cannot be read' : '';
  });
  const again = button('', '', async () => {
    again.disabled = true;
    outcome.textContent = await (isRetrying() ? sendNow : replay)(deliveryId);
    again.disabled = false;
  });
  return { shown: row('div', 'actions', row('p', 'action-row', show, again, outcome), list), again };
}

function attemptLine({ attemptNumber, startedAt, outcome, errorCode, responseStatus }) {
  const result = [outcome, responseStatus ?? errorCode].filter((part) => part !== null && part !== undefined);
  return element('li', '', `${attemptNumber}. ${clock(startedAt)} ${result.join(', ')}`);
}
