import { between, type Random, seededRandom, shuffled } from '../../bench/measurement/seeded-random.ts';

/** Kinds of faults that the nemesis can cause. A deployment offers some of them. */
export const faultKinds = [
  'kill',
  'stop',
  'partition',
  'slow',
  'clock',
  'read-only',
  'full-disk',
  'full-broker',
  'node',
  'fork',
  'promote',
  'wipe',
] as const;
export type FaultKind = (typeof faultKinds)[number];
/** Kinds that a walk has without being asked. The others need root, and stop everything else for long. */
export const usualFaultKinds: readonly FaultKind[] = faultKinds.filter((kind) => kind !== 'full-broker');

/** One fault. Everything in it comes from the seed. */
export interface PlannedFault {
  readonly kind: FaultKind;
  /** A process, a link, or a node of the chain. */
  readonly target: string;
  /** Details of the fault, such as the milliseconds of a delay. */
  readonly detail: string;
  /** Milliseconds until it ends. */
  readonly lastsMs: number;
}

/** Faults that begin together, after a pause without any. */
export interface PlanStep {
  readonly pauseMs: number;
  readonly faults: readonly PlannedFault[];
}

/** Targets of a deployment by kind of fault. The plan leaves out a kind that has no target. */
export type FaultTargets = Readonly<Record<FaultKind, readonly string[]>>;

const PAUSE_MS = [300, 2_500] as const;
/** Two faults at the same time in this share of the steps. */
const PAIR_SHARE = 0.5;
/** How often a kind comes in each round; the others once. */
const PER_ROUND: Partial<Record<FaultKind, number>> = { kill: 3, partition: 2 };

/**
 * What takes a copy of the data away; with another fault at the same time it could be the last one. And a broker
 * that stays full until a worker says so, which must not be killed meanwhile.
 */
const ALONE: ReadonlySet<FaultKind> = new Set(['full-broker', 'promote', 'wipe']);

const lastsMs: Readonly<Record<FaultKind, readonly [number, number]>> = {
  kill: [50, 3_000],
  stop: [1_000, 20_000],
  partition: [1_000, 12_000],
  slow: [3_000, 12_000],
  clock: [4_000, 15_000],
  'read-only': [1_000, 6_000],
  'full-disk': [1_000, 8_000],
  'full-broker': [1_000, 4_000],
  node: [3_000, 15_000],
  fork: [0, 0],
  promote: [0, 0],
  wipe: [500, 3_000],
};

const details: Readonly<Record<FaultKind, (random: Random) => string>> = {
  kill: () => 'SIGKILL',
  stop: () => 'SIGSTOP',
  partition: (random) => (random() < 0.5 ? 'silent' : 'refused'),
  slow: (random) => `${between(random, 20, 400)} ms`,
  clock: (random) => `${random() < 0.5 ? '-' : '+'}${between(random, 1, 10)} min`,
  'read-only': () => 'transactions cannot write',
  'full-disk': () => 'no block is free',
  'full-broker': () => 'no block is free until a worker says so',
  node: (random) => nodeFaults[between(random, 0, nodeFaults.length - 1)] ?? '{}',
  fork: (random) => `${between(random, 1, 4)} blocks`,
  promote: () => 'the standby becomes the primary',
  wipe: () => 'killed, and its files deleted',
};

/** Faults of one node of the chain: it lies, lags, refuses or swallows requests (sandbox/chain/faults.ts). */
const nodeFaults = [
  '{"lagSlots":12}',
  '{"lagSlots":60}',
  '{"hideStatuses":true}',
  '{"dropSends":"all"}',
  '{"wrongSignature":true}',
  '{"duplicateSends":true}',
  '{"delaySlots":20}',
  '{"down":"unavailable"}',
  '{"rateLimit":{"requests":"all","retryAfterSeconds":1}}',
  '{"silentSockets":true}',
  '{"latencyMs":1500}',
];

/**
 * The faults of a walk, from the seed alone: the same seed, length, kinds and targets give the same plan. They come
 * in rounds that have every kind, and every target of a kind comes before any comes again.
 */
export function faultPlan(
  seed: number,
  durationMs: number,
  kinds: readonly FaultKind[],
  targets: FaultTargets,
): PlanStep[] {
  const random = seededRandom(seed);
  const usable = kinds.filter((kind) => targets[kind].length > 0);
  if (usable.length === 0) return [];
  const nextKind = inRounds(
    random,
    usable.flatMap((kind) => Array.from({ length: PER_ROUND[kind] ?? 1 }, () => kind)),
  );
  const nextTarget = new Map(usable.map((kind) => [kind, inRounds(random, targets[kind])]));
  const steps: PlanStep[] = [];
  let plannedMs = 0;
  while (plannedMs < durationMs) {
    const pauseMs = between(random, ...PAUSE_MS);
    const faults = Array.from({ length: random() < PAIR_SHARE ? 2 : 1 }, () => {
      const kind = nextKind();
      return {
        kind,
        target: nextTarget.get(kind)?.() ?? '',
        detail: details[kind](random),
        lastsMs: between(random, ...lastsMs[kind]),
      };
    });
    const [first, second] = faults;
    // A process that is killed twice at once is killed once.
    const isTwice = first !== undefined && first.target === second?.target;
    const alone = faults.find(({ kind }) => ALONE.has(kind));
    const kept = alone !== undefined ? [alone] : isTwice ? [first] : faults;
    steps.push({ pauseMs, faults: kept });
    plannedMs += pauseMs + Math.max(...kept.map((fault) => fault.lastsMs));
  }
  return steps;
}

/** Draws every value once, in random order, before any comes again. */
function inRounds<Value>(random: Random, values: readonly Value[]): () => Value {
  let round: Value[] = [];
  return () => {
    if (round.length === 0) round = shuffled(random, values);
    const value = round.pop();
    if (value === undefined) throw new Error('nothing to draw from');
    return value;
  };
}

/** One line of a plan, for people. */
export function planLine(number: number, { pauseMs, faults }: PlanStep): string {
  const texts = faults.map(
    ({ kind, target, detail, lastsMs }) => `${kind} ${target} (${detail}, ${lastsMs} ms)`,
  );
  return `${String(number).padStart(4)}. after ${pauseMs} ms ${texts.join(' and ')}`;
}
