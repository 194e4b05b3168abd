import type { Gate, GateClient } from '../../../src/shared/gate.ts';

/** Fills a gate and its queue with the work of a client each. Returns a function that empties it. */
export function fillGate(gate: Gate): () => Promise<void> {
  const before = gate.refused;
  return takePlaces(gate, () => gate.refused === before);
}

/** Asks a gate for so much work of one client that it is refused. Returns a function that ends this work. */
export function floodGate(gate: Gate, client: GateClient): () => Promise<void> {
  const before = gate.refused;
  return takePlaces(gate, () => gate.refused === before, client);
}

/** Takes every place of an idle gate, so that the next load waits. Returns a function that empties it. */
export function occupyGate(gate: Gate): () => Promise<void> {
  let free = gate.options.runningMax;
  return takePlaces(gate, () => free-- > 0);
}

function takePlaces(gate: Gate, wantsMore: () => boolean, one?: GateClient): () => Promise<void> {
  const hold = Promise.withResolvers<void>();
  const loads: Promise<unknown>[] = [];
  while (wantsMore()) {
    const client = one ?? { name: `filler ${loads.length}`, isKeyed: true };
    loads.push(gate.run(client, () => hold.promise).catch(() => {}));
  }
  return async () => {
    hold.resolve();
    await Promise.all(loads);
  };
}
