import { expect, test } from 'bun:test';
import pino from 'pino';
import { createChainRpc } from '../../src/chain/rpc.ts';
import type { IndexedPool } from '../../src/indexer/pool-history/list-pools.ts';
import { NodeUnavailable } from '../../src/indexer/pool-history/node-set.ts';
import { PoolFacts } from '../../src/indexer/pool-history/pool-facts.ts';
import { createTestClock } from '../support/run/clock.ts';

const MINUTE_MS = 60_000;

test('a pool whose account no node has is asked for again later, and its operator is warned once', async () => {
  const clock = createTestClock();
  const warnings: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line).msg) });
  const rpc = createChainRpc('http://127.0.0.1:1');
  let asked = 0;
  const nodes = {
    available: () => [rpc],
    call: async () => {
      asked += 1;
      throw new NodeUnavailable('the method is switched off');
    },
  };
  const pool = { poolAddress: 'pool', mintAddress: 'mint', isInspected: false } as IndexedPool;
  const facts = new PoolFacts({ clock, log, nodes } as never, pool);
  const walk = async (times: number) => {
    for (let time = 0; time < times; time += 1) {
      await facts.inspect(rpc);
      expect(facts.pool).toBe(pool);
    }
    return asked;
  };
  expect(await walk(10)).toBe(3);
  clock.advance(9 * MINUTE_MS);
  expect(await walk(10)).toBe(3);
  clock.advance(MINUTE_MS);
  expect(await walk(10)).toBe(6);
  expect(warnings).toEqual(['indexer.pool_not_inspected']);
});
