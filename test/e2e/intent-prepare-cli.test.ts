import { beforeAll, describe, expect, test } from 'bun:test';
import { Keypair } from '@solana/web3.js';
import { CLUSTER_BLOCKHASH_WINDOW_BLOCKS } from '../../sandbox/chain/cluster-facts.ts';
import { type SandboxChain, startChain } from '../../sandbox/chain/server.ts';
import { ADDRESS_LOOKUP_TABLE } from '../../src/chain/accounts/programs.ts';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { lookupTableData, unsignedTransfer } from '../support/intents/intent-transactions.ts';
import { fundedWallet, insertAccount } from '../support/intents/submitted-intent.ts';
import { atEnd } from '../support/run/cleanup.ts';

const NOWHERE = 'http://127.0.0.1:9';
const SIMULATED = '{"requireSimulation":true}';
let chain: SandboxChain;
let databaseUrl: string;
let database: Database;
let accountId: string;
let wallet: Keypair;

beforeAll(async () => {
  chain = await startChain({ slotMs: 'manual' });
  atEnd(() => chain.stop());
  ({ url: databaseUrl } = await createTestDatabase());
  database = connectDatabase(databaseUrl, { applicationName: 'test', connections: 1 });
  atEnd(() => database.end());
  accountId = await insertAccount(database);
  wallet = await fundedWallet(chain.rpcUrl);
});

const fresh = () => Keypair.generate().publicKey.toBase58();

function transferOf(payer: Keypair, shape: Parameters<typeof unsignedTransfer>[1] = {}): Uint8Array {
  return unsignedTransfer(payer.publicKey, {
    blockhash: chain.ledger.ring.hashOf(chain.ledger.slot),
    ...shape,
  });
}

/** A v0 transfer to an address that only a lookup table on the chain contains. */
function lookingUp(): Uint8Array {
  const to = fresh();
  const table = fresh();
  chain.ledger.setAccount(table, {
    lamports: 10n ** 9n,
    owner: ADDRESS_LOOKUP_TABLE,
    data: lookupTableData([fresh(), to]),
    executable: false,
    rentEpoch: 0n,
  });
  return transferOf(wallet, { to, lookup: { table, index: 1 } });
}

interface Preparation {
  transaction?: Uint8Array | string;
  signer?: string;
  account?: string;
  more?: readonly string[];
  /** Null leaves `SOLANA_RPC_URL` unset. */
  rpcUrl?: string | null;
}

/** `bun run admin intent prepare … --json`, as an operator runs it. */
async function prepare({
  transaction = transferOf(wallet),
  signer = wallet.publicKey.toBase58(),
  account = accountId,
  more = [],
  rpcUrl = chain.rpcUrl,
}: Preparation) {
  const base64 = typeof transaction === 'string' ? transaction : Buffer.from(transaction).toString('base64');
  const options = { account, kind: 'token_transfer', signer, transaction: base64 };
  const given = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const { SOLANA_RPC_URL: _, ...inherited } = process.env;
  const child = Bun.spawn({
    cmd: [process.execPath, 'run', '--silent', 'admin', 'intent', 'prepare', '--json', ...given, ...more],
    cwd: new URL('../../', import.meta.url).pathname,
    env: { ...inherited, DATABASE_URL: databaseUrl, ...(rpcUrl !== null && { SOLANA_RPC_URL: rpcUrl }) },
    stderr: 'pipe',
  });
  const [code, stdout, stderr] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
  return { code, stdout, stderr };
}

async function storedIntents(): Promise<{ id: string; status: string }[]> {
  return database<{ id: string; status: string }[]>`
    select id, status from transaction_intents order by created_at`;
}

test('a v0 transaction whose lookup table resolves is simulated, stored, and printed as one JSON object', async () => {
  const transaction = lookingUp();
  const more = ['--policy', SIMULATED, '--last-valid-block-height', '500', '--expires-in', '60'];
  // One of two nodes may be down. Only the block height then stays unconfirmed.
  const prepared = await prepare({ transaction, more, rpcUrl: `${NOWHERE},${chain.rpcUrl}` });
  expect(prepared).toMatchObject({ code: 0, stderr: '' });
  const intent = JSON.parse(prepared.stdout);
  expect(intent).toMatchObject({
    kind: 'token_transfer',
    status: 'prepared',
    expectedSigner: wallet.publicKey.toBase58(),
    serializedTransaction: Buffer.from(transaction).toString('base64'),
    lastValidBlockHeight: null,
    policy: { allowedPrograms: [], maxComputeUnitPrice: null, requireSimulation: true },
    version: 1,
  });
  expect(Date.parse(intent.expiresAt) - Date.parse(intent.createdAt)).toBe(60_000);
  expect(await storedIntents()).toContainEqual({ id: intent.id, status: 'prepared' });
});

