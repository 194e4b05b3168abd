import { advisoryLocks } from '../../db/advisory-lock.ts';
import type { Transaction } from '../../db/client.ts';
import { eventType, followedTypes } from '../../shared/events/catalogue.ts';
import type { FollowedSubjects } from './followed-subjects.ts';

/** Endpoints whose subjects one statement reads: at most 100,000 subjects. */
const ENDPOINTS_PER_READ = 100;

/**
 * Brings `followed` to what is committed, in a transaction that stores trades. From its first statement on no
 * change of it commits until the transaction ends (drizzle/functions/note_trade_followers.sql), so no trade that is
 * stored after the answer to a change is matched by the state before it. Call it after the transaction has
 * locked its tokens: a transaction that waits for tokens must not keep a change waiting, or both may wait for
 * a third one.
 */
export async function readFollowed(transaction: Transaction, followed: FollowedSubjects): Promise<void> {
  const [, [row]] = await Promise.all([
    transaction`select pg_advisory_xact_lock_shared(${advisoryLocks.tradeFollowers})`,
    transaction<{ stamp: string }[]>`select stamp from trade_followers`,
  ]);
  if (row === undefined) throw new Error('trade_followers has no row');
  if (row.stamp === followed.stamp) return;
  await readChanges(transaction, followed);
  followed.stamp = row.stamp;
}

async function readChanges(transaction: Transaction, followed: FollowedSubjects): Promise<void> {
  const endpoints = await transaction<{ id: string; version: string }[]>`
    select id, version || ' ' || extract(epoch from updated_at) as version from webhook_endpoints
    where status = 'enabled' and deleted_at is null and event_types && ${[...followedTypes]}::text[]`;
  const known = followed.versions();
  const present = new Map(endpoints.map(({ id, version }) => [id, version]));
  for (const id of known.keys()) if (!present.has(id)) followed.set(id, null);
  const changed = endpoints.filter(({ id, version }) => known.get(id) !== version).map(({ id }) => id);
  for (let at = 0; at < changed.length; at += ENDPOINTS_PER_READ) {
    const rows = await transaction<{ id: string; wallets: boolean; tokens: boolean; subjects: string[] }[]>`
      select e.id, ${eventType('wallet.traded')} = any(e.event_types) as wallets,
        ${eventType('token.traded')} = any(e.event_types) as tokens,
        array(select subject from endpoint_subjects where endpoint_id = e.id) as subjects
      from webhook_endpoints e where e.id = any(${changed.slice(at, at + ENDPOINTS_PER_READ)}::uuid[])`;
    for (const { id, ...follows } of rows) followed.set(id, { ...follows, version: present.get(id) ?? '' });
  }
}
