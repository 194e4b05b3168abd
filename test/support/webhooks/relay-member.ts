import { expect } from 'bun:test';
import { Slots } from '../../../relay/endpoints/slots.ts';
import { EndpointShares } from '../../../relay/members/endpoint-shares.ts';
import { Membership } from '../../../relay/members/members.ts';
import { connectDatabase } from '../../../src/db/client.ts';
import { databaseLimits } from '../../../src/db/limits.ts';
import { eventually } from '../run/eventually.ts';
import type { RelayWorld } from './webhook-relay.ts';

export type TestMember = ReturnType<typeof createMember>;

/** A member of a world's relays, with its own session and real slots for its attempts. */
export function createMember({ sql, config }: RelayWorld, permits: number) {
  const id = Bun.randomUUIDv7();
  const shares = new EndpointShares(id, permits);
  const slots = new Slots(1_000, Number.POSITIVE_INFINITY, (endpointId) => shares.limitOf(endpointId));
  let fits = true;
  const connect = () =>
    connectDatabase(config.databaseUrl, {
      applicationName: `member ${id}`,
      connections: 1,
      limits: databaseLimits.member,
    });
  const membership = new Membership({ sql, connect, id, shares, fits: () => fits && slots.isWithinLimits() });
  return {
    id,
    membership,
    slots,
    beat: () => membership.beat(),
    isLive: () => membership.isLive(performance.now()),
    /** The number of concurrent attempts that it may make to the endpoint. */
    limit: (endpointId: string) => (membership.isLive(performance.now()) ? shares.limitOf(endpointId) : 0),
    setFits(value: boolean) {
      fits = value;
    },
    /** Waits for the number of its sessions, because the server notices a closed one a moment later. */
    async sessions(expected: number) {
      await eventually(`${expected} sessions`, async () => {
        const { count } = await sql`
          select from pg_stat_activity where application_name = ${`member ${id}`}`;
        return count === expected;
      });
    },
    async fallSilent(seconds = 5) {
      await sql`
        update relay_members set beat_at = now() - ${seconds} * interval '1 second' where id = ${id}`;
    },
    /** Ends its session, like the end of its process. */
    async loseSession() {
      const [session] = await sql`
        select pg_terminate_backend(pid, 60000) as is_ended from pg_locks
        where locktype = 'advisory' and granted
          and (classid::bigint << 32) + objid::bigint = hashtextextended(${id}, 0)`;
      expect(session).toEqual({ isEnded: true });
    },
  };
}
