import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { type ChainHead, newerHead } from '../../src/chain/head.ts';
import { believedPosition, proofsNeeded } from '../../src/chain/node-trust/believed-position.ts';
import type { ChainPosition } from '../../src/chain/node-trust/position-history.ts';
import { FASTEST_PER_SECOND } from '../../src/chain/pace/chain-pace.ts';
import { paceOf } from '../../src/chain/pace/measured-pace.ts';
import { type ChainRpc, createChainRpc } from '../../src/chain/rpc.ts';
import { isPastWindow } from '../../src/intents/blockhash-window.ts';
import { decideOutcome } from '../../src/intents/confirm/outcome.ts';
import { boundGivenHeight } from '../../src/intents/prepare/block-height.ts';
import { createTestClock } from '../support/run/clock.ts';

// Intents that are never sent, so that only heights end them, among nodes of which one lies.

const WINDOW = 150n;
const SKIPPED_SLOTS = 500n;
/**
 * A node's first believed reading leads by 32 blocks at most. From there it climbs 64 blocks at once, and while no other
 * node responds as fast as a chain can. The remaining 193 blocks of a bound, which is 289 blocks ahead, take it this long.
 */
const LEAST_LIFE_MS = Math.floor((193 / FASTEST_PER_SECOND) * 1_000);

interface Intent {
  createdAt: Date;
  /** The last block that takes the transaction, in truth. */
  lastValid: bigint;
  /** The stored last valid block height. */
  bound: bigint;
  isPreparedOpen: boolean;
  isSubmittedOpen: boolean;
}

/** What a node says at one poll: blocks beside the truth, or nothing. */
type Report = bigint | 'silent';

class Model {
  readonly clock = createTestClock();
  readonly rpcs: readonly ChainRpc[];
  readonly liar: number;
  readonly blockMs: number;
  readonly intents: Intent[] = [];
  height = 1_000_000n;
  readonly #heads = new Map<ChainRpc, ChainHead>();
  #restMs = 0;

  constructor(nodeCount: number, liar: number, blockMs: number) {
    // The addresses are never called: the test records the reports of the nodes.
    this.rpcs = Array.from({ length: nodeCount }, (_, at) => createChainRpc(`http://127.0.0.1:${at + 1}`));
    this.liar = liar % nodeCount;
    this.blockMs = blockMs;
  }

