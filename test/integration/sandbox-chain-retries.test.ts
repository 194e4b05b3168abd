import { describe, expect, test } from 'bun:test';
import {
  AddressLookupTableAccount,
  AddressLookupTableProgram,
  Keypair,
  NONCE_ACCOUNT_LENGTH,
  NonceAccount,
  type PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import fc from 'fast-check';
import { CLUSTER_SLOT_MS } from '../../sandbox/chain/cluster-facts.ts';
import { startChain } from '../../sandbox/chain/server.ts';
import { sentTransaction } from '../../sandbox/chain/waiting-transactions.ts';
import { parseTransaction } from '../../sandbox/chain/wire-transaction.ts';
import { callRpc, createChainClient, LAMPORTS_PER_SOL } from '../support/chain/chain-client.ts';
import { atEnd } from '../support/run/cleanup.ts';

/** A node sends again after two seconds. */
const RETRY_SLOTS = 2_000 / CLUSTER_SLOT_MS;
const WINDOW = 150;
const UNCHECKED = { skipPreflight: true };
const { chain, connection, payer, send } = await createChainClient();
chain.advanceSlots(20);

const transferFrom = (from: PublicKey) =>
  SystemProgram.transfer({ fromPubkey: from, toPubkey: Keypair.generate().publicKey, lamports: 1_000_000 });

/** Signed bytes and their signature. */
function signed(from: Keypair, blockhash: string, instructions: TransactionInstruction[], other?: Keypair) {
  const transaction = new Transaction({ feePayer: from.publicKey, blockhash, lastValidBlockHeight: 0 });
  transaction.add(...instructions).sign(from, ...(other === undefined ? [] : [other]));
  return {
    bytes: transaction.serialize(),
    signature: bs58.encode(transaction.signature ?? new Uint8Array(64)),
  };
}

const blockhashNow = async () => (await connection.getLatestBlockhash()).blockhash;
const landsIn = async (instructions: TransactionInstruction[], other?: Keypair) => {
  const { bytes } = signed(payer, await blockhashNow(), instructions, other);
  expect((await send(bytes)).error).toBeUndefined();
};
const slotOf = async (signature: string) => {
  const { value } = await connection.getSignatureStatus(signature);
  return value === null ? null : { slot: value.slot, err: value.err };
};

/** A transfer whose payer has nothing. */
async function unfunded() {
  const poor = Keypair.generate();
  return {
    ...signed(poor, await blockhashNow(), [transferFrom(poor.publicKey)]),
    cure: async () => void (await connection.requestAirdrop(poor.publicKey, LAMPORTS_PER_SOL)),
  };
}

/** A transfer to an address that its lookup table does not have. */
async function withoutAddress() {
  const [create, table] = AddressLookupTableProgram.createLookupTable({
    authority: payer.publicKey,
    payer: payer.publicKey,
    recentSlot: Number(chain.ledger.slot) - 1,
  });
  await landsIn([create]);
  const recipient = Keypair.generate().publicKey;
  const extend = AddressLookupTableProgram.extendLookupTable({
    lookupTable: table,
    authority: payer.publicKey,
    payer: payer.publicKey,
    addresses: [recipient],
  });
  const transfer = SystemProgram.transfer({
    fromPubkey: payer.publicKey,
    toPubkey: recipient,
    lamports: LAMPORTS_PER_SOL,
  });
  const state = {
    deactivationSlot: 2n ** 64n - 1n,
    lastExtendedSlot: 0,
    lastExtendedSlotStartIndex: 0,
    addresses: [recipient],
  };
  const message = new TransactionMessage({
    payerKey: payer.publicKey,
    recentBlockhash: await blockhashNow(),
    instructions: [transfer],
  }).compileToV0Message([new AddressLookupTableAccount({ key: table, state })]);
  const transaction = new VersionedTransaction(message);
  transaction.sign([payer]);
  return {
    bytes: transaction.serialize(),
    signature: bs58.encode(transaction.signatures[0] ?? new Uint8Array(64)),
    cure: () => landsIn([extend]),
  };
}

/** Two transfers with durable nonces: the second carries the nonce that the account gets by the first. */
async function ofNextNonce() {
  const nonce = Keypair.generate();
  const lamports = await connection.getMinimumBalanceForRentExemption(NONCE_ACCOUNT_LENGTH);
  const create = SystemProgram.createNonceAccount({
    fromPubkey: payer.publicKey,
    noncePubkey: nonce.publicKey,
    authorizedPubkey: payer.publicKey,
    lamports,
  });
  await landsIn(create.instructions, nonce);
  const advance = SystemProgram.nonceAdvance({
    noncePubkey: nonce.publicKey,
    authorizedPubkey: payer.publicKey,
  });
  chain.advanceSlots(1);
  await landsIn([advance]);
  const account = await connection.getAccountInfo(nonce.publicKey, 'processed');
  if (account === null) throw new Error('no nonce account');
  // The account holds it already, and cannot be advanced again in this block.
  const { nonce: next } = NonceAccount.fromAccountData(account.data);
  return { ...signed(payer, next, [advance, transferFrom(payer.publicKey)]), cure: async () => {} };
}

const obstacles = { unfunded, withoutAddress, ofNextNonce };

describe('what cannot land yet', () => {
  test('lands when its node sends it again after the obstacle is gone, while its blockhash is good', async () => {
    const kind = fc.constantFrom(...(Object.keys(obstacles) as (keyof typeof obstacles)[]));
    await fc.assert(
      fc.asyncProperty(kind, fc.integer({ min: 0, max: WINDOW - RETRY_SLOTS }), async (name, slots) => {
        const { bytes, signature, cure } = await obstacles[name]();
        const sentAt = Number(chain.ledger.slot);
        expect((await send(bytes, UNCHECKED)).result).toBe(signature);
        // A node gives a nonce up that its account does not hold after two seconds; this one is good at once.
        const curedAfter = name === 'ofNextNonce' ? 0 : slots;
        chain.advanceSlots(curedAfter);
        expect(await slotOf(signature)).toBeNull();
        await cure();
        const rounds = Math.floor(curedAfter / RETRY_SLOTS) + 1;
        chain.advanceSlots(rounds * RETRY_SLOTS - curedAfter);
        expect(await slotOf(signature)).toEqual({ slot: sentAt + rounds * RETRY_SLOTS, err: null });
        expect(chain.ledger.production.waiting.size).toBe(0);
      }),
      {
        numRuns: 25,
        examples: [
          ['unfunded', 5],
          ['withoutAddress', 0],
          ['ofNextNonce', 0],
        ],
      },
    );
  });

  test('is given up with its blockhash, with the number of retries, and at once without any', async () => {
    const late = await unfunded();
    await send(late.bytes, UNCHECKED);
    chain.advanceSlots(WINDOW + 1);
    await late.cure();
    const counted = await unfunded();
    await send(counted.bytes, { ...UNCHECKED, maxRetries: 2 });
    chain.advanceSlots(2 * RETRY_SLOTS);
    const never = await unfunded();
    await send(never.bytes, { ...UNCHECKED, maxRetries: 0 });
    expect(chain.ledger.production.waiting.size).toBe(0);
    await Promise.all([counted.cure(), never.cure()]);
    chain.advanceSlots(3 * RETRY_SLOTS);
    for (const { signature } of [late, counted, never]) expect(await slotOf(signature)).toBeNull();
  });

  test('is given up after two seconds when its account does not hold the nonce, and after 300 blocks without a known blockhash', async () => {
    const { bytes, signature } = await ofNextNonce();
    const spent = await ofNextNonce();
    await send(bytes, UNCHECKED);
    chain.advanceSlots(RETRY_SLOTS);
    expect(await slotOf(signature)).not.toBeNull();
    // Of an unknown blockhash no node knows when it ends: it is sent for 300 blocks.
    const unknown = signed(payer, bs58.encode(new Uint8Array(32).fill(7)), [transferFrom(payer.publicKey)]);
    await send(unknown.bytes, UNCHECKED);
    expect(chain.ledger.production.waiting.size).toBe(1);
    chain.advanceSlots(300);
    expect(chain.ledger.production.waiting.size).toBe(0);
    await send(spent.bytes, UNCHECKED);
    chain.advanceSlots(RETRY_SLOTS);
    expect(await slotOf(spent.signature)).toMatchObject({ err: null });
    await send(spent.bytes, UNCHECKED);
    expect(chain.ledger.production.waiting.size).toBe(1);
    chain.advanceSlots(RETRY_SLOTS);
    expect(chain.ledger.production.waiting.size).toBe(0);
  });

  test('that has landed meanwhile, or has a wrong signature, is not sent again', async () => {
    const { bytes, signature, cure } = await unfunded();
    await send(bytes, UNCHECKED);
    await cure();
    await send(bytes);
    const landed = await slotOf(signature);
    expect(landed).toMatchObject({ err: null });
    const forged = Buffer.from((await unfunded()).bytes);
    forged[5] = (forged[5] ?? 0) ^ 1;
    await send(forged, UNCHECKED);
    chain.advanceSlots(RETRY_SLOTS);
    expect(await slotOf(signature)).toEqual(landed);
    expect(chain.ledger.production.waiting.size).toBe(0);
  });

  test('is refused by preflight, and nothing is kept of it', async () => {
    const { bytes, signature, cure } = await unfunded();
    expect((await send(bytes)).error?.data?.err).toBe('AccountNotFound');
    await cure();
    chain.advanceSlots(RETRY_SLOTS);
    expect(await slotOf(signature)).toBeNull();
  });

  test('is at most ten thousand: what comes then is dropped after its first attempt', async () => {
    const { bytes, signature, cure } = await unfunded();
    const { waiting } = chain.ledger.production;
    const sent = sentTransaction(parseTransaction((await unfunded()).bytes), false);
    for (let number = 0; number < 10_001; number += 1)
      waiting.add({
        sent: { ...sent, transaction: { ...sent.transaction, signature: `${number}` } },
        dueMs: Number.POSITIVE_INFINITY,
        retriesLeft: 1,
        isRetry: false,
        lastHeight: 0n,
      });
    expect(waiting.size).toBe(10_000);
    await send(bytes, UNCHECKED);
    expect(waiting.size).toBe(10_000);
    await cure();
    chain.advanceSlots(RETRY_SLOTS);
    expect(await slotOf(signature)).toBeNull();
    expect(waiting.takeDue(Number.POSITIVE_INFINITY)).toHaveLength(10_000);
  });

  test('and was sent by a landing service is sent again too', async () => {
    const service = { name: 'fast', minTipLamports: 0 };
    const other = await startChain({ slotMs: 'manual', landingServices: [service] });
    atEnd(() => other.stop());
    const poor = Keypair.generate();
    const { signature, bytes } = signed(poor, other.ledger.ring.hashOf(other.ledger.slot), [
      transferFrom(poor.publicKey),
    ]);
    const fast = other.network.find('fast')?.rpcUrl ?? '';
    await callRpc(fast, 'sendTransaction', bytes.toString('base64'), { encoding: 'base64' });
    await callRpc(other.rpcUrl, 'requestAirdrop', poor.publicKey.toBase58(), LAMPORTS_PER_SOL);
    other.advanceSlots(RETRY_SLOTS);
    expect(other.ledger.history.bySignature(signature)).not.toBeNull();
  });
});
