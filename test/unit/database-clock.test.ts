import { expect, test } from 'bun:test';
import { ClockDisputed, DatabaseClock, SKEW_MAX_MS } from '../../src/db/database-clock.ts';
import { createLogger } from '../../src/shared/log.ts';

const START_MS = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;

/** A world with a true time and two clocks, of machine and database, each with a set error. */
function createWorld({ machineAheadMs = 0, databaseAheadMs = 0 } = {}) {
  const world = {
    trueMs: START_MS,
    machineAheadMs,
    databaseAheadMs,
    /** Times that the next request and its response take. */
    requestMs: 1,
    responseMs: 1,
    isAway: false,
  };
  const clock = new DatabaseClock({
    log: createLogger('test', 'silent'),
    machineMs: () => world.trueMs + world.machineAheadMs,
    steadyMs: () => world.trueMs - START_MS + 77,
    async readDatabaseMs() {
      if (world.isAway) throw new Error('away');
      world.trueMs += world.requestMs;
      const databaseMs = world.trueMs + world.databaseAheadMs;
      world.trueMs += world.responseMs;
      return databaseMs;
    },
  });
  /** How far the clock is from the database's. */
  const error = () => Math.abs(clock.now().getTime() - world.trueMs - world.databaseAheadMs);
  const decides = () => {
    try {
      return clock.decisive.now().getTime();
    } catch (error) {
      if (error instanceof ClockDisputed) return error.message;
      throw error;
    }
  };
  return { world, clock, error, decides };
}

test.each([10 * MINUTE_MS, -10 * MINUTE_MS])(
  'time is that of the database, whatever the machine says: %d ms ahead',
  async (machineAheadMs) => {
    const { world, clock, error } = createWorld({ machineAheadMs });
    await clock.measure();
    expect(error()).toBeLessThanOrEqual(1);
    expect(clock.skewMs).toBeCloseTo(machineAheadMs, 0);
    world.trueMs += MINUTE_MS;
    expect(error()).toBeLessThanOrEqual(1);
  },
);

test('a machine whose clock is set, or that has slept, goes on with the time of the database', async () => {
  const { world, clock, error } = createWorld();
  await clock.measure();
  world.machineAheadMs = -3 * MINUTE_MS;
  expect(error()).toBeLessThanOrEqual(1);
  expect(clock.skewMs).toBeCloseTo(-3 * MINUTE_MS, 0);
});

test('a slow or lopsided round trip does not replace the measurement of a quick one', async () => {
  const { world, clock, error } = createWorld();
  await clock.measure();
  world.requestMs = 0;
  world.responseMs = 2_000;
  await clock.measure();
  expect(error()).toBeLessThanOrEqual(2);
});

test('no measurement is further off than half its round trip', async () => {
  for (const [requestMs, responseMs] of [
    [0, 400],
    [400, 0],
    [200, 200],
  ] as const) {
    const { world, clock, error } = createWorld({ databaseAheadMs: 12_345 });
    Object.assign(world, { requestMs, responseMs });
    await clock.measure();
    expect(error()).toBeLessThanOrEqual(200);
  }
});

test('after a failover the clock of the new database is used from the next measurement on', async () => {
  const { world, clock, error } = createWorld();
  await clock.measure();
  world.databaseAheadMs = 90_000;
  world.responseMs = 3_000;
  await clock.measure();
  expect(error()).toBeLessThanOrEqual(1_500);
  world.responseMs = 1;
  await clock.measure();
  expect(error()).toBeLessThanOrEqual(1);
});

test('without the database the known time goes on', async () => {
  const { world, clock, error } = createWorld({ machineAheadMs: 5 * MINUTE_MS });
  await clock.begin();
  world.isAway = true;
  world.trueMs += 10 * MINUTE_MS;
  await expect(clock.measure()).rejects.toThrow('away');
  expect(error()).toBeLessThanOrEqual(1);
});

test('nothing final is decided before the clock of the database was read', async () => {
  const { world, clock, decides } = createWorld();
  world.isAway = true;
  await clock.begin();
  expect(decides()).toContain('was not read yet');
  expect(clock.skewMs).toBeNull();
});

test.each([
  ['the machine', { machineAheadMs: SKEW_MAX_MS + 1_000 }],
  ['the machine, behind', { machineAheadMs: -SKEW_MAX_MS - 1_000 }],
  ['the database', { databaseAheadMs: SKEW_MAX_MS + 1_000 }],
  ['the database, behind', { databaseAheadMs: -SKEW_MAX_MS - 1_000 }],
])('nothing final is decided while a clock is wrong, until it is right again: %s', async (_name, wrong) => {
  const { world, clock, decides } = createWorld(wrong);
  await clock.measure();
  expect(decides()).toContain('differ by more than 5 s');
  Object.assign(world, { machineAheadMs: 0, databaseAheadMs: 0 });
  await clock.measure();
  expect(decides()).toBeCloseTo(world.trueMs, -1);
});

test('a step of the machine counts at once, without a measurement', async () => {
  const { world, clock, decides } = createWorld();
  await clock.measure();
  expect(decides()).toBeNumber();
  world.machineAheadMs = 10 * MINUTE_MS;
  expect(decides()).toContain('differ');
});

test('nothing final is decided by a measurement that is a minute old', async () => {
  const { world, clock, decides } = createWorld();
  await clock.measure();
  world.trueMs += MINUTE_MS + 1;
  expect(decides()).toContain('was not read for 60 s');
});
