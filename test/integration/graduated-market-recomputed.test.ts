import { beforeAll, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import type { NatsConnection } from '@nats-io/transport-node';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { ensureStreams } from '../../src/shared/bus/streams.ts';
import { RecordedChain } from '../support/chain/recorded-rpc.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { knowToken, startIndexer } from '../support/market/chain-indexer.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTestNats } from '../support/servers/nats.ts';

// Figures of a market recomputed from recorded balances and account bytes. Nothing here decodes an event, and nothing
// is shared with what is tested.

const FOLDER = new URL('../fixtures/damm/', import.meta.url);
const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';

// biome-ignore lint/suspicious/noExplicitAny: recordings as they are, without the product's types
const histories: any[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json'))
  .sort()
  .map((file) => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')));

let db: Database;
let connection: NatsConnection;
beforeAll(async () => {
  const [nats, { url }] = await Promise.all([createTestNats(), createTestDatabase()]);
  connection = await connectBus(nats.url, 'test');
  atEnd(() => connection.close());
  await ensureStreams(connection);
  db = connectDatabase(url, { applicationName: 'test', connections: 6 });
  atEnd(() => db.end({ timeout: 1 }));
});

type Balances = { accountIndex: number; mint: string; owner: string; uiTokenAmount: { amount: string } }[];

/** What the token accounts of these owners gained of a mint in a transaction, raw. */
function gained(
  meta: { preTokenBalances: Balances; postTokenBalances: Balances },
  owners: string[],
  mint: string,
) {
  const sum = (balances: Balances) =>
    balances
      .filter((one) => one.mint === mint && owners.includes(one.owner))
      .reduce((total, one) => total + BigInt(one.uiTokenAmount.amount), 0n);
  return sum(meta.postTokenBalances) - sum(meta.preTokenBalances);
}

const raw = (amount: string, decimals: number) => {
  const [whole = '0', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
};
const decimal = (units: bigint, decimals: number) => {
  const digits = units.toString().padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, '');
};
const little = (bytes: Buffer, from: number, length: number) =>
  BigInt(
    `0x${Buffer.from(bytes.subarray(from, from + length))
      .reverse()
      .toString('hex')}`,
  );

for (const history of histories) {
  test(`${history.name}: volumes, price and liquidity are what balances and accounts say`, async () => {
    const known = history.knownAddresses;
    const decimals: number = history.supplyFacts.decimals;
    const chain = new RecordedChain();
    for (const step of history.steps) chain.add(step.transaction);
    const accounts = new Map<string, { owner: string; data: Buffer }>();
    for (const [address, account] of Object.entries<{ owner: string; dataBase64: string }>(
      history.accountsAfter,
    ))
      accounts.set(address, { owner: account.owner, data: Buffer.from(account.dataBase64, 'base64') });
    chain.setAccounts(accounts);
    const node = chain.startNode();
    atEnd(() => node.stop());
    const pool = { mintAddress: known.baseMint, decimals, poolAddress: known.pool ?? known.ammPool };
    await knowToken(db, { name: history.name, pool });
    const swaps = history.steps.flatMap(
      (step: { expected: { trades: object[] } }) => step.expected.trades,
    ).length;
    const run = startIndexer({ db, connection }, [node.url]);
    const mint = known.baseMint;
    await eventually('trades', async () => {
      const [row] = await db`select count(*)::int as count from trades where mint_address = ${mint}`;
      return row?.count === swaps;
    });
    const bytes = accounts.get(known.ammPool)?.data ?? Buffer.alloc(0);
    const solIsA = bytes.subarray(168, 200).equals(Buffer.from(accountKey(WRAPPED_SOL)));
    const reserve = decimal(little(bytes, solIsA ? 680 : 688, 8), 9);
    await eventually('liquidity', async () => {
      const [row] = await db`
        select trim_scale(liquidity_in_sol)::text as liquidity from token_markets where mint_address = ${mint}`;
      return row?.liquidity === reserve;
    });
    await run.stop();

    const trades = await db<
      { type: string; solAmount: string; tokenAmount: string; transactionSignature: string }[]
    >`select type, sol_amount, token_amount, transaction_signature from trades where mint_address = ${mint}`;
    const authorities = [known.dbcPoolAuthority, known.ammPoolAuthority].filter(Boolean);
    for (const { what, transaction } of history.steps) {
      const own = trades.filter((one) => one.transactionSignature === transaction.transaction.signatures[0]);
      // A referral leaves the vaults in the same instruction.
      if (own.length === 0 || what.includes('referral')) continue;
      const flow = (key: 'solAmount' | 'tokenAmount', places: number) =>
        own.reduce((sum, one) => sum + (one.type === 'buy' ? 1n : -1n) * raw(one[key], places), 0n);
      expect({ what, sol: flow('solAmount', 9), token: -flow('tokenAmount', decimals) }).toEqual({
        what,
        sol: gained(transaction.meta, authorities, WRAPPED_SOL),
        token: gained(transaction.meta, authorities, mint),
      });
    }

    const root = little(bytes, 456, 16);
    const scale = 10n ** BigInt(18 + decimals - 9);
    const price = solIsA ? ((1n << 128n) * scale) / (root * root) : (root * root * scale) >> 128n;
    const [market] = await db`
      select trim_scale(price_in_sol)::text as price from token_markets where mint_address = ${mint}`;
    expect(market?.price).toBe(decimal(price, 18));
    const [volumes] = await db`
      select sum(volume_in_sol) = (select sum(sol_amount) from trades where mint_address = ${mint}) as is_same,
        sum(trade_count)::int as count
      from candles where mint_address = ${mint} and interval = '1d'`;
    expect(volumes).toEqual({ isSame: true, count: swaps });
  });
}

/** Base58, spelled out. */
function accountKey(address: string): Uint8Array {
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
  let value = 0n;
  for (const character of address) value = value * 58n + BigInt(alphabet.indexOf(character));
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
}
