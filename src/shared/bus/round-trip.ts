import { type NatsConnection, refusalOf } from './connect.ts';

const SHARED_MS = 1_000;

interface RoundTrip {
  beganAtMs: number;
  answer: Promise<unknown>;
}

const newest = new WeakMap<NatsConnection, RoundTrip>();

/**
 * Pings the broker: a connected broker that hangs does not respond. Callers within a second share a round
 * trip, so that frequent checks cost nothing and a silent broker gets few PINGs. Rejects with the last
 * refusal of this connection.
 */
export async function pingBroker(connection: NatsConnection | null | undefined): Promise<void> {
  if (connection === null || connection === undefined) throw new Error('not connected yet');
  const refused = refusalOf(connection);
  if (refused !== null) throw refused;
  const nowMs = performance.now();
  const shared = newest.get(connection);
  if (shared !== undefined && nowMs - shared.beganAtMs < SHARED_MS) return void (await shared.answer);
  const answer = connection.rtt();
  newest.set(connection, { beganAtMs: nowMs, answer });
  await answer;
}
