import { beforeAll, expect, test } from 'bun:test';
import { Keypair } from '@solana/web3.js';
import { type SandboxChain, startChain } from '../../sandbox/chain/server.ts';
import { SPL_TOKEN, SYSTEM_PROGRAM } from '../../src/chain/accounts/programs.ts';
import { RENT_SYSVAR } from '../../src/chain/accounts/sysvars.ts';
import { writeCurvePool } from '../../src/chain/pools/curve/pool-account.ts';
import { connectDatabase } from '../../src/db/client.ts';
import { FeeRefresh } from '../../src/indexer/fees/fee-refresh.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import { rentOn, setRent } from '../support/chain/cluster-rent.ts';
import { interceptNode } from '../support/chain/node-interceptor.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { fundedWallet } from '../support/intents/submitted-intent.ts';
import { feeDependencies, recordHistory, registerToken } from '../support/market/pool-fees.ts';
import { runAdmin } from '../support/operations/admin-program.ts';
import { dammFixture } from '../support/pools/damm-fixtures.ts';
import { atEnd } from '../support/run/cleanup.ts';

const fixture = dammFixture('a');
const { creator, feeClaimer } = fixture.known as unknown as { creator: string; feeClaimer: string };
let url: string;
let chain: SandboxChain;
let account: string;
let address: string;

beforeAll(async () => {
  ({ url } = await createTestDatabase());
  chain = await startChain({ slotMs: 'manual' });
  atEnd(() => chain.stop());
  address = (await fundedWallet(chain.rpcUrl)).publicKey.toBase58();
  chain.advanceSlots(2);
  const db = connectDatabase(url, { applicationName: 'test', connections: 1 });
  ({ accountId: account } = await createTestKey(db));
  await db.end();
});

const feeAccount = (verb: string, ...args: string[]) => feeAccountBy(chain.rpcUrl, verb, ...args);

async function feeAccountBy(rpcUrl: string, verb: string, ...args: string[]) {
  const environment = { DATABASE_URL: url, SOLANA_RPC_URL: rpcUrl };
  const { code, output } = await runAdmin(['fee-account', verb, ...args, '--json'], environment);
  return { code, output };
}

test('a fee account is registered, shown, replaced and removed', async () => {
  const set = await feeAccount('set', '--account', account, '--address', address);
  expect(set.code).toBe(0);
  expect(JSON.parse(set.output)).toMatchObject({ accountId: account, address });
  expect((await feeAccount('show', '--account', account)).output).toBe(set.output);
  const other = (await fundedWallet(chain.rpcUrl)).publicKey.toBase58();
  chain.advanceSlots(2);
  const replaced = await feeAccount('set', '--account', account.toUpperCase(), '--address', other);
  expect(JSON.parse(replaced.output)).toMatchObject({
    address: other,
    createdAt: JSON.parse(set.output).createdAt,
  });
  const removed = await feeAccount('remove', '--account', account);
  expect(JSON.parse(removed.output)).toMatchObject({ accountId: account, address: other });
  for (const verb of ['show', 'remove'])
    expect(await feeAccount(verb, '--account', account)).toMatchObject({
      code: 1,
      output: expect.stringContaining('has no fee account'),
    });
});

test('an address that could not take or move on small fees is refused, and stored nowhere', async () => {
  const empty = Keypair.generate().publicKey.toBase58();
  const set = (fee: string) => feeAccount('set', '--account', account, '--address', fee);
  expect(await set(empty)).toMatchObject({ code: 1, output: expect.stringContaining('less than the rent') });
  const program = await set(SPL_TOKEN);
  expect(program).toMatchObject({ code: 1, output: expect.stringContaining('account of a program') });
  expect(await set('abc')).toMatchObject({ code: 2, output: expect.stringContaining('base58 address') });
  expect(await feeAccount('show', '--account', account)).toMatchObject({ code: 1 });
});

