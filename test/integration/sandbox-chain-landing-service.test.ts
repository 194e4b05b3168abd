import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { Connection, Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { type LandingServiceOptions, startChain } from '../../sandbox/chain/server.ts';
import { SANDBOX_TIP_ACCOUNTS } from '../../sandbox/chain/tip-accounts.ts';
import { LAMPORTS_PER_SOL } from '../support/chain/chain-client.ts';
import { atEnd } from '../support/run/cleanup.ts';

const TIP = 10_000;

async function post(rpcUrl: string, method: string, ...params: unknown[]) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(rpcUrl, { method: 'POST', body });
  return (await response.json()) as {
    result?: unknown;
    error?: { code: number; message: string };
  };
}

async function stage(rules: Partial<LandingServiceOptions> = {}) {
  const chain = await startChain({
    slotMs: 'manual',
    blockComputeUnits: 2_000_000,
    landingServices: [{ name: 'fast', ...rules }],
  });
  atEnd(() => chain.stop());
  const serviceUrl = chain.network.find('fast')?.rpcUrl ?? '';
  const connection = new Connection(chain.rpcUrl, 'processed');
  chain.advanceSlots(20);
  const payer = Keypair.generate();
  await connection.requestAirdrop(payer.publicKey, 10 * LAMPORTS_PER_SOL);
  let sent = 0;
  const transfer = async (tip: number, tipAccount = SANDBOX_TIP_ACCOUNTS[1] ?? '') => {
    sent += 1;
    const { blockhash } = await connection.getLatestBlockhash();
    const transaction = new Transaction({ feePayer: payer.publicKey, blockhash, lastValidBlockHeight: 0 });
    const fromPubkey = payer.publicKey;
    transaction.add(
      SystemProgram.transfer({ fromPubkey, toPubkey: payer.publicKey, lamports: sent }),
      SystemProgram.transfer({ fromPubkey, toPubkey: new PublicKey(tipAccount), lamports: tip }),
    );
    transaction.sign(payer);
    return {
      text: transaction.serialize().toString('base64'),
      signature: bs58.encode(transaction.signature ?? new Uint8Array(64)),
    };
  };
  const sendTo = (url: string, text: string) =>
    post(url, 'sendTransaction', text, { encoding: 'base64', skipPreflight: true, maxRetries: 0 });
  const isLanded = async (signature: string) =>
    (await connection.getSignatureStatus(signature)).value !== null;
  return { chain, connection, serviceUrl, transfer, sendTo, isLanded };
}

describe('a landing service', () => {
  test('lands a transaction that pays its tip, which is an ordinary transfer', async () => {
    const { connection, serviceUrl, transfer, sendTo, isLanded } = await stage();
    const tipAccount = new PublicKey(SANDBOX_TIP_ACCOUNTS[1] ?? '');
    const before = await connection.getBalance(tipAccount);
    const { text, signature } = await transfer(TIP);
    expect((await sendTo(serviceUrl, text)).result).toBe(signature);
    expect(await isLanded(signature)).toBe(true);
    expect(await connection.getBalance(tipAccount)).toBe(before + TIP);
  });

  test.each([
    ['too small', TIP - 1, undefined],
    ['to another account', TIP, Keypair.generate().publicKey.toBase58()],
  ])('refuses a tip that is %s', async (_, tip, account) => {
    const { serviceUrl, transfer, sendTo, isLanded } = await stage();
    const { text, signature } = await transfer(tip, account);
    const { error } = await sendTo(serviceUrl, text);
    expect(error?.code).toBe(-32602);
    expect(error?.message).toContain('10000 lamports');
    expect(await isLanded(signature)).toBe(false);
  });

  test('or acknowledges what has no tip and drops it, as another kind does', async () => {
    const { chain, serviceUrl, transfer, sendTo, isLanded } = await stage({ withoutTip: 'drop' });
    const { text, signature } = await transfer(0);
    expect((await sendTo(serviceUrl, text)).result).toBe(signature);
    chain.advanceSlots(5);
    expect(await isLanded(signature)).toBe(false);
    await sendTo(chain.rpcUrl, text);
    expect(await isLanded(signature)).toBe(true);
  });

  test('has no other method, no subscriptions, and refuses what is no transaction', async () => {
    const { serviceUrl, sendTo } = await stage();
    for (const method of ['getHealth', 'getSlot', 'getSignatureStatuses', 'simulateTransaction'])
      expect((await post(serviceUrl, method)).error?.code).toBe(-32601);
    expect((await sendTo(serviceUrl, 'AAAA')).error?.code).toBe(-32602);
    const upgrade = await fetch(serviceUrl, { headers: { upgrade: 'websocket', connection: 'upgrade' } });
    expect(upgrade.status).toBe(404);
  });

  test('lands in a block that is full for others: a part is kept for it, and the price is still the order', async () => {
    const { chain, serviceUrl, transfer, sendTo, isLanded } = await stage();
    await post(chain.rpcUrl, 'sandbox_setLoad', { share: 1, fromPrice: 1_000 });
    chain.advanceSlots(1);
    const plain = await transfer(TIP);
    await sendTo(chain.rpcUrl, plain.text);
    const tipped = await transfer(TIP);
    await sendTo(serviceUrl, tipped.text);
    expect([await isLanded(plain.signature), await isLanded(tipped.signature)]).toEqual([false, true]);
    const inBlock = chain.ledger.history.bySlot(chain.ledger.slot);
    expect(inBlock.at(-1)?.signature).toBe(tipped.signature);
    // The same bytes through the service land what waits elsewhere.
    chain.advanceSlots(1);
    expect(await isLanded(plain.signature)).toBe(false);
    await sendTo(serviceUrl, plain.text);
    expect(await isLanded(plain.signature)).toBe(true);
  });

  test('that asks for no tip lands what pays none in the ordinary part alone', async () => {
    const { chain, serviceUrl, transfer, sendTo, isLanded } = await stage({ minTipLamports: 0 });
    await post(chain.rpcUrl, 'sandbox_setLoad', { share: 1, fromPrice: 1_000 });
    chain.advanceSlots(1);
    const [plain, tipped] = [await transfer(0), await transfer(1)];
    for (const { text } of [plain, tipped]) await sendTo(serviceUrl, text);
    chain.advanceSlots(1);
    expect([await isLanded(plain.signature), await isLanded(tipped.signature)]).toEqual([false, true]);
    await post(chain.rpcUrl, 'sandbox_setLoad', null);
    chain.advanceSlots(1);
    expect(await isLanded(plain.signature)).toBe(true);
  });

  test('has faults of its own', async () => {
    const { chain, serviceUrl, transfer, sendTo, isLanded } = await stage();
    await post(chain.rpcUrl, 'sandbox_setFaults', { delaySlots: 2 }, 'fast');
    const { text, signature } = await transfer(TIP);
    await sendTo(serviceUrl, text);
    chain.advanceSlots(1);
    expect(await isLanded(signature)).toBe(false);
    chain.advanceSlots(1);
    expect(await isLanded(signature)).toBe(true);
  });
});

