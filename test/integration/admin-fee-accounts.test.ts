import { beforeAll, expect, test } from 'bun:test';
import { Keypair } from '@solana/web3.js';
import { type SandboxChain, startChain } from '../../sandbox/chain/server.ts';
import { SPL_TOKEN } from '../../src/chain/accounts/programs.ts';
import { connectDatabase } from '../../src/db/client.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { fundedWallet } from '../support/intents/submitted-intent.ts';
import { runAdmin } from '../support/operations/admin-program.ts';
import { atEnd } from '../support/run/cleanup.ts';

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

async function feeAccount(verb: string, ...args: string[]) {
  const environment = { DATABASE_URL: url, SOLANA_RPC_URL: chain.rpcUrl };
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
