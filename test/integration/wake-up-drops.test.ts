import { beforeAll, expect, test } from 'bun:test';
import type { NatsConnection } from '@nats-io/transport-node';
import fc from 'fast-check';
import type { Faults } from '../../sandbox/chain/server.ts';
import type { StreamTimes } from '../../src/chain/streams/keep-connected.ts';
import type { Database } from '../../src/db/client.ts';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { ensureStreams } from '../../src/shared/bus/streams.ts';
import { emptyTables } from '../support/database/empty-tables.ts';
import { type IndexerRun, knowToken, startIndexer } from '../support/market/chain-indexer.ts';
import { PoolChain } from '../support/market/pool-chain.ts';
import { createWorkerStage } from '../support/processes/worker-stage.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

const SLOT_MS = 20;
const FAST: StreamTimes = { silenceMs: 1_000, firstBackoffMs: 20, lastBackoffMs: 200, distrustMs: 200 };
const POOLS = 3;
let db: Database;
let connection: NatsConnection;
let market: PoolChain;

beforeAll(async () => {
  const stage = await createWorkerStage();
  ({ db } = stage);
  connection = await connectBus(stage.nats.url, 'test');
  atEnd(() => connection.close());
  await ensureStreams(connection);
  await emptyTables(db, 'tokens', 'events', 'indexer_cursors');
  market = await PoolChain.start(SLOT_MS);
  atEnd(() => market.chain.stop());
});

const faults: fc.Arbitrary<Faults> = fc.oneof(
  fc.constant<Faults>({}),
  fc.constant<Faults>({ silentSockets: true }),
  fc.constant<Faults>({ down: 'unavailable' }),
  fc.constant<Faults>({ down: 'refuse' }),
  fc.nat(40).map<Faults>((lagSlots) => ({ lagSlots })),
  fc.nat(10).map<Faults>((requests) => ({ rateLimit: { requests, retryAfterSeconds: 0 } })),
);
type Step = { trade: number } | { node: 0 | 1; faults: Faults } | { slots: number };
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.nat(POOLS - 1).map<Step>((trade) => ({ trade })) },
    { weight: 2, arbitrary: fc.record({ node: fc.constantFrom(0 as const, 1 as const), faults }) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 20 }).map<Step>((slots) => ({ slots })) },
  ),
  { minLength: 20, maxLength: 60 },
);

async function storedSignatures(mintAddress: string): Promise<string[]> {
  const rows = await db<{ transactionSignature: string }[]>`
    select transaction_signature from trades where mint_address = ${mintAddress}
    order by slot, transaction_index, outer_index, inner_index`;
  return rows.map(({ transactionSignature }) => transactionSignature);
}

test('over any sequence of silences, drops, lags and outages of two nodes every trade is stored once, in the order of the chain', async () => {
  const second = market.chain.addNode();
  const nodes = [market.chain, second];
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const tokens = Array.from({ length: POOLS }, () => market.launch());
      const expected = new Map(tokens.map(({ mintAddress, signature }) => [mintAddress, [signature]]));
      for (const { mintAddress, poolAddress } of tokens)
        await knowToken(db, { name: mintAddress, pool: { mintAddress, poolAddress, decimals: 6 } });
      const first = market.launched.length - POOLS;
      const run: IndexerRun = startIndexer(
        { db, connection },
        nodes.map(({ rpcUrl }) => rpcUrl),
        {
          socketUrls: nodes.map(({ socketUrl }) => socketUrl),
          head: () => market.chain.ledger.slot,
          streamTimes: FAST,
        },
      );
      try {
        for (const step of sequence) {
          if ('trade' in step) {
            const { mintAddress, signature } = market.trade(first + step.trade);
            expected.get(mintAddress)?.push(signature);
          } else if ('slots' in step) {
            const until = market.chain.ledger.slot + BigInt(step.slots);
            await eventually('slots', async () => market.chain.ledger.slot >= until);
          } else nodes[step.node]?.setFaults(step.faults);
        }
        for (const node of nodes) node.setFaults({});
        for (const [mintAddress, signatures] of expected)
          await eventually(
            'trades',
            async () => (await storedSignatures(mintAddress)).length >= signatures.length,
          );
        for (const [mintAddress, signatures] of expected)
          expect(await storedSignatures(mintAddress)).toEqual(signatures);
      } finally {
        for (const node of nodes) node.setFaults({});
        await run.stop();
      }
      // The tokens of one sequence are not polled in the next.
      await db`update tokens set pool_address = null`;
    }),
    { numRuns: 6, endOnFailure: true },
  );
});

test('with sockets a trade wakes its pool, and a quiet pool is proven by sweeps without being walked again', async () => {
  const token = market.launch();
  await knowToken(db, { name: 'woken', pool: { ...token, decimals: 6 } });
  const { chain } = market;
  const run = startIndexer({ db, connection }, [chain.rpcUrl], {
    socketUrls: [chain.socketUrl],
    head: () => chain.ledger.slot,
  });
  try {
    await eventually('launch', async () => (await storedSignatures(token.mintAddress)).length === 1);
    await eventually('up', async () => run.indexing.wakeUps.isLive);
    const { signature } = market.trade(market.launched.length - 1);
    await eventually('trade', async () => (await storedSignatures(token.mintAddress)).includes(signature));
    expect(run.indexing.wakeUps.states[0]?.wakeUps).toBeGreaterThan(0);
    await eventually('proven', async () =>
      run.quiet.some(({ poolAddresses }) => poolAddresses.includes(token.poolAddress)),
    );
    const [proof] = run.quiet;
    expect(proof?.slot).toBeLessThan(chain.ledger.slot);
    // biome-ignore lint/plugin: whether it is of this clock and unit; an hour is no speed
    expect(Math.abs((proof?.time.getTime() ?? 0) - Date.now())).toBeLessThan(3_600_000);
  } finally {
    await run.stop();
  }
});
