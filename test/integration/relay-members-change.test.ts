import { afterAll, afterEach, beforeAll, expect, spyOn, test } from 'bun:test';
import fc from 'fast-check';
import { holdLocks, sessionsBlockedBy } from '../support/database/held-locks.ts';
import { eventually } from '../support/run/eventually.ts';
import { createMember, type TestMember } from '../support/webhooks/relay-member.ts';
import { createRelayWorld, type RelayWorld } from '../support/webhooks/webhook-relay.ts';

const PERMITS = 8;
const MEMBERS_MAX = 4;
const ENDPOINTS = [Bun.randomUUIDv7(), Bun.randomUUIDv7()];
/** A relay without a beat for this time counts as gone; sooner when its session has ended (members/member-session.ts). */
const SILENT_MS = 4_000;
const SESSION_GONE_MS = 1_000;
const RUNS = Number(process.env.FUZZ_RUNS ?? 16);
let world: RelayWorld;

/** The process's clock is the machine's, moved ahead by the steps of the test. */
let aheadMs = 0;
const realNow = performance.now.bind(performance);
const clock = spyOn(performance, 'now').mockImplementation(() => realNow() + aheadMs);
afterAll(() => clock.mockRestore());

beforeAll(async () => {
  world = await createRelayWorld();
});

/** Lets time pass, for the processes and for the database. */
async function pass(ms: number): Promise<void> {
  aheadMs += ms;
  await world.sql`update relay_members set beat_at = beat_at - ${ms} * interval '1 millisecond'`;
}

/** Runs `work` while the beats of these relays, which have read already, wait to be written. */
async function whileBeatsWait(members: readonly TestMember[], work: () => unknown): Promise<void> {
  const waiting = await world.sql.begin(async (other) => {
    await other`select from relay_members where id = any(${members.map(({ id }) => id)}::uuid[]) for update`;
    const begun = members.map(({ beat }) => beat());
    await eventually(
      'every beat waits',
      async () => (await sessionsBlockedBy(other)).length === begun.length,
    );
    await work();
    return { begun };
  });
  await Promise.all(waiting.begun);
}

/** Running relays that know one another, unless strangers are asked for. */
async function runMembers(count: number, areStrangers = false): Promise<TestMember[]> {
  const members = Array.from({ length: count }, () => createMember(world, PERMITS));
  running.push(...members.map(({ membership }) => membership));
  if (!areStrangers) for (let round = 0; round < 4; round += 1) for (const { beat } of members) await beat();
  return members;
}

const running: TestMember['membership'][] = [];
afterEach(async () => {
  for (const membership of running.splice(0)) await membership.leave();
  await world.sql`delete from relay_members`;
});

function expectWithinLimit(members: readonly TestMember[]): void {
  for (const id of ENDPOINTS)
    expect(members.reduce((sum, { limit }) => sum + limit(id), 0)).toBeLessThanOrEqual(PERMITS);
}

test('a relay that stood still and one that starts at the moment of its return do not both take the whole limit', async () => {
  const [former] = await runMembers(1);
  const [next] = await runMembers(1, true);
  if (former === undefined || next === undefined) return expect.unreachable();
  await pass(SILENT_MS + 100);
  await whileBeatsWait([former], () => next.beat());
  expectWithinLimit([former, next]);
});

test('the permits of a relay are left alone until no relay can read that they are', async () => {
  const [staying, other] = await runMembers(2);
  if (staying === undefined || other === undefined) return expect.unreachable();
  await other.fallSilent();
  await staying.beat();
  // Its next row no longer lists the other, which comes back and reads the row from before.
  await whileBeatsWait([staying], () => other.beat());
  expect(other.isLive()).toBe(true);
  expectWithinLimit([staying, other]);
});

test('a relay that disappears right after it became known finds its permits free when it comes back', async () => {
  const [staying] = await runMembers(1);
  const [brief] = await runMembers(1, true);
  if (staying === undefined || brief === undefined) return expect.unreachable();
  await brief.beat();
  await staying.beat();
  await brief.fallSilent();
  await staying.beat();
  await brief.beat();
  expect(brief.isLive()).toBe(true);
  expectWithinLimit([staying, brief]);
});

test('a relay whose session has just ended keeps its permits, since it runs until its next beat', async () => {
  const [severed, other] = await runMembers(2);
  if (severed === undefined || other === undefined) return expect.unreachable();
  await severed.loseSession();
  // Its next beat takes the lock again, in another session.
  await severed.beat();
  await severed.loseSession();
  // Younger than a second at each of these looks, however long they take.
  await severed.fallSilent(-60);
  for (let count = 0; count < 3; count += 1) await other.beat();
  expectWithinLimit([severed, other]);
});

test('a relay that has lost its session starts nothing until it has another one', async () => {
  const [severed] = await runMembers(1);
  if (severed === undefined) return expect.unreachable();
  await severed.loseSession();
  const beats = await holdLocks(world.sql, (sql) => sql`lock table relay_members in access exclusive mode`);
  const beat = severed.beat();
  await beats.untilBlocked('the first beat of its next session waits', /relay_members/);
  expect(severed.isLive()).toBe(false);
  await beats.commit();
  await beat;
  expect(severed.isLive()).toBe(true);
});

test('a beat counts from its beginning, however long the database takes', async () => {
  const [only] = await runMembers(1);
  if (only === undefined) return expect.unreachable();
  await whileBeatsWait([only], () => {
    aheadMs += 3_000;
  });
  expect(only.isLive()).toBe(false);
  await only.beat();
  expect(only.isLive()).toBe(true);
});