test('a given height that would end the intent too early is raised to the confirmed height of the chain', async () => {
  const { code, stdout } = await prepare({ more: ['--last-valid-block-height', '1'] });
  expect(code).toBe(0);
  const window = CLUSTER_BLOCKHASH_WINDOW_BLOCKS;
  expect(BigInt(JSON.parse(stdout).lastValidBlockHeight)).toBeGreaterThanOrEqual(window);
});

describe('refused with code 1 and the reason on stderr, nothing printed or stored', () => {
  const poor = Keypair.generate();
  test.each<[string, () => Preparation, RegExp]>([
    [
      'a lookup table that does not exist',
      () => ({ transaction: transferOf(wallet, { lookup: { table: fresh(), index: 0 } }) }),
      /^lookup table \w+ does not exist$/,
    ],
    [
      'a lookup table that no node can be asked about',
      () => ({ transaction: lookingUp(), rpcUrl: NOWHERE }),
      /^the address lookup tables could not be read: 127\.0\.0\.1:9: /,
    ],
    [
      'a required simulation that fails',
      () => ({ transaction: transferOf(wallet, { lamports: 10n ** 15n }), more: ['--policy', SIMULATED] }),
      /^the simulation failed: \{"InstructionError":\[0,\{"Custom":1\}\]\}$/,
    ],
    [
      'a required simulation of a wallet that does not exist',
      () => ({
        transaction: transferOf(poor),
        signer: poor.publicKey.toBase58(),
        more: ['--policy', SIMULATED],
      }),
      /^the simulation failed: "AccountNotFound"$/,
    ],
    [
      'a required simulation without a reachable node',
      () => ({ more: ['--policy', SIMULATED], rpcUrl: NOWHERE }),
      /^the transaction could not be simulated: 127\.0\.0\.1:9: /,
    ],
    [
      'a required simulation without a configured node',
      () => ({ more: ['--policy', SIMULATED], rpcUrl: null }),
      /^the transaction could not be simulated: no RPC node is configured$/,
    ],
    [
      'a transaction above the size limit',
      () => ({ transaction: Buffer.concat([transferOf(wallet), Buffer.alloc(1_233)]) }),
      /^the transaction is malformed or too large: 1448 bytes; at most 1232, or 4096 in version 1$/,
    ],
    [
      'a malformed transaction',
      () => ({ transaction: transferOf(wallet).subarray(1) }),
      /^the transaction is malformed or too large: 214 bytes/,
    ],
    [
      'a small-order wallet',
      () => ({ signer: '1'.repeat(32) }),
      /^1{32} is not a wallet whose signatures can be trusted$/,
    ],
    [
      'a signer that is not required',
      () => ({ signer: poor.publicKey.toBase58() }),
      /^\w+ is not among the required signers$/,
    ],
    [
      'an account that does not exist',
      () => ({ account: crypto.randomUUID() }),
      /^account [-\w]+ does not exist$/,
    ],
  ])('%s', async (_name, preparation, reason) => {
    const before = await storedIntents();
    const { code, stdout, stderr } = await prepare(preparation());
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.trimEnd()).toMatch(reason);
    expect(await storedIntents()).toEqual(before);
  });
});

describe('a wrong command line ends with code 2, the mistake and the way to help on stderr', () => {
  test.each<[string, Preparation, string]>([
    ['bytes that are not base64', { transaction: 'not base64!' }, '--transaction must be canonical base64'],
    ['a policy that is not JSON', { more: ['--policy', '{'] }, '--policy must be valid JSON'],
    [
      'a policy with an unknown field',
      { more: ['--policy', '{"allowAll":true}'] },
      '--policy is invalid: /allowAll Unexpected property',
    ],
    [
      'a height that is no number',
      { more: ['--last-valid-block-height', '-5x'] },
      '--last-valid-block-height must be a whole number of at least 1',
    ],
    ['an unknown option', { more: ['--unknown', 'x'] }, 'there is no option --unknown'],
  ])('%s', async (_name, preparation, mistake) => {
    const before = await storedIntents();
    const { code, stdout, stderr } = await prepare(preparation);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toStartWith(mistake);
    expect(stderr).toMatch(/^See npm run -s admin -- (?:intent prepare )?--help\.$/m);
    expect(await storedIntents()).toEqual(before);
  });
});
