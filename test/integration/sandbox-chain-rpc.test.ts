import { afterAll, beforeAll, expect, test } from 'bun:test';
import { Connection, Keypair } from '@solana/web3.js';
import { type SandboxChain, startChain } from '../../sandbox/chain/server.ts';

const SYSTEM_PROGRAM = '11111111111111111111111111111111';
let chain: SandboxChain;

beforeAll(async () => {
  chain = await startChain({ slotMs: 'manual' });
});
afterAll(async () => {
  await chain.stop();
});

async function post(body: string): Promise<unknown> {
  const response = await fetch(chain.rpcUrl, { method: 'POST', body });
  const text = await response.text();
  return text === '' ? null : JSON.parse(text);
}

function call(method: string, ...params: unknown[]): Promise<unknown> {
  return post(JSON.stringify({ jsonrpc: '2.0', id: 'a', method, params }));
}

const failure = (code: number) => ({ jsonrpc: '2.0', error: { code } });

test('malformed requests get the codes of JSON-RPC 2.0', async () => {
  expect(await post('{')).toMatchObject({ ...failure(-32700), id: null });
  expect(await post('[]')).toMatchObject(failure(-32600));
  expect(await post('{"id":1}')).toMatchObject(failure(-32600));
  expect(await call('getNothing')).toMatchObject({ ...failure(-32601), id: 'a' });
  expect(await call('getBalance', 'not an address')).toMatchObject(failure(-32602));
  expect(await call('getSlot', { commitment: 'later' })).toMatchObject(failure(-32602));
  expect(await call('getTransaction', '1'.repeat(64), { commitment: 'processed' })).toMatchObject(
    failure(-32602),
  );
});

test('a batch is answered in order, without notifications', async () => {
  const slot = { jsonrpc: '2.0', method: 'getSlot', params: [{ commitment: 'processed' }] };
  const answers = await post(
    JSON.stringify([{ ...slot, id: 1 }, slot, { ...slot, id: 2, method: 'nothing' }]),
  );
  expect(answers).toMatchObject([
    { id: 1, result: Number(chain.ledger.slot) },
    { id: 2, error: { code: -32601 } },
  ]);
  expect(await post(JSON.stringify([slot]))).toBeNull();
});

test('a minContextSlot that is not reached is -32016 with the slot that is', async () => {
  const commitment = 'processed';
  const slot = Number(chain.ledger.slot);
  expect(await call('getSlot', { commitment, minContextSlot: slot })).toMatchObject({ result: slot });
  expect(await call('getSlot', { commitment, minContextSlot: slot + 1 })).toMatchObject({
    error: { code: -32016, data: { contextSlot: slot } },
  });
});

test('u64 values leave as exact JSON numbers', async () => {
  const address = Keypair.generate().publicKey.toBase58();
  const lamports = 18_446_744_073_709_551_615n;
  const plain = { owner: SYSTEM_PROGRAM, data: new Uint8Array(0), executable: false };
  chain.ledger.setAccount(address, { ...plain, lamports, rentEpoch: lamports });
  const params = [address, { commitment: 'processed' }];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getBalance', params });
  const response = await fetch(chain.rpcUrl, { method: 'POST', body });
  expect(await response.text()).toContain('"value":18446744073709551615');
});

test('limits of a node hold: 100 accounts, 256 statuses, base58 data of 128 bytes', async () => {
  const signature = '1'.repeat(64);
  expect(await call('getMultipleAccounts', Array(100).fill(SYSTEM_PROGRAM))).toHaveProperty('result');
  expect(await call('getMultipleAccounts', Array(101).fill(SYSTEM_PROGRAM))).toMatchObject(failure(-32602));
  expect(await call('getSignatureStatuses', Array(256).fill(signature))).toHaveProperty('result');
  expect(await call('getSignatureStatuses', Array(257).fill(signature))).toMatchObject(failure(-32602));
  const address = Keypair.generate().publicKey.toBase58();
  const data = Uint8Array.from({ length: 200 }, (_, index) => index);
  const plain = { owner: SYSTEM_PROGRAM, executable: false, rentEpoch: 0n };
  chain.ledger.setAccount(address, { ...plain, lamports: 10_000_000n, data });
  const commitment = 'processed';
  expect(await call('getAccountInfo', address, { commitment })).toMatchObject(failure(-32600));
  const dataSlice = { offset: 5, length: 3 };
  expect(await call('getAccountInfo', address, { commitment, encoding: 'base64', dataSlice })).toMatchObject({
    result: { value: { data: ['BQYH', 'base64'], space: 200 } },
  });
  const pair = await call('getMultipleAccounts', [address, Keypair.generate().publicKey.toBase58()], {
    commitment,
  });
  expect(pair).toMatchObject({
    result: { context: { slot: expect.any(Number) }, value: [{ space: 200 }, null] },
  });
});

test('web3.js reads what it needs to poll for confirmation and expiry', async () => {
  const client = new Connection(chain.rpcUrl, 'confirmed');
  const { lastValidBlockHeight } = await client.getLatestBlockhash();
  const signature = await client.requestAirdrop(Keypair.generate().publicKey, 1_000_000_000);
  const seen: (string | undefined)[] = [];
  while (!seen.includes('confirmed') && (await client.getBlockHeight()) <= lastValidBlockHeight) {
    const { value } = await client.getSignatureStatuses([signature]);
    seen.push(value[0]?.confirmationStatus);
    chain.advanceSlots(1);
  }
  expect(seen).toEqual(['processed', 'confirmed']);
  expect(await client.getVersion()).toHaveProperty('solana-core');
  expect((await client.getRecentPrioritizationFees()).length).toBeGreaterThan(0);
  expect(await client.getEpochInfo()).toMatchObject({ slotsInEpoch: 432_000 });
});
