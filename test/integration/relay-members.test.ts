import { beforeAll, beforeEach, expect, test } from 'bun:test';
import { EndpointShares } from '../../relay/members/endpoint-shares.ts';
import { Membership } from '../../relay/members/members.ts';
import { createRelayWorld, type RelayWorld } from '../support/webhooks/webhook-relay.ts';

const PLACES = 8;
const endpointId = Bun.randomUUIDv7();
let world: RelayWorld;

beforeAll(async () => {
  world = await createRelayWorld();
});

beforeEach(async () => {
  await world.sql`delete from relay_members`;
});

function createMember() {
  const id = Bun.randomUUIDv7();
  const shares = new EndpointShares(id, PLACES);
  let fits = true;
  const membership = new Membership(world.sql, id, shares, () => fits);
  return {
    membership,
    beat: () => membership.beat(),
    setFits(value: boolean) {
      fits = value;
    },
    /** Attempts that it may have in flight to the endpoint. */
    limit: () => (membership.isLive(performance.now()) ? shares.limitOf(endpointId) : 0),
    async fallSilent() {
      await world.sql`update relay_members set beat_at = now() - interval '5 seconds' where id = ${id}`;
    },
  };
}

test('a relay alone has the whole limit at its first beat', async () => {
  const only = createMember();
  expect(only.limit()).toBe(0);
  await only.beat();
  expect(only.limit()).toBe(PLACES);
});

test('a relay that joins starts nothing until the other one leaves its places alone, and the other goes on', async () => {
  const [first, second] = [createMember(), createMember()];
  await first.beat();
  await second.beat();
  expect([first.limit(), second.limit()]).toEqual([PLACES, 0]);
  await first.beat();
  expect(first.limit()).toBeLessThanOrEqual(PLACES);
  expect(second.limit()).toBe(0);
  await first.beat();
  await second.beat();
  expect(first.limit() + second.limit()).toBe(PLACES);
});

test('the other one leaves its places alone only when its attempts in flight fit', async () => {
  const [first, second] = [createMember(), createMember()];
  await first.beat();
  await second.beat();
  first.setFits(false);
  for (let count = 0; count < 5; count += 1) {
    await first.beat();
    await second.beat();
    expect(second.limit()).toBe(0);
  }
  first.setFits(true);
  await first.beat();
  await second.beat();
  expect(first.limit() + second.limit()).toBe(PLACES);
});

test('relays that start together never have more than the limit', async () => {
  const members = Array.from({ length: 4 }, createMember);
  for (let round = 0; round < 6; round += 1) {
    await Promise.all(members.map(({ beat }) => beat()));
    expect(members.reduce((sum, { limit }) => sum + limit(), 0)).toBeLessThanOrEqual(PLACES);
  }
  expect(members.reduce((sum, { limit }) => sum + limit(), 0)).toBe(PLACES);
});

test('the places of a relay that left, or fell silent, go to the others', async () => {
  const [first, second, third] = [createMember(), createMember(), createMember()];
  for (let round = 0; round < 4; round += 1) for (const { beat } of [first, second, third]) await beat();
  await third.membership.leave();
  await second.fallSilent();
  await first.beat();
  expect(first.limit()).toBe(PLACES);
  expect(third.limit()).toBe(0);
});
