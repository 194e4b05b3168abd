import type { Evidence } from '../evidence/evidence.ts';
import type { ChainFacts, IntentFact } from '../evidence/facts.ts';

/**
 * An accepted submission ends as confirmed or failed, and the chain agrees: what is confirmed is there unless a fork
 * dropped it, what failed is not there, or failed there too. No landed transaction of a wallet is without its intent.
 */
export function acceptedEndsTruthfully({ histories, database, chain }: Evidence): string[] {
  const intents = new Map(database.intents.map((intent) => [intent.id, intent]));
  const accepted = new Set(histories.requests.flatMap(({ intentId }) => intentId ?? []));
  const lost = [...accepted].flatMap((id) => {
    const intent = intents.get(id);
    if (intent === undefined) return [`intent ${id} was accepted and is gone`];
    return intent.status === 'prepared' || intent.status === 'expired'
      ? [`intent ${id} was accepted and is ${intent.status}`]
      : [];
  });
  const signatures = new Set(database.intents.map(({ signature }) => signature));
  const unknown = [...chain.landed.keys()]
    .filter((signature) => !signatures.has(signature))
    .map((signature) => `transaction ${signature} landed and belongs to no intent`);
  return [...lost, ...database.intents.flatMap((intent) => untruths(intent, chain)), ...unknown];
}

function untruths(intent: IntentFact, { landed }: ChainFacts): string[] {
  const { id, status, signature, finality } = intent;
  const found = signature === null ? undefined : landed.get(signature);
  if (status === 'confirmed' && found === undefined && finality !== 'reverted')
    return [`intent ${id} is confirmed, and the chain has no ${signature}`];
  // After a fork the same transaction may land in another block, with another end; `landed` then says which.
  if (finality === 'reverted') return [];
  if (status === 'confirmed' && found?.failed === true)
    return [`intent ${id} is confirmed, and failed on chain`];
  if (status !== 'confirmed' && status !== 'submitted' && found?.failed === false)
    return [`intent ${id} is ${status}, and landed`];
  return [];
}

/** Everything has ended in the time that the walk waited, which is longer than every documented one. */
export function nothingIsStuck({ database }: Evidence): string[] {
  return database.open.map((name) => `${name} has not ended`);
}
