import type { Evidence } from '../evidence/evidence.ts';
import type { IntentFact } from '../evidence/facts.ts';
import type { OrderEntry, RequestEntry } from '../evidence/histories.ts';

/** Whatever was answered to one key of one client names the same record with the same status. */
export function oneOutcomePerKey({ histories }: Evidence): string[] {
  const made = histories.requests.filter(
    ({ idempotencyKey, outcome }) => idempotencyKey !== null && outcome !== null,
  );
  const byKey = Map.groupBy(made, ({ client, idempotencyKey }) => `${client} ${idempotencyKey}`);
  return [...byKey].flatMap(([key, requests]) => {
    const outcomes = new Set(requests.map(({ outcome, path }: RequestEntry) => `${outcome} of ${path}`));
    return outcomes.size === 1 ? [] : [`${key} had ${outcomes.size} outcomes: ${[...outcomes].join(', ')}`];
  });
}

/**
 * All intents of an order are found by its amount, whether or not a response named them. At most one of them landed and
 * succeeded, and one that a client saw as confirmed did.
 */
export function everyOrderIsPaidOnce({ histories, database, chain }: Evidence): string[] {
  const byOrder = Map.groupBy(database.intents, orderKeyOf);
  const landed = ({ signature }: IntentFact) =>
    signature !== null && chain.landed.get(signature)?.failed === false;
  return histories.orders.flatMap((order) => {
    const intents = byOrder.get(`${order.accountId} ${order.mint} ${order.amountRaw}`) ?? [];
    const paid = intents.filter(landed);
    const twice = paid.length > 1 ? [`${order.name} was paid ${paid.length} times`] : [];
    return [...twice, ...unpaid(order, intents, paid)];
  });
}

function orderKeyOf({ accountId, mintAddress, inputRaw }: IntentFact): string {
  return `${accountId} ${mintAddress} ${inputRaw}`;
}

function unpaid(order: OrderEntry, intents: readonly IntentFact[], paid: readonly IntentFact[]): string[] {
  const confirmed = new Set(
    order.calls.filter(({ outcome }) => outcome === 'confirmed').map(({ intentId }) => intentId),
  );
  if (confirmed.size > 1) return [`${order.name} was confirmed as ${[...confirmed].join(' and as ')}`];
  if (confirmed.size === 0 || paid.length > 0) return [];
  const isReverted = intents.some(({ id, finality }) => confirmed.has(id) && finality === 'reverted');
  return isReverted ? [] : [`${order.name} was confirmed to its bot, and nothing landed`];
}
