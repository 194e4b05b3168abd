import { afterEach, beforeAll, beforeEach, expect, test } from 'bun:test';
import type { Membership } from '../../relay/members/members.ts';
import { createMember as createTestMember } from '../support/webhooks/relay-member.ts';
import { createRelayWorld, type RelayWorld } from '../support/webhooks/webhook-relay.ts';

/** So many that each of several members has some: each permit goes to one of them by chance. */
const PERMITS = 64;
const endpointId = Bun.randomUUIDv7();
let world: RelayWorld;

beforeAll(async () => {
  world = await createRelayWorld();
});

beforeEach(async () => {
  await world.sql`delete from relay_members`;
});

/** Each member has a connection of its own. */
const running: Membership[] = [];
afterEach(async () => {
  for (const membership of running.splice(0)) await membership.leave();
});

function createMember() {
  const member = createTestMember(world, PERMITS);
  running.push(member.membership);
  return { ...member, limit: () => member.limit(endpointId) };
}

test('a relay alone has the whole limit at its first beat', async () => {
  const only = createMember();
  expect(only.limit()).toBe(0);
  await only.beat();
  expect(only.limit()).toBe(PERMITS);
});

test('relays beat twice a second when they know one another, and more often while one comes or goes', async () => {
  const [first, second] = [createMember(), createMember()];
  const pauses = () => [first, second].map(({ membership }) => membership.pauseMs);
  expect(pauses()).toEqual([100, 100]);
  for (let round = 0; round < 4; round += 1) for (const { beat } of [first, second]) await beat();
  expect(pauses()).toEqual([500, 500]);
  await second.membership.leave();
  await first.beat();
  expect(pauses()[0]).toBe(100);
  for (let round = 0; round < 2; round += 1) await first.beat();
  expect(pauses()[0]).toBe(500);
});

test('a relay that joins starts nothing until the other one leaves its permits alone, and the other goes on', async () => {
  const [first, second] = [createMember(), createMember()];
  await first.beat();
  await second.beat();
  expect([first.limit(), second.limit()]).toEqual([PERMITS, 0]);
  await first.beat();
  expect(first.limit()).toBeLessThanOrEqual(PERMITS);
  expect(second.limit()).toBe(0);
  await first.beat();
  await second.beat();
  expect(first.limit() + second.limit()).toBe(PERMITS);
});

test('the other one leaves its permits alone only when its attempts in flight fit', async () => {
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
  expect(first.limit() + second.limit()).toBe(PERMITS);
});

test('relays that start together never have more than the limit', async () => {
  const members = Array.from({ length: 4 }, createMember);
  for (let round = 0; round < 6; round += 1) {
    await Promise.all(members.map(({ beat }) => beat()));
    expect(members.reduce((sum, { limit }) => sum + limit(), 0)).toBeLessThanOrEqual(PERMITS);
  }
  expect(members.reduce((sum, { limit }) => sum + limit(), 0)).toBe(PERMITS);
});

test('the permits of a relay that left, or fell silent, go to the others', async () => {
  const [first, second, third] = [createMember(), createMember(), createMember()];
  for (let round = 0; round < 4; round += 1) for (const { beat } of [first, second, third]) await beat();
  await third.membership.leave();
  await third.sessions(0);
  await second.fallSilent();
  for (let round = 0; round < 3; round += 1) await first.beat();
  expect(first.limit()).toBe(PERMITS);
  expect(third.limit()).toBe(0);
});

test('the permits of a relay that was killed are free after a second; while its session lives they stay with it', async () => {
  const [killed, slow] = [createMember(), createMember()];
  for (let round = 0; round < 4; round += 1) for (const { beat } of [killed, slow]) await beat();
  await killed.loseSession();
  const next = createMember();
  await next.beat();
  // Its last beat is younger than that: it may have lost its session alone.
  expect(next.limit()).toBe(0);
  await killed.fallSilent(1.5);
  await slow.fallSilent(1.5);
  await next.beat();
  expect(next.limit()).toBe(0);
  for (let round = 0; round < 4; round += 1) for (const { beat } of [slow, next]) await beat();
  expect([slow.limit() + next.limit(), next.limit() > 0]).toEqual([PERMITS, true]);
});

test('a relay that replaces a killed one starts at its first beat when that was a second ago', async () => {
  const killed = createMember();
  await killed.beat();
  await killed.loseSession();
  await killed.fallSilent(1.5);
  const next = createMember();
  await next.beat();
  expect(next.limit()).toBe(PERMITS);
});

test('a relay that lost its session alone takes part again at its next beat, as the others see it', async () => {
  const [first, second] = [createMember(), createMember()];
  for (let round = 0; round < 4; round += 1) for (const { beat } of [first, second]) await beat();
  await first.loseSession();
  await first.beat();
  expect(first.limit() + second.limit()).toBe(PERMITS);
  await first.loseSession();
  await first.fallSilent(1.5);
  await second.beat();
  await first.beat();
  // The other relay has seen that it was gone, and had not written it yet.
  expect(first.limit() + second.limit()).toBe(PERMITS);
  await first.loseSession();
  await first.fallSilent(1.5);
  for (let round = 0; round < 3; round += 1) await second.beat();
  expect(second.limit()).toBe(PERMITS);
  await first.beat();
  expect(first.limit()).toBe(0);
  for (let round = 0; round < 4; round += 1) for (const { beat } of [second, first]) await beat();
  expect([first.limit() + second.limit(), first.limit() > 0]).toEqual([PERMITS, true]);
});

/** As a database that has become read-only: sessions live, reads work. */
async function refuseWrites(): Promise<void> {
  await world.sql.unsafe(`
    create function refuse_beat() returns trigger language plpgsql
      as $$ begin raise exception 'read-only' using errcode = '25006'; end $$;
    create trigger refuse_beat before insert or update on relay_members for each statement execute function refuse_beat()`);
}

const takeWrites = () => world.sql.unsafe('drop function if exists refuse_beat cascade');

test('a relay whose beats are refused for a while keeps no session, and takes part at its first beat after that', async () => {
  const only = createMember();
  await only.beat();
  await refuseWrites();
  for (let count = 0; count < 5; count += 1) {
    expect(await Promise.allSettled([only.beat()])).toMatchObject([{ reason: { code: '25006' } }]);
    expect(only.limit()).toBe(0);
  }
  await only.sessions(0);
  await takeWrites();
  await only.beat();
  expect(only.limit()).toBe(PERMITS);
  await only.sessions(1);
});

test('a relay whose lock another session holds logs it, and keeps no session', async () => {
  const only = createMember();
  const key = world.sql`hashtextextended(${only.membership.id}, 0)`;
  const holder = await world.sql.reserve();
  await holder`select pg_advisory_lock(${key})`;
  expect(await Promise.allSettled([only.beat()])).toMatchObject([{ reason: { name: 'MemberLockHeld' } }]);
  expect(only.limit()).toBe(0);
  await only.sessions(0);
  await holder`select pg_advisory_unlock(${key})`;
  holder.release();
  await only.beat();
  expect(only.limit()).toBe(PERMITS);
});
