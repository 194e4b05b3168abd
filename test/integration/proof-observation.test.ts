import { beforeAll, beforeEach, expect, test } from 'bun:test';
import type { Database } from '../../src/db/client.ts';
import { observeSourceProofs, sourceReadiness } from '../../src/indexer/proofs/observe-proofs.ts';
import { createProcessMetrics } from '../../src/shared/metrics/process-metrics.ts';
import { emptyTables } from '../support/database/empty-tables.ts';
import { openDatabase } from '../support/processes/worker-context.ts';

let db: Database;

beforeAll(async () => {
  db = await openDatabase();
});
beforeEach(() => emptyTables(db, 'tokens'));

/** Tokens with a pool: proven so many seconds ago (null: never), traded so many minutes ago. */
async function tokens(
  ...states: [provenSecondsAgo: number | null, tradedMinutesAgo: number][]
): Promise<void> {
  for (const [at, [proven, traded]] of states.entries()) {
    const mint = `mint${at}`;
    await db`
      insert into tokens (mint_address, creator_wallet, name, symbol, decimals, total_supply, launch_type, status,
        pool_address, created_at, updated_at)
      values (${mint}, 'wallet', 'n', 's', 6, 1, 'dbc', 'bonding', ${`pool${at}`}, now(), now())`;
    await db`
      insert into token_markets (mint_address, as_of) values (${mint}, now() - ${traded} * interval '1 minute')`;
    if (proven !== null)
      await db`
        insert into source_proofs (mint_address, through, slot)
        values (${mint}, now() - ${proven} * interval '1 second', 1)`;
  }
}

async function scrapedLines(): Promise<string[]> {
  const metrics = createProcessMetrics('test');
  observeSourceProofs(metrics, db);
  const text = await metrics.read();
  return text.split('\n').filter((line) => line.startsWith('launchwire_source_proof'));
}
const sampleOf = (lines: readonly string[], name: string) =>
  Number(lines.find((line) => line.startsWith(name))?.split(' ')[1]);

test('ages and counts distinguish one lagging token from many, and tokens without trades', async () => {
  await tokens([5, 1], [200, 30], [4_000, 600], [null, 1]);
  const lines = await scrapedLines();
  expect(sampleOf(lines, 'launchwire_source_proof_newest_age_seconds')).toBeLessThan(120);
  const oldest = sampleOf(lines, 'launchwire_source_proof_oldest_age_seconds');
  expect(oldest).toBeGreaterThanOrEqual(200);
  expect(oldest).toBeLessThan(1_000);
  expect(lines.filter((line) => line.includes('_tokens'))).toEqual([
    'launchwire_source_proof_tokens{state="proven"} 1',
    'launchwire_source_proof_tokens{state="lagging"} 2',
    'launchwire_source_proof_tokens{state="unproven"} 1',
  ]);
});

test('without any proof there is no age, and the source counts as ready; it is never required', async () => {
  await tokens([null, 1]);
  const lines = await scrapedLines();
  expect(lines.some((line) => line.includes('age_seconds'))).toBe(false);
  const readiness = sourceReadiness(db);
  expect([readiness.required, await readiness.check()]).toEqual([false, { ready: true }]);
});

test('the source is not ready while even the newest proof lags', async () => {
  await tokens([300, 1], [90, 1]);
  expect(await sourceReadiness(db).check()).toEqual({
    ready: false,
    detail: expect.stringContaining('asOf'),
  });
  await tokens();
  await db`update source_proofs set through = now() where mint_address = 'mint1'`;
  expect(await sourceReadiness(db).check()).toEqual({ ready: true });
});
