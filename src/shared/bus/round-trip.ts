import type { NatsConnection } from './connect.ts';

const SHARED_MS = 1_000;

interface RoundTrip {
  beganAtMs: number;
  answer: Promise<unknown>;
}

const newest = new WeakMap<NatsConnection, RoundTrip>();

/**
 * Asks the broker for an answer: one that is connected and stands still gives none. Whoever asks within a second of the
 * last round trip shares it, so that asking often costs nothing and a silent broker is not sent one PING per question.
 */
export async function askBroker(connection: NatsConnection | null | undefined): Promise<void> {
  if (connection === null || connection === undefined) throw new Error('not connected yet');
  const nowMs = performance.now();
  const shared = newest.get(connection);
  if (shared !== undefined && nowMs - shared.beganAtMs < SHARED_MS) return void (await shared.answer);
  const answer = connection.rtt();
  newest.set(connection, { beganAtMs: nowMs, answer });
  await answer;
}
