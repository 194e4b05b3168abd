import { expect, test } from 'bun:test';
import { effortOf } from '../support/database/query-plans.ts';
import { openDatabase } from '../support/processes/worker-context.ts';

const TRADES = 40_000;
const TOKENS = 20;
/** One row in each of four statements, from either partition. */
const ROWS_MAX = TOKENS * 4 * 2;

test('the trades that outlive their partition are read by the index, token by token, however many there are', async () => {
  const db = await openDatabase();
  // Triggers and foreign keys are no part of the plan.
  await db`set session_replication_role = replica`;
  await db`
    insert into tokens (mint_address, creator_wallet, name, symbol, decimals, total_supply, launch_type, status,
      created_at, updated_at)
    select 'mint' || number, 'creator', 'Token', 'TOK', 6, 1, 'dbc', 'bonding', now(), now()
    from generate_series(0, ${TOKENS - 1}::int) as number`;
  for (const table of ['expiring', 'kept_before']) {
    await db.unsafe(
      `create table ${table} (like trades including defaults including constraints including indexes)`,
    );
    await db.unsafe(`
      insert into ${table} (id, mint_address, type, trader_wallet, sol_amount, token_amount, price_per_token_in_sol,
        liquidity_in_sol, slot, transaction_index, outer_index, inner_index, block_time, transaction_signature)
      select md5(number::text)::uuid, 'mint' || number % ${TOKENS}, 'buy', 'trader', 1, 1, 1, 1, number, 0, 0, 0, now(),
        md5(number::text)
      from generate_series(1, ${TRADES}) as number`);
    await db.unsafe(`analyze ${table}`);
  }
  const [row] = await db<{ text: string }[]>`select kept_trades('expiring', 'kept_before') as text`;
  const { scanned, rowsMax } = await effortOf(db, { text: row?.text ?? '', parameters: [] });
  expect(scanned.filter((name) => name !== 'tokens')).toEqual([]);
  expect(rowsMax).toBeLessThanOrEqual(ROWS_MAX);
});