test('an address must hold the rent of the chain as it is, and none is taken while no node shows it', async () => {
  const { ledger } = chain;
  const usual = rentOn(ledger, 1) - rentOn(ledger, 0);
  setRent(ledger, 6_960n);
  const held = Keypair.generate().publicKey.toBase58();
  const plain = { data: new Uint8Array(0), executable: false, rentEpoch: 0n };
  ledger.setAccount(held, { ...plain, lamports: 650_240n, owner: SYSTEM_PROGRAM });
  chain.advanceSlots(2);
  const args = ['set', '--account', account, '--address', held] as const;
  expect(await feeAccount(...args)).toMatchObject({
    code: 1,
    output: expect.stringContaining('less than the rent of 890880 lamports'),
  });
  setRent(ledger, 5_080n);
  chain.advanceSlots(2);
  const node = interceptNode(chain.rpcUrl);
  atEnd(() => node.stop());
  node.answer = (_method, params) =>
    params.includes(RENT_SYSVAR) ? { code: -32_000, message: 'down' } : null;
  expect(await feeAccountBy(node.rpcUrl, ...args)).toMatchObject({
    code: 1,
    output: expect.stringContaining('no node shows the rent'),
  });
  expect(await feeAccount(...args)).toMatchObject({ code: 0 });
  expect(await feeAccount('remove', '--account', account)).toMatchObject({ code: 0 });
  setRent(ledger, usual);
});

test('an account that does not exist is refused, and without a node nothing is registered', async () => {
  const unknown = Bun.randomUUIDv7();
  expect(await feeAccount('set', '--account', unknown, '--address', address)).toMatchObject({
    code: 1,
    output: expect.stringContaining(`there is no account ${unknown}`),
  });
  const args = ['fee-account', 'set', '--account', account, '--address', address, '--json'];
  const { code, output } = await runAdmin(args, { DATABASE_URL: url });
  expect({ code, output }).toMatchObject({ code: 1, output: expect.stringContaining('SOLANA_RPC_URL') });
});

test('what the platform can claim is shown for each partner, in all and by token', async () => {
  const { accountsAfter, known, curvePool } = fixture;
  const poolAddress = curvePool?.poolAddress ?? '';
  for (const [at, { owner, data }] of accountsAfter)
    chain.ledger.setAccount(at, { lamports: 10_000_000n, owner, data, executable: false, rentEpoch: 0n });
  const pool = accountsAfter.get(poolAddress);
  if (pool === undefined) throw new Error('the pool was not recorded');
  const data = Buffer.from(pool.data);
  writeCurvePool(data, { partnerQuoteFee: 31_000n, partnerBaseFee: 7n, creatorQuoteFee: 5n });
  chain.ledger.setAccount(poolAddress, {
    lamports: 10_000_000n,
    owner: pool.owner,
    data,
    executable: false,
    rentEpoch: 0n,
  });
  chain.advanceSlots(2);
  const db = connectDatabase(url, { applicationName: 'test', connections: 1 });
  await registerToken(db, known.baseMint, poolAddress);
  await recordHistory(feeDependencies(db, [chain.rpcUrl]), fixture);
  const refresh = new FeeRefresh(feeDependencies(db, [chain.rpcUrl]));
  while (await refresh.step());
  await db.end();
  const fees = (environment: Record<string, string>, ...args: string[]) =>
    runAdmin(['fees', 'show', ...args, '--json'], { DATABASE_URL: url, ...environment });
  const node = { SOLANA_RPC_URL: chain.rpcUrl };
  const shown = await fees(node);
  expect(JSON.parse(shown.output)).toEqual({
    wallets: [{ wallet: feeClaimer, lamports: '31000', tokens: 1, tokensUnread: 0, positionsComplete: true }],
    tokens: [
      {
        wallet: feeClaimer,
        mintAddress: known.baseMint,
        symbol: expect.any(String),
        lamports: '31000',
        baseRaw: '24045656',
        kinds: 'partner_trading_fee leftover',
        unread: '',
      },
    ],
  });
  expect(JSON.parse((await fees(node, '--wallet', creator)).output)).toMatchObject({
    wallets: [{ wallet: creator, lamports: '5', tokens: 1 }],
  });
  expect(await fees({})).toMatchObject({
    code: 1,
    output: expect.stringContaining('SOLANA_RPC_URL is missing'),
  });
  expect(await fees({ SOLANA_RPC_URL: 'http://127.0.0.1:1' })).toMatchObject({
    code: 1,
    output: expect.stringContaining('no node responds'),
  });
});
