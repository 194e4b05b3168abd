import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Freshness } from '../../src/http/caches/cache-reader.ts';
import { SerialisedCache } from '../../src/http/caches/serialised-cache.ts';
import { Gate } from '../../src/shared/gate.ts';

const MAX_AGE_MS = 1_000;
const KEYS = ['a', 'b'] as const;
type Key = (typeof KEYS)[number];

/** The state of a record: how many changes it has had, and null while it is hidden. */
type State = { changes: number } | null;

interface RunningLoad {
  key: Key;
  wasForgotten: boolean;
  end(): void;
}

/** Records that change and are announced late, and a cache of them whose loads end when they are told to. */
class Model {
  nowMs = 0;
  readonly changes = { a: 0, b: 0 };
  readonly isHidden = { a: false, b: false };
  /** How often each was shown again. */
  readonly shown = { a: 0, b: 0 };
  /** By key: when the cache heard of each change; absent while it has not. */
  readonly heardAtMs: Record<Key, number[]> = { a: [], b: [] };
  readonly running: RunningLoad[] = [];
  readonly violations: string[] = [];
  readonly cache = new SerialisedCache<{ changes: number }>({
    gate: new Gate({ runningMax: 4, clientRunningMax: 4 }),
    maxAgeMs: MAX_AGE_MS,
    entriesMax: 100,
    nowMs: () => this.nowMs,
  });

  read(key: Key, freshness: Freshness): void {
    const reader = { client: { name: 'reader', isKeyed: true }, freshness };
    const came = { atMs: this.nowMs, changes: this.changes[key], heard: this.heardAtMs[key].length };
    const wasHidden = this.isHidden[key];
    const shownBefore = this.shown[key];
    const check = (changes: number | null) => {
      if (changes === null) return;
      const told = `${freshness} read of ${key} that came at ${came.atMs} got ${changes} at ${this.nowMs}`;
      if (wasHidden && this.shown[key] === shownBefore) this.violations.push(`${told}, hidden`);
      if (freshness === 'fresh' && changes < came.changes) this.violations.push(`${told} of ${came.changes}`);
      if (freshness === 'current' && changes < came.heard) this.violations.push(`${told} of ${came.heard}`);
      const missedAtMs = changes < came.heard ? this.heardAtMs[key][changes] : undefined;
      if (missedAtMs !== undefined && this.nowMs - missedAtMs >= MAX_AGE_MS)
        this.violations.push(`${told}, without the change of ${missedAtMs}`);
    };
    const reply = this.cache.get(reader, key, () => this.#load(key));
    const changesOf = (text: string | undefined) =>
      text === undefined ? null : (JSON.parse(text) as { changes: number }).changes;
    if (reply instanceof Promise) void reply.then((late) => check(changesOf(late?.text)));
    else check(changesOf(reply?.text));
  }

  /** The state is that of the beginning: the oldest that a statement may show. */
  async #load(key: Key): Promise<State> {
    const state = this.isHidden[key] ? null : { changes: this.changes[key] };
    if (this.running.some((load) => load.key === key && !load.wasForgotten))
      this.violations.push(`two loads of ${key} run at ${this.nowMs}`);
    await new Promise<void>((end) => this.running.push({ key, wasForgotten: false, end }));
    return state;
  }

  change(key: Key): void {
    this.changes[key] += 1;
  }

  /** The hint of every change so far: of one record, or of any, as lists get it. */
  announce(key: Key, isOfAll: boolean): void {
    for (const of of isOfAll ? KEYS : [key])
      while (this.heardAtMs[of].length < this.changes[of]) this.heardAtMs[of].push(this.nowMs);
    if (isOfAll) this.cache.dropAll();
    else this.cache.drop(key);
  }

  hide(key: Key): void {
    this.isHidden[key] = true;
    this.cache.clear();
    for (const load of this.running) load.wasForgotten = true;
  }

  show(key: Key): void {
    this.isHidden[key] = false;
    this.shown[key] += 1;
    this.announce(key, false);
  }

  endLoad(at: number): void {
    const [load] = this.running.splice(at % Math.max(1, this.running.length), 1);
    load?.end();
  }
}

const key = fc.constantFrom(...KEYS);
const step: fc.Arbitrary<(model: Model) => void> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(key, fc.constantFrom<Freshness>('granted', 'granted', 'current', 'fresh')).map(
      ([of, freshness]) =>
        (model: Model) =>
          model.read(of, freshness),
    ),
  },
  { weight: 4, arbitrary: key.map((of) => (model: Model) => model.change(of)) },
  {
    weight: 4,
    arbitrary: fc.tuple(key, fc.boolean()).map(
      ([of, isOfAll]) =>
        (model: Model) =>
          model.announce(of, isOfAll),
    ),
  },
  { weight: 5, arbitrary: fc.nat(3).map((at) => (model: Model) => model.endLoad(at)) },
  {
    weight: 4,
    arbitrary: fc.integer({ min: 1, max: 700 }).map((ms) => (model: Model) => {
      model.nowMs += ms;
    }),
  },
  { weight: 1, arbitrary: key.map((of) => (model: Model) => model.hide(of)) },
  { weight: 1, arbitrary: key.map((of) => (model: Model) => model.show(of)) },
);

test('a read is as new as its reader needs, shows nothing hidden, and loads of a key never run at once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 120 }), async (steps) => {
      const model = new Model();
      for (const act of steps) {
        act(model);
        await new Promise((resolve) => setImmediate(resolve));
      }
      while (model.running.length > 0) {
        model.endLoad(0);
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(model.violations).toEqual([]);
    }),
    { numRuns: 200 },
  );
});
