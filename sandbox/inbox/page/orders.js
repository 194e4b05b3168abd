import { ActivityList, step } from './activity.js';
import { ask, read } from './api.js';
import { button, clock, element, row } from './element.js';
import { between, figure, tokens } from './figures.js';

/** States in which an order may still be stopped; one that was sent ends as its transaction does. */
const CANCELLABLE = new Set(['unsigned', 'open', 'triggered']);
/** Each pause is twice the one before: a minute in all. */
const LANDING_READS = 6;
const FIRST_LANDING_PAUSE_MS = 1_000;
const WHEN = { at_or_above: 'at or above', at_or_below: 'at or below' };

/**
 * The orders of the account, with what has become of each.
 * @param tokenOf the listed token of a mint; null for others
 */
export function orderList(tokenOf) {
  const orders = new ActivityList({
    list: '#order-list',
    hint: '#no-orders',
    path: '/orders',
    draw: (order) => {
      if (order.status === 'landed' && order.landed === null) void showLanding(order.id);
      return draw(order, tokenOf(order.mintAddress));
    },
  });
  const waiting = new Set();

  /** What a transaction did is known a moment after it has landed, and no message says so. */
  async function showLanding(id) {
    if (waiting.has(id)) return;
    waiting.add(id);
    for (let reads = 0; reads < LANDING_READS; reads += 1) {
      await new Promise((done) => setTimeout(done, FIRST_LANDING_PAUSE_MS * 2 ** reads));
      const order = await read(`/orders/${id}`);
      if (!order?.landed) continue;
      orders.show(order);
      return;
    }
  }
  return orders;
}

function draw(order, token) {
  const { status, createdAt, openedAt, triggeredBy, completedAt, trigger, intentId } = order;
  const title = `${order.side} ${paid(order, token)} ${WHEN[trigger.when]} ${figure(trigger.price)}`;
  const heading = row(
    'div',
    'head',
    element('strong', '', title),
    element('span', `status ${status}`, status),
    element('time', '', clock(createdAt)),
  );
  const isOver = completedAt !== null;
  const steps = row(
    'ol',
    'steps',
    step('open', openedAt === null ? '' : clock(openedAt), openedAt !== null),
    step(
      'triggered',
      triggeredBy === null ? '' : `at ${figure(triggeredBy.price)} in slot ${triggeredBy.slot}`,
      triggeredBy !== null,
    ),
    step(
      isOver ? status : 'landed',
      isOver ? `after ${between(triggeredBy?.at ?? openedAt ?? createdAt, completedAt)}` : '',
      isOver,
    ),
  );
  const lines = [heading, steps];
  if (order.landed?.priceInSol)
    lines.push(element('p', 'hint', `${received(order, token)} at ${figure(order.landed.priceInSol)}`));
  if (order.reason) lines.push(element('p', 'problem', why(order)));
  if (order.transactionSignature) lines.push(element('p', 'id', order.transactionSignature));
  if (CANCELLABLE.has(status) && intentId === null) lines.push(cancellation(order));
  return lines;
}

function paid({ side, amountRaw, mintAddress }, token) {
  const symbol = token?.symbol ?? mintAddress.slice(0, 6);
  if (side === 'buy') return `${symbol} for ${figure(String(Number(amountRaw) / 1e9))} SOL`;
  return `${token === null ? '' : `${tokens(Number(amountRaw) / 10 ** token.decimals)} `}${symbol}`;
}

function received({ side, landed: { outputRaw } }, token) {
  if (side === 'sell') return `got ${figure(String(Number(outputRaw) / 1e9))} SOL`;
  return token === null
    ? 'got tokens'
    : `got ${tokens(Number(outputRaw) / 10 ** token.decimals)} ${token.symbol}`;
}

function why({ reason, refusal }) {
  const error = refusal?.programError?.name ?? refusal?.reason;
  return [reason, ...(error ? [error] : [])].join(': ').replaceAll('_', ' ');
}

function cancellation({ id }) {
  const outcome = element('output');
  const stop = button('', 'Cancel', async () => {
    stop.disabled = true;
    outcome.textContent = 'cancelling …';
    const { problem } = await ask(`/wallet/orders/${id}`, { method: 'DELETE', key: crypto.randomUUID() });
    outcome.textContent = problem ?? '';
    stop.disabled = false;
  });
  return row('p', 'action-row', stop, outcome);
}
