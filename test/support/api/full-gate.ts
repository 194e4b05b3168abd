import type { Gate } from '../../../src/shared/gate.ts';

/** Fills a gate and its queue. Returns a function that empties it. */
export function fillGate(gate: Gate): () => Promise<void> {
  const before = gate.refused;
  return takePlaces(gate, () => gate.refused === before);
}

/** Takes every place of an idle gate, so that the next load waits. Returns a function that empties it. */
export function occupyGate(gate: Gate): () => Promise<void> {
  let free = gate.options.runningMax;
  return takePlaces(gate, () => free-- > 0);
}

function takePlaces(gate: Gate, wantsMore: () => boolean): () => Promise<void> {
  const hold = Promise.withResolvers<void>();
  const loads: Promise<unknown>[] = [];
  while (wantsMore()) loads.push(gate.run(() => hold.promise).catch(() => {}));
  return async () => {
    hold.resolve();
    await Promise.all(loads);
  };
}