  pass(ms: number): void {
    this.clock.advance(ms);
    this.#restMs += ms;
    this.height += BigInt(Math.floor(this.#restMs / this.blockMs));
    this.#restMs %= this.blockMs;
  }

  /** Asks every node in this order, and judges every open intent by their reports. */
  poll(lie: Report, truths: readonly Report[], order: number): void {
    const now = this.clock.now();
    const turns = this.rpcs.map((_, at) => (at + order) % this.rpcs.length);
    const readings = new Map<ChainRpc, ChainPosition | null>();
    const believed = new Map<ChainRpc, ChainPosition | null>();
    for (const at of turns) {
      const rpc = this.rpcs[at] as ChainRpc;
      const report = at === this.liar ? lie : (truths[at] ?? 0n);
      const blockHeight = report === 'silent' ? null : this.height + report;
      const reading =
        blockHeight === null || blockHeight < 0n ? null : { blockHeight, slot: blockHeight + SKIPPED_SLOTS };
      rpc.positions.record(reading, now);
      readings.set(rpc, reading);
      if (reading !== null) believed.set(rpc, believedPosition(rpc, reading, this.rpcs, now));
    }
    for (const [rpc, position] of believed)
      if (position !== null) this.#heads.set(rpc, { ...position, observedAt: now });
    for (const intent of this.intents) this.#judge(intent, readings, believed, now);
  }

  #judge(
    intent: Intent,
    readings: ReadonlyMap<ChainRpc, ChainPosition | null>,
    believed: ReadonlyMap<ChainRpc, ChainPosition | null>,
    now: Date,
  ): void {
    const { bound: lastValidBlockHeight, createdAt } = intent;
    if (intent.isPreparedOpen && this.#isPastWindow({ lastValidBlockHeight, createdAt })) {
      intent.isPreparedOpen = false;
      // One node's report decides, which costs the client another preparation and no payment.
      if (this.height <= intent.lastValid)
        expect(now.getTime() - createdAt.getTime()).toBeGreaterThanOrEqual(LEAST_LIFE_MS);
    }
    if (!intent.isSubmittedOpen) return;
    const views = this.rpcs.map((rpc, at) => {
      const reading = readings.get(rpc) ?? null;
      // The liar has seen everything; an honest node looks in the state that it has.
      const contextSlot = at === this.liar ? 2n ** 62n : (reading?.slot ?? 0n);
      return {
        position: believed.get(rpc) ?? null,
        lifetime: null,
        lookup: reading === null && at !== this.liar ? null : { contextSlot, status: null },
      };
    });
    const facts = { lastValidBlockHeight, createdAt, expiresAt: new Date(8.64e15) };
    const sent = { wasAccepted: true, mayHaveBeenTaken: true, hasSignatureMismatch: false };
    const outcome = decideOutcome({ ...facts, ...sent }, views, proofsNeeded(this.rpcs, now), now);
    if (outcome === null) return;
    expect(outcome).toMatchObject({ status: 'failed', errorCode: 'solana_blockhash_expired' });
    expect(this.height).toBeGreaterThan(intent.lastValid);
    intent.isSubmittedOpen = false;
  }

  #isPastWindow(window: { lastValidBlockHeight: bigint; createdAt: Date }): boolean {
    const now = this.clock.now();
    let newest: ChainHead | null = null;
    for (const head of this.#heads.values()) newest = newest === null ? head : newerHead(newest, head, now);
    const chainHead = {
      current: () => newest,
      identity: () => null,
      pace: () => paceOf(this.rpcs),
      run: async () => {},
    };
    return isPastWindow(window, { chainHead, clock: this.clock });
  }

  /** An intent whose blockhash is so many blocks old, with a height that its caller gives, right after a poll. */
  async prepare(ageBlocks: bigint, wrongBy: bigint): Promise<void> {
    const lastValid = this.height - ageBlocks + WINDOW;
    const bound = await boundGivenHeight(lastValid + wrongBy, this.rpcs, this.clock);
    // Too little is known to say when it ends: then its blockhash decides, and no height.
    if (bound === null) return;
    expect(bound).toBeGreaterThanOrEqual(lastValid);
    const createdAt = this.clock.now();
    this.intents.push({ createdAt, lastValid, bound, isPreparedOpen: true, isSubmittedOpen: true });
  }

  get isAnythingOpen(): boolean {
    return this.intents.some((intent) => intent.isPreparedOpen || intent.isSubmittedOpen);
  }
}

type Command = (model: Model) => void | Promise<void>;

const truth = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<Report>(0n, 0n, -1n, -3n, -40n) },
  { weight: 1, arbitrary: fc.constant<Report>('silent') },
);
const lie = fc.oneof(
  fc.constant<Report>('silent'),
  fc.constantFrom<Report>(0n, 30n, 32n, 33n, 64n, 65n, 150n, 300n, 1_000n, 10n ** 9n, 2n ** 70n),
  fc.constantFrom<Report>(-1n, -40n, -150n, -300n, -900n, -(10n ** 6n)),
  fc.bigInt({ min: -500n, max: 500n }),
);
const poll = fc.tuple(lie, fc.tuple(truth, truth, truth), fc.nat(2)).map<Command>(
  ([liar, truths, order]) =>
    (model) =>
      model.poll(liar, truths, order),
);
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: poll },
  {
    weight: 3,
    arbitrary: fc.integer({ min: 1, max: 30_000 }).map<Command>((ms) => (model) => model.pass(ms)),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        poll,
        fc.constantFrom(0n, 0n, 10n, 140n),
        fc.constantFrom(0n, -1_000n, -140n, -20n, 20n, 1_000n, 20_000n),
      )
      .map<Command>(([ask, ageBlocks, wrongBy]) => async (model) => {
        await ask(model);
        await model.prepare(ageBlocks, wrongBy);
      }),
  },
);
// Together shorter than the ten minutes after which a silent node no longer counts.
const commands = fc.array(command, { minLength: 4, maxLength: 18 });

test('whatever one of two or three nodes says of heights, nothing ends while the chain could still take it, and everything ends after that', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(2, 3),
      fc.nat(2),
      fc.constantFrom(80, 160, 200, 400, 800),
      commands,
      fc.array(lie, { minLength: 1, maxLength: 3 }),
      async (nodeCount, liar, blockMs, run, lastLies) => {
        const model = new Model(nodeCount, liar, blockMs);
        for (const each of run) await each(model);
        // Two honest nodes end an expired intent although the third lies. With two nodes, both have to be honest.
        const [latest = model.height] = model.intents
          .map(({ bound }) => bound)
          .toSorted((a, b) => Number(b - a));
        // A fast chain may be past every bound already: then the nodes still have to say so.
        for (let turn = 0; turn < 3 || model.height <= latest + 400n; turn += 1) {
          model.pass(Math.max(20, Number(latest - model.height + 500n)) * (blockMs / 20));
          model.poll(nodeCount === 3 ? (lastLies[turn % lastLies.length] ?? 0n) : 0n, [0n, 0n, 0n], turn);
        }
        expect(model.isAnythingOpen).toBe(false);
      },
    ),
    { numRuns: 600 },
  );
});