describe('nodes of one chain', () => {
  test('have names, and each its own faults and lag', async () => {
    const chain = await startChain({
      slotMs: 'manual',
      nodes: [{ name: 'near' }, { name: 'far', faults: { lagSlots: 3 } }],
    });
    atEnd(() => chain.stop());
    chain.advanceSlots(10);
    const slotOf = async (name: string) =>
      (await post(chain.network.find(name)?.rpcUrl ?? '', 'getSlot', { commitment: 'processed' })).result;
    const head = Number(chain.ledger.slot);
    expect([await slotOf('main'), await slotOf('near'), await slotOf('far')]).toEqual([head, head, head - 3]);
    await post(chain.rpcUrl, 'sandbox_setFaults', { lagSlots: 5 }, 'near');
    await post(chain.rpcUrl, 'sandbox_setFaults', {}, 'far');
    expect([await slotOf('main'), await slotOf('near'), await slotOf('far')]).toEqual([head, head - 5, head]);
    const { error } = await post(chain.rpcUrl, 'sandbox_setFaults', {}, 'nobody');
    expect(error?.message).toContain('nobody');
    const { result } = await post(chain.rpcUrl, 'sandbox_status');
    expect(result).toMatchObject({
      slot: head,
      addresses: [
        { name: 'main', kind: 'node', rpcUrl: chain.rpcUrl, faults: {} },
        { name: 'near', faults: { lagSlots: 5 } },
        { name: 'far', faults: {} },
      ],
      waiting: 0,
      load: null,
    });
  });

  test('get a name when they have none, and no two the same', async () => {
    const chain = await startChain({ slotMs: 'manual' });
    atEnd(() => chain.stop());
    expect([chain.name, chain.addNode().name, chain.addNode({}, 'x').name]).toEqual(['main', 'node-2', 'x']);
    expect(() => chain.addNode({}, 'x')).toThrow('two addresses');
    expect(() => chain.addNode({}, 'X y')).toThrow('no name');
  });
});

/** Runs the program of the chain with options; it is stopped when its first line is read. */
async function runMain(...options: string[]) {
  const main = join(import.meta.dir, '../../sandbox/chain/main.ts');
  const child = Bun.spawn([process.execPath, main, ...options], { stdout: 'pipe', stderr: 'pipe' });
  atEnd(async () => {
    child.kill('SIGTERM');
    await child.exited;
  });
  const firstChunk = await child.stdout.getReader().read();
  return { line: Buffer.from(firstChunk.value ?? []).toString(), child };
}

describe('the program of the chain', () => {
  test('prints the addresses that its options name', async () => {
    const { line } = await runMain(
      '--node',
      'name=far,lagSlots=2',
      '--block-compute-units',
      '1000000',
      '--landing-service',
      'name=fast,minTipLamports=5,withoutTip=drop,delaySlots=1',
    );
    const { rpcUrl, addresses } = JSON.parse(line);
    expect(Object.keys(addresses)).toEqual(['far', 'fast']);
    const { result } = await post(rpcUrl, 'sandbox_status');
    expect(result).toMatchObject({
      addresses: [{ name: 'main' }, { name: 'far', faults: { lagSlots: 2 } }, { faults: { delaySlots: 1 } }],
      block: { computeUnits: 1_000_000, reservedComputeUnits: 50_000 },
    });
  });

  test.each([
    ['--node', 'far', 'is not key=value'],
    ['--node', 'port=1', 'has no name='],
    ['--node', 'name=far,lagSlot=1', 'unknown fault lagSlot'],
    ['--landing-service', 'name=fast,withoutTip=ignore', 'withoutTip is refuse or drop'],
    ['--landing-service', 'name=fast,minTipLamports=-1', 'no whole number'],
    ['--node', 'name=main', 'two addresses'],
  ])('refuses %s %s in one sentence', async (option, text, reason) => {
    const { child } = await runMain(option, text);
    expect(await new Response(child.stderr).text()).toContain(reason);
    expect(await child.exited).toBe(2);
  });
});