test('the row of a relay that was killed is kept for an hour, and then deleted by the next one that starts', async () => {
  const [old, recent] = await runMembers(2);
  await old?.fallSilent(3_700);
  await recent?.fallSilent(3_500);
  const [next] = await runMembers(1);
  const rows = await world.sql<{ id: string }[]>`select id from relay_members order by id`;
  expect(rows.map(({ id }) => id)).toEqual([recent?.id, next?.id].toSorted() as string[]);
});

/** A model of a running relay, as the others see it. */
class Relay {
  readonly member: TestMember = createMember(world, PERMITS);
  readonly attempts = new Map<string, ((endMs: number) => void)[]>(ENDPOINTS.map((id) => [id, []]));
  #beatAtMs = Number.NEGATIVE_INFINITY;
  #hasSession = false;

  async beat(): Promise<void> {
    const beganAtMs = performance.now();
    await this.member.beat();
    this.#beatAtMs = beganAtMs;
    this.#hasSession = true;
  }

  async loseSession(): Promise<void> {
    if (this.#hasSession) await this.member.loseSession();
    this.#hasSession = false;
  }

  get #silentMs(): number {
    // biome-ignore lint/plugin: the model follows the clock of what it models; nothing is asserted of it
    return performance.now() - this.#beatAtMs;
  }

  /** Whether its session has ended and it has not noticed: it stands still, since its next beat would, before others count it as gone. */
  get #standsStill(): boolean {
    return !this.#hasSession && this.#silentMs > SESSION_GONE_MS;
  }

  /**
   * Whether others could count it as gone, at any moment from now until the function is called: whatever time a step takes,
   * and whether or not its own next beat is part of the step.
   */
  goneSince(): () => boolean {
    const [beatAtMs, hadSession] = [this.#beatAtMs, this.#hasSession];
    return () => {
      // biome-ignore lint/plugin: as above
      const silentMs = performance.now() - beatAtMs;
      return silentMs > SILENT_MS || (!(hadSession && this.#hasSession) && silentMs > SESSION_GONE_MS);
    };
  }

  #limit(endpointId: string): number {
    return this.#standsStill ? 0 : this.member.limit(endpointId);
  }

  /** Starts all attempts that it may start. */
  fill(): void {
    for (const [endpointId, attempts] of this.attempts)
      while (attempts.length < this.#limit(endpointId))
        attempts.push(this.member.slots.take(endpointId, performance.now()));
  }

  end(count: number): void {
    for (const attempts of this.attempts.values())
      for (const release of attempts.splice(0, count)) release(performance.now());
  }

  /** Places of the endpoint that it uses or may use at any moment. */
  permits(endpointId: string): number {
    return Math.max(this.attempts.get(endpointId)?.length ?? 0, this.#limit(endpointId));
  }
}

const who = fc.nat({ max: MEMBERS_MAX - 1 });
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('start' as const) }) },
  {
    weight: 8,
    // Several at the same time, too.
    arbitrary: fc.record({ kind: fc.constant('beat' as const), who: fc.uniqueArray(who, { minLength: 1 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('pass' as const),
      ms: fc.constantFrom(50, 300, 600, 1_100, 2_000, 2_600, 4_100, 4_100),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('fill' as const), who }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('end' as const), who, count: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('lose session' as const), who }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill' as const), who }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave' as const), who }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Takes a step; the attempts of relays that others could count as gone have ended when it is over. */
async function take(relays: Relay[], next: Step): Promise<void> {
  const before = relays.map((relay) => ({ relay, isGone: relay.goneSince() }));
  await takeStep(relays, next);
  // Attempts of such a relay may exceed the limit until their deadline (members.ts), which is over here.
  for (const { relay, isGone } of before) if (isGone()) relay.end(PERMITS);
}

async function takeStep(relays: Relay[], next: Step): Promise<void> {
  if (next.kind === 'pass') {
    await pass(next.ms);
    return;
  }
  if (next.kind === 'start') {
    if (relays.length < MEMBERS_MAX) relays.push(new Relay());
    return;
  }
  if (next.kind === 'beat') {
    await Promise.all(next.who.map((at) => relays[at]?.beat()));
    return;
  }
  const relay = relays[next.who];
  if (relay === undefined) return;
  if (next.kind === 'fill') relay.fill();
  else if (next.kind === 'end') relay.end(next.count);
  else if (next.kind === 'lose session') await relay.loseSession();
  else {
    relays.splice(relays.indexOf(relay), 1);
    relay.end(PERMITS);
    if (next.kind === 'leave') await relay.member.membership.leave();
    else await relay.loseSession();
  }
}

const used = (relays: readonly Relay[]) =>
  ENDPOINTS.map((id) => relays.reduce((sum, relay) => sum + relay.permits(id), 0));

test('when relays start, stop, freeze, are killed or lose sessions, no endpoint exceeds its limit, and it soon has all of it again', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 50 }), async (steps) => {
      const relays: Relay[] = [];
      try {
        for (const next of [{ kind: 'start' } as const, ...steps]) {
          await take(relays, next);
          for (const permits of used(relays)) expect(permits).toBeLessThanOrEqual(PERMITS);
        }
        if (relays.length === 0) relays.push(new Relay());
        await pass(SILENT_MS + 100);
        for (const relay of relays) relay.end(PERMITS);
        // One round to come back, one to know all, one to have written that, one to read it of the others.
        for (let round = 0; round < 4; round += 1) for (const relay of relays) await relay.beat();
        expect(relays.every(({ member }) => member.isLive())).toBe(true);
        expect(used(relays)).toEqual(ENDPOINTS.map(() => PERMITS));
      } finally {
        for (const { member } of relays) await member.membership.leave();
        await world.sql`delete from relay_members`;
      }
    }),
    { numRuns: RUNS },
  );
});
