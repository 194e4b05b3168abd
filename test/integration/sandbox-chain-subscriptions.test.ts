import { describe, expect, test } from 'bun:test';
import { createSolanaRpcSubscriptions, address as kitAddress } from '@solana/kit';
import {
  Connection,
  type KeyedAccountInfo,
  Keypair,
  type Logs,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
} from '@solana/web3.js';
import { startChain } from '../../sandbox/chain/server.ts';
import { sentTransaction } from '../../sandbox/chain/waiting-transactions.ts';
import { parseTransaction } from '../../sandbox/chain/wire-transaction.ts';
import { createChainClient, LAMPORTS_PER_SOL } from '../support/chain/chain-client.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

const { chain, connection, payer, send, signed, latestBlockhash } = await createChainClient();
const SYSTEM_PROGRAM = SystemProgram.programId;

/** A socket that speaks JSON-RPC, to see the messages themselves and their order. */
async function openSocket(url = chain.socketUrl) {
  const socket = new WebSocket(url);
  const messages: Record<string, unknown>[] = [];
  const waiting: (() => void)[] = [];
  socket.onmessage = ({ data }) => {
    messages.push(JSON.parse(String(data)));
    for (const wake of waiting.splice(0)) wake();
  };
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  atEnd(async () => socket.close());
  let id = 0;
  return {
    socket,
    async next(): Promise<Record<string, unknown>> {
      while (messages.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
      return messages.shift() ?? {};
    },
    async call(method: string, ...params: unknown[]): Promise<Record<string, unknown>> {
      id += 1;
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      return this.next();
    },
    get unread() {
      return messages.length;
    },
  };
}

async function landed(lamports = LAMPORTS_PER_SOL): Promise<{ transaction: Transaction; signature: string }> {
  const transaction = await signed(await latestBlockhash(), lamports);
  const { result } = await send(transaction.serialize());
  return { transaction, signature: String(result) };
}

describe('standard clients, unchanged', () => {
  test('@solana/web3.js sends, and waits for the confirmation over its socket', async () => {
    const ticking = await startChain({ slotMs: 20, blockhashWindow: 3_000 });
    atEnd(() => ticking.stop());
    const client = new Connection(ticking.rpcUrl, 'confirmed');
    const owner = Keypair.generate();
    await client.confirmTransaction(await client.requestAirdrop(owner.publicKey, LAMPORTS_PER_SOL));
    const instruction = SystemProgram.transfer({
      fromPubkey: owner.publicKey,
      toPubkey: Keypair.generate().publicKey,
      lamports: LAMPORTS_PER_SOL / 2,
    });
    const signature = await sendAndConfirmTransaction(client, new Transaction().add(instruction), [owner]);
    expect((await client.getSignatureStatuses([signature])).value[0]?.err).toBeNull();
  });

  test('@solana/web3.js hears of logs, accounts, programs, slots and roots', async () => {
    const recipient = Keypair.generate().publicKey;
    const logs = Promise.withResolvers<Logs>();
    const account = Promise.withResolvers<number>();
    const program = Promise.withResolvers<KeyedAccountInfo>();
    const slot = Promise.withResolvers<number>();
    const root = Promise.withResolvers<number>();
    const ids = {
      root: connection.onRootChange(root.resolve),
      logs: connection.onLogs(recipient, logs.resolve, 'processed'),
      account: connection.onAccountChange(recipient, ({ lamports }) => account.resolve(lamports), {
        commitment: 'processed',
      }),
      program: connection.onProgramAccountChange(
        SYSTEM_PROGRAM,
        (info) => {
          if (info.accountId.equals(recipient)) program.resolve(info);
        },
        { commitment: 'processed' },
      ),
      slot: connection.onSlotChange((info) => slot.resolve(info.slot)),
    };
    // The client acknowledges nothing: its subscriptions are in place when the last one, of slots, is heard.
    let heard = false;
    void slot.promise.then(() => {
      heard = true;
    });
    await eventually('the subscriptions are in place', async () => {
      chain.advanceSlots(1);
      return heard;
    });
    await connection.requestAirdrop(recipient, LAMPORTS_PER_SOL);
    expect((await logs.promise).err).toBeNull();
    expect(await account.promise).toBe(LAMPORTS_PER_SOL);
    expect((await program.promise).accountInfo.lamports).toBe(LAMPORTS_PER_SOL);
    chain.advanceSlots(40);
    expect(await root.promise).toBeGreaterThan(0);
    await connection.removeOnLogsListener(ids.logs);
    await connection.removeAccountChangeListener(ids.account);
    await connection.removeProgramAccountChangeListener(ids.program);
    await connection.removeSlotChangeListener(ids.slot);
    await connection.removeRootChangeListener(ids.root);
  });

  test('@solana/kit iterates over account and slot notifications', async () => {
    const subscriptions = createSolanaRpcSubscriptions(chain.socketUrl);
    const abort = new AbortController();
    const recipient = Keypair.generate().publicKey;
    const accounts = await subscriptions
      .accountNotifications(kitAddress(recipient.toBase58()), { commitment: 'confirmed' })
      .subscribe({ abortSignal: abort.signal });
    await connection.requestAirdrop(recipient, LAMPORTS_PER_SOL);
    chain.advanceSlots(1);
    for await (const { value } of accounts) {
      expect(value.lamports as bigint).toBe(BigInt(LAMPORTS_PER_SOL));
      break;
    }
    abort.abort();
  });
});

describe('what a subscription reports', () => {
  test('a signature is announced at its commitment and never before, once', async () => {
    const socket = await openSocket();
    const { signature } = await landed();
    const { result: id } = await socket.call('signatureSubscribe', signature, { commitment: 'finalized' });
    chain.advanceSlots(7);
    await socket.call('slotSubscribe');
    expect(socket.unread).toBe(0);
    chain.advanceSlots(1);
    const seen = [await socket.next(), await socket.next()];
    expect(seen).toContainEqual(
      expect.objectContaining({
        method: 'signatureNotification',
        params: { subscription: id, result: { context: expect.anything(), value: { err: null } } },
      }),
    );
    expect(await socket.call('signatureUnsubscribe', id)).toMatchObject({ error: { code: -32602 } });
  });

  test('a signature that has long reached its commitment is announced right after the acknowledgement', async () => {
    const socket = await openSocket();
    const { signature } = await landed();
    chain.advanceSlots(3);
    const { result: id } = await socket.call('signatureSubscribe', signature, { commitment: 'confirmed' });
    expect(await socket.next()).toMatchObject({
      params: { subscription: id, result: { value: { err: null } } },
    });
  });

  test('a failed transaction shows its error in logs and signature notifications', async () => {
    const socket = await openSocket();
    await socket.call(
      'logsSubscribe',
      { mentions: [payer.publicKey.toBase58()] },
      { commitment: 'processed' },
    );
    const transaction = await signed(await latestBlockhash(), 1_000 * LAMPORTS_PER_SOL);
    const { result } = await send(transaction.serialize(), { skipPreflight: true });
    expect(await socket.next()).toMatchObject({
      method: 'logsNotification',
      params: { result: { value: { signature: result, err: { InstructionError: [0, { Custom: 1 }] } } } },
    });
  });

  test('every transaction of a jump over many slots is reported, in chain order', async () => {
    const socket = await openSocket();
    chain.advanceSlots(1);
    await socket.call('logsSubscribe', 'all', { commitment: 'confirmed' });
    const signatures: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      signatures.push((await landed()).signature);
      const later = await signed(await latestBlockhash(), LAMPORTS_PER_SOL + count);
      chain.ledger.receiveLater(sentTransaction(parseTransaction(later.serialize()), false), 2);
    }
    chain.advanceSlots(1_000);
    const told: string[] = [];
    for (let count = 0; count < 10; count += 1) {
      const { params } = (await socket.next()) as { params: { result: { value: { signature: string } } } };
      told.push(params.result.value.signature);
    }
    expect(told.slice(0, 5)).toEqual(signatures);
    expect(new Set(told).size).toBe(10);
  });

  test('a lagging node announces late, a silent one not at all', async () => {
    const lagging = chain.addNode({ lagSlots: 5 });
    const silent = chain.addNode({ silentSockets: true });
    const late = await openSocket(lagging.socketUrl);
    const never = await openSocket(silent.socketUrl);
    await late.call('logsSubscribe', 'all', { commitment: 'processed' });
    await never.call('logsSubscribe', 'all', { commitment: 'processed' });
    const { signature } = await landed();
    chain.advanceSlots(4);
    await late.call('accountSubscribe', payer.publicKey.toBase58());
    expect(late.unread).toBe(0);
    chain.advanceSlots(1);
    expect(await late.next()).toMatchObject({ params: { result: { value: { signature } } } });
    await never.call('accountSubscribe', payer.publicKey.toBase58());
    expect(never.unread).toBe(0);
  });

  test('wrong parameters and unknown subscriptions are named', async () => {
    const socket = await openSocket();
    expect(await socket.call('logsSubscribe', { mentions: [] })).toMatchObject({ error: { code: -32602 } });
    expect(await socket.call('accountSubscribe', 'nothing')).toMatchObject({ error: { code: -32602 } });
    expect(await socket.call('slotUnsubscribe', 999_999)).toMatchObject({ error: { code: -32602 } });
    expect(await socket.call('getSlot')).toMatchObject({ error: { code: -32601 } });
  });

  test('blocks come with their transactions, or only those that mention an address', async () => {
    const socket = await openSocket();
    const config = {
      commitment: 'confirmed',
      transactionDetails: 'signatures',
      maxSupportedTransactionVersion: 0,
    };
    const stranger = Keypair.generate().publicKey.toBase58();
    await socket.call('blockSubscribe', { mentionsAccountOrProgram: stranger }, config);
    await socket.call('blockSubscribe', { mentionsAccountOrProgram: payer.publicKey.toBase58() }, config);
    chain.advanceSlots(1);
    const { signature } = await landed();
    chain.advanceSlots(1);
    expect(await socket.next()).toMatchObject({
      method: 'blockNotification',
      params: { result: { value: { block: { signatures: [signature] } } } },
    });
    expect(socket.unread).toBe(0);
  });
});

test('browsers may call: CORS is answered, preflights too', async () => {
  const preflight = await fetch(chain.rpcUrl, { method: 'OPTIONS' });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
  const response = await fetch(chain.rpcUrl, {
    method: 'POST',
    body: '{"jsonrpc":"2.0","id":1,"method":"getSlot"}',
  });
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
});
