import { describe, expect, test } from 'bun:test';
import { cpSync } from 'node:fs';
import {
  address,
  appendTransactionMessageInstruction,
  assertIsTransactionWithDurableNonceLifetime,
  createKeyPairSignerFromBytes,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  getSignatureFromTransaction,
  type Nonce,
  pipe,
  sendAndConfirmDurableNonceTransactionFactory,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingDurableNonce,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import {
  AddressLookupTableAccount,
  Connection,
  Keypair,
  NONCE_ACCOUNT_LENGTH,
  NonceAccount,
  type PublicKey,
  SYSVAR_RECENT_BLOCKHASHES_PUBKEY,
  SYSVAR_RENT_PUBKEY,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { fetchNonce, getTransferSolInstruction, NonceState, NonceVersion } from '@solana-program/system';
import bs58 from 'bs58';
import type { LedgerChange } from '../../sandbox/chain/ledger-listener.ts';
import { startChain } from '../../sandbox/chain/server.ts';
import { createChainClient, LAMPORTS_PER_SOL } from '../support/chain/chain-client.ts';
import { lookupTableData } from '../support/intents/intent-transactions.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { createTempDir } from '../support/run/temp-dir.ts';

const FEE_LAMPORTS = 5_000;
const NOT_EXPIRED = { InstructionError: [0, { Custom: 7 }] };

/** A chain some slots old, and transactions of the payer on it. */
async function stage() {
  const client = await createChainClient();
  const { chain, connection, payer, send } = client;
  chain.advanceSlots(20);
  const rent = await connection.getMinimumBalanceForRentExemption(NONCE_ACCOUNT_LENGTH);
  /** Signed bytes with any text in the place of the blockhash. */
  const signed = (
    blockhash: string,
    instructions: readonly TransactionInstruction[],
    signers: readonly Keypair[] = [],
    feePayer = payer,
  ) => {
    const options = { feePayer: feePayer.publicKey, blockhash, lastValidBlockHeight: 0 };
    const transaction = new Transaction(options).add(...instructions);
    transaction.sign(feePayer, ...signers);
    return {
      bytes: transaction.serialize(),
      signature: bs58.encode(transaction.signature ?? new Uint8Array(64)),
    };
  };
  const ordinary = async (
    instructions: readonly TransactionInstruction[],
    signers: readonly Keypair[] = [],
  ) => signed((await connection.getLatestBlockhash()).blockhash, instructions, signers);
  const refusalOf = async (bytes: Uint8Array) => (await send(bytes)).error?.data?.err;
  const stateOf = async (nonce: PublicKey) => {
    const account = await connection.getAccountInfo(nonce);
    return account === null ? null : NonceAccount.fromAccountData(account.data);
  };
  return {
    ...client,
    rent,
    signed,
    ordinary,
    refusalOf,
    stateOf,
    nonceOf: async (nonce: PublicKey) => (await stateOf(nonce))?.nonce ?? '',
    statusOf: async (signature: string) => (await connection.getSignatureStatus(signature)).value,
    /** Sends an ordinary transaction, and returns its error. */
    run: async (instructions: readonly TransactionInstruction[], signers: readonly Keypair[] = []) => {
      const { bytes, signature } = await ordinary(instructions, signers);
      await send(bytes, { skipPreflight: true });
      return (await connection.getSignatureStatus(signature)).value?.err;
    },
    /** A nonce account that can be used, unless it is needed in the block of its creation. */
    createNonce: async ({ slots = 1, lamports = rent, authority = payer.publicKey } = {}) => {
      const account = Keypair.generate();
      const { instructions } = SystemProgram.createNonceAccount({
        fromPubkey: payer.publicKey,
        noncePubkey: account.publicKey,
        authorizedPubkey: authority,
        lamports,
      });
      const { bytes } = await ordinary(instructions, [account]);
      expect((await send(bytes)).error).toBeUndefined();
      chain.advanceSlots(slots);
      return account.publicKey;
    },
    advance: (nonce: PublicKey, authority = payer.publicKey) =>
      SystemProgram.nonceAdvance({ noncePubkey: nonce, authorizedPubkey: authority }),
    /** So many lamports more than an empty account needs for its rent. */
    transfer: (lamports: number, toPubkey = Keypair.generate().publicKey) =>
      SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey, lamports: 1_000_000 + lamports }),
    withdraw: (nonce: PublicKey, lamports: number, toPubkey = Keypair.generate().publicKey) =>
      SystemProgram.nonceWithdraw({
        noncePubkey: nonce,
        authorizedPubkey: payer.publicKey,
        toPubkey,
        lamports,
      }),
  };
}

/** The nonce that a cluster derives from a blockhash. */
function derived(blockhash: string): string {
  const hash = new Bun.CryptoHasher('sha256').update('DURABLE_NONCE').update(bs58.decode(blockhash));
  return bs58.encode(hash.digest());
}

describe('a nonce account', () => {
  test('is created with a nonce of the newest blockhash, and read alike by web3.js and kit', async () => {
    const { chain, connection, payer, rent, signed, send, stateOf } = await stage();
    const account = Keypair.generate();
    const older = (await connection.getLatestBlockhash('finalized')).blockhash;
    const { instructions } = SystemProgram.createNonceAccount({
      fromPubkey: payer.publicKey,
      noncePubkey: account.publicKey,
      authorizedPubkey: payer.publicKey,
      lamports: rent,
    });
    await send(signed(older, instructions, [account]).bytes);
    const expected = derived(chain.ledger.ring.hashOf(chain.ledger.slot));
    expect(await stateOf(account.publicKey)).toMatchObject({
      authorizedPubkey: payer.publicKey,
      nonce: expected,
      feeCalculator: { lamportsPerSignature: FEE_LAMPORTS },
    });
    const { data } = await fetchNonce(createSolanaRpc(chain.rpcUrl), address(account.publicKey.toBase58()), {
      commitment: 'processed',
    });
    expect(data).toEqual({
      version: NonceVersion.Current,
      state: NonceState.Initialized,
      authority: address(payer.publicKey.toBase58()),
      blockhash: data.blockhash,
      lamportsPerSignature: BigInt(FEE_LAMPORTS),
    });
    expect(data.blockhash as string).toBe(expected);
  });

  test('advances once a block, by its authority alone', async () => {
    const { chain, connection, createNonce, run, advance, nonceOf, transfer } = await stage();
    const stranger = Keypair.generate();
    const nonce = await createNonce({ slots: 0 });
    expect(await run([advance(nonce), transfer(1)])).toEqual(NOT_EXPIRED);
    chain.advanceSlots(1);
    const before = await nonceOf(nonce);
    expect(await run([advance(nonce, stranger.publicKey)], [stranger])).toEqual({
      InstructionError: [0, 'MissingRequiredSignature'],
    });
    expect(await nonceOf(nonce)).toBe(before);
    expect(await run([advance(nonce), transfer(1)])).toBeNull();
    expect(await nonceOf(nonce)).toBe(derived((await connection.getLatestBlockhash()).blockhash));
    expect(await run([advance(nonce), transfer(2)])).toEqual(NOT_EXPIRED);
  });

  test('passes to another authority, and the former one can do nothing more with it', async () => {
    const { chain, payer, createNonce, run, advance, stateOf } = await stage();
    const next = Keypair.generate();
    const nonce = await createNonce();
    const authorize = (authorizedPubkey: PublicKey, newAuthorizedPubkey: PublicKey) =>
      SystemProgram.nonceAuthorize({ noncePubkey: nonce, authorizedPubkey, newAuthorizedPubkey });
    expect(await run([authorize(next.publicKey, payer.publicKey)], [next])).toEqual({
      InstructionError: [0, 'MissingRequiredSignature'],
    });
    const before = await stateOf(nonce);
    expect(await run([authorize(payer.publicKey, next.publicKey)])).toBeNull();
    expect(await stateOf(nonce)).toMatchObject({ authorizedPubkey: next.publicKey, nonce: before?.nonce });
    chain.advanceSlots(1);
    expect(await run([advance(nonce)])).toEqual({ InstructionError: [0, 'MissingRequiredSignature'] });
    expect(await run([advance(nonce, next.publicKey)], [next])).toBeNull();
  });

  test('keeps its rent, or gives all of it back once its nonce is of an earlier block', async () => {
    const { chain, connection, payer, rent, createNonce, run, advance, withdraw } = await stage();
    const receiver = Keypair.generate().publicKey;
    const nonce = await createNonce({ lamports: rent + LAMPORTS_PER_SOL });
    const insufficient = { InstructionError: [0, 'InsufficientFunds'] };
    expect(await run([withdraw(nonce, LAMPORTS_PER_SOL + 1)])).toEqual(insufficient);
    expect(await run([withdraw(nonce, rent + LAMPORTS_PER_SOL + 1)])).toEqual(insufficient);
    expect(await run([withdraw(nonce, LAMPORTS_PER_SOL, receiver)])).toBeNull();
    expect(await connection.getBalance(receiver)).toBe(LAMPORTS_PER_SOL);
    expect(await run([advance(nonce)])).toBeNull();
    expect(await run([withdraw(nonce, rent)])).toEqual(NOT_EXPIRED);
    chain.advanceSlots(1);
    const before = await connection.getBalance(payer.publicKey);
    expect(await run([withdraw(nonce, rent, payer.publicKey)])).toBeNull();
    expect(await connection.getBalance(payer.publicKey)).toBe(before + rent - FEE_LAMPORTS);
    expect(await connection.getAccountInfo(nonce)).toBeNull();
  });

  test('is initialised once, with its rent, and not used before', async () => {
    const { chain, payer, rent, run, createNonce, advance } = await stage();
    const initialize = (nonce: PublicKey) => {
      const { instructions } = SystemProgram.createNonceAccount({
        fromPubkey: payer.publicKey,
        noncePubkey: nonce,
        authorizedPubkey: payer.publicKey,
        lamports: rent,
      });
      const [, initializes] = instructions;
      if (initializes === undefined) throw new Error('no second instruction');
      return initializes;
    };
    expect(await run([initialize(await createNonce())])).toEqual({
      InstructionError: [0, 'InvalidAccountData'],
    });
    const poor = Keypair.generate();
    const create = (lamports: number) =>
      SystemProgram.createAccount({
        fromPubkey: payer.publicKey,
        newAccountPubkey: poor.publicKey,
        lamports,
        space: NONCE_ACCOUNT_LENGTH,
        programId: SystemProgram.programId,
      });
    expect(await run([create(rent - 1), initialize(poor.publicKey)], [poor])).toEqual({
      InstructionError: [1, 'InsufficientFunds'],
    });
    expect(await run([create(rent)], [poor])).toBeNull();
    chain.advanceSlots(1);
    expect(await run([advance(poor.publicKey)])).toEqual({ InstructionError: [0, 'InvalidAccountData'] });
  });

  test('of the first version is good for nothing until it is upgraded', async () => {
    const { chain, rent, createNonce, signed, run, refusalOf, advance, transfer, nonceOf } = await stage();
    const nonce = await createNonce();
    const old = derived('11111111111111111111111111111111');
    const data = Buffer.from(chain.ledger.vm.getAccount(nonce.toBase58())?.data ?? []);
    data.writeUInt32LE(0, 0);
    data.set(bs58.decode(old), 40);
    const account = { lamports: BigInt(rent), owner: SystemProgram.programId.toBase58(), data };
    chain.ledger.setAccount(nonce.toBase58(), { ...account, executable: false, rentEpoch: 0n });
    const { bytes } = signed(old, [advance(nonce), transfer(1)]);
    expect(await refusalOf(bytes)).toBe('BlockhashNotFound');
    const upgrade = new TransactionInstruction({
      programId: SystemProgram.programId,
      keys: [{ pubkey: nonce, isSigner: false, isWritable: true }],
      data: Buffer.from([12, 0, 0, 0]),
    });
    expect(await run([upgrade])).toBeNull();
    expect(await nonceOf(nonce)).toBe(derived(old));
    expect(await refusalOf(signed(derived(old), [advance(nonce), transfer(2)]).bytes)).toBeUndefined();
  });
});

describe('a transaction with a durable nonce', () => {
  test('lands at any age, once', async () => {
    const { chain, createNonce, nonceOf, signed, ordinary, send, refusalOf, advance, transfer, statusOf } =
      await stage();
    const nonce = await createNonce();
    const value = await nonceOf(nonce);
    const waiting = signed(value, [advance(nonce), transfer(1)]);
    const other = signed(value, [advance(nonce), transfer(2)]);
    const late = await ordinary([transfer(3)]);
    chain.advanceSlots(1_000);
    expect(await refusalOf(late.bytes)).toBe('BlockhashNotFound');
    expect((await send(waiting.bytes)).result).toBe(waiting.signature);
    expect(await statusOf(waiting.signature)).toMatchObject({ err: null, confirmationStatus: 'processed' });
    expect(await nonceOf(nonce)).not.toBe(value);
    for (const { bytes } of [waiting, other]) {
      expect(await refusalOf(bytes)).toBe('BlockhashNotFound');
      chain.advanceSlots(1);
      await send(bytes, { skipPreflight: true });
    }
    expect(await statusOf(other.signature)).toBeNull();
    expect(chain.ledger.history.bySignature(waiting.signature)?.slot).toBe(chain.ledger.slot - 2n);
  });

  test('that fails pays its fee and advances the nonce, and changes nothing else', async () => {
    const {
      chain,
      connection,
      payer,
      createNonce,
      nonceOf,
      signed,
      send,
      refusalOf,
      advance,
      transfer,
      statusOf,
    } = await stage();
    const nonce = await createNonce();
    const value = await nonceOf(nonce);
    const receiver = Keypair.generate().publicKey;
    const failing = signed(value, [advance(nonce), transfer(LAMPORTS_PER_SOL, receiver), transfer(10 ** 15)]);
    const balance = await connection.getBalance(payer.publicKey);
    chain.advanceSlots(200);
    const announced: (readonly string[])[] = [];
    const listener = {
      changed: ({ accounts }: LedgerChange) => announced.push(accounts),
      forked() {},
      slotEntered() {},
    };
    chain.ledger.listeners.add(listener);
    // Preflight refuses a transaction that would fail, and leaves no trace.
    expect(await refusalOf(failing.bytes)).toEqual({ InstructionError: [2, { Custom: 1 }] });
    expect(await nonceOf(nonce)).toBe(value);
    await send(failing.bytes, { skipPreflight: true });
    expect((await statusOf(failing.signature))?.err).toEqual({ InstructionError: [2, { Custom: 1 }] });
    expect(await connection.getBalance(payer.publicKey)).toBe(balance - FEE_LAMPORTS);
    expect(await connection.getBalance(receiver)).toBe(0);
    const advanced = derived((await connection.getLatestBlockhash()).blockhash);
    expect(await nonceOf(nonce)).toBe(advanced);
    expect(chain.ledger.accountAt(nonce.toBase58(), chain.ledger.slot - 1n)).not.toEqual(
      chain.ledger.accountAt(nonce.toBase58(), chain.ledger.slot),
    );
    chain.advanceSlots(1);
    expect(await refusalOf(failing.bytes)).toBe('BlockhashNotFound');
    expect(announced).toEqual([[payer.publicKey.toBase58(), nonce.toBase58()]]);
  });

  test('is refused in the block that made its nonce, and lands in the next one', async () => {
    const { chain, createNonce, nonceOf, signed, send, refusalOf, advance, transfer, statusOf } =
      await stage();
    const nonce = await createNonce({ slots: 0 });
    const first = signed(await nonceOf(nonce), [advance(nonce), transfer(1)]);
    expect(await refusalOf(first.bytes)).toBe('BlockhashNotFound');
    await send(first.bytes, { skipPreflight: true });
    expect(await statusOf(first.signature)).toBeNull();
    chain.advanceSlots(1);
    await send(first.bytes);
    const second = signed(await nonceOf(nonce), [advance(nonce), transfer(2)]);
    expect(await refusalOf(second.bytes)).toBe('BlockhashNotFound');
    chain.advanceSlots(1);
    expect(await refusalOf(second.bytes)).toBeUndefined();
    expect((await statusOf(second.signature))?.err).toBeNull();
  });

  test('needs the nonce as it is, its authority, and the advance as first instruction on a static, writable account', async () => {
    const { chain, payer, createNonce, nonceOf, signed, refusalOf, advance, transfer } = await stage();
    const stranger = Keypair.generate();
    const nonce = await createNonce();
    const foreign = await createNonce({ authority: stranger.publicKey });
    const value = await nonceOf(nonce);
    const refused = async (bytes: Uint8Array) => expect(await refusalOf(bytes)).toBe('BlockhashNotFound');
    const changed = (change: (instruction: TransactionInstruction) => void) => {
      const instruction = advance(nonce);
      change(instruction);
      return instruction;
    };
    await refused(signed(value, [transfer(1), advance(nonce)]).bytes);
    await refused(signed(derived(value), [advance(nonce), transfer(1)]).bytes);
    await refused(signed(await nonceOf(foreign), [advance(foreign), transfer(1)]).bytes);
    await refused(signed(value, [advance(nonce, stranger.publicKey), transfer(1)], [stranger]).bytes);
    await refused(signed(value, [advance(Keypair.generate().publicKey), transfer(1)]).bytes);
    const readOnly = changed(({ keys }) => {
      keys[0] = { pubkey: nonce, isSigner: false, isWritable: false };
    });
    await refused(signed(value, [readOnly, transfer(1)]).bytes);
    const table = Keypair.generate().publicKey;
    const filler = Keypair.generate().publicKey;
    chain.ledger.setAccount(table.toBase58(), {
      lamports: 10_000_000n,
      owner: 'AddressLookupTab1e1111111111111111111111111',
      data: lookupTableData([filler.toBase58(), nonce.toBase58()]),
      executable: false,
      rentEpoch: 0n,
    });
    const message = new TransactionMessage({
      payerKey: payer.publicKey,
      recentBlockhash: value,
      instructions: [advance(nonce), transfer(1)],
    }).compileToV0Message([
      new AddressLookupTableAccount({
        key: table,
        state: {
          deactivationSlot: 2n ** 64n - 1n,
          lastExtendedSlot: 0,
          lastExtendedSlotStartIndex: 0,
          addresses: [filler, nonce],
        },
      }),
    ]);
    expect(message.addressTableLookups).toHaveLength(1);
    const lookedUp = new VersionedTransaction(message);
    lookedUp.sign([payer]);
    await refused(lookedUp.serialize());
    // Bytes after the number of the instruction do not count.
    const padded = changed((instruction) => {
      instruction.data = Buffer.from([4, 0, 0, 0, 9]);
    });
    expect(await refusalOf(signed(value, [padded, transfer(1)]).bytes)).toBeUndefined();
  });

  test('with a false signature lands nowhere, and leaves the nonce', async () => {
    const { createNonce, nonceOf, signed, send, rpc, advance, transfer, statusOf } = await stage();
    const nonce = await createNonce();
    const value = await nonceOf(nonce);
    const forged = signed(value, [advance(nonce), transfer(1)]);
    forged.bytes[10] = (forged.bytes[10] ?? 0) ^ 1;
    const text = forged.bytes.toString('base64');
    expect((await send(forged.bytes)).error?.code).toBe(-32003);
    await send(forged.bytes, { skipPreflight: true });
    expect(await nonceOf(nonce)).toBe(value);
    expect(await statusOf(bs58.encode(forged.bytes.subarray(1, 65)))).toBeNull();
    const simulated = async (sigVerify: boolean) => {
      const config = { encoding: 'base64', commitment: 'processed', sigVerify };
      return (await rpc('simulateTransaction', text, config)).result;
    };
    expect(await simulated(true)).toMatchObject({ value: { err: 'SignatureFailure' } });
    expect(await simulated(false)).toMatchObject({ value: { err: null } });
  });

  test('may be paid by the nonce account itself, down to its rent', async () => {
    const { chain, connection, payer, rent, ordinary, signed, send, refusalOf, advance, stateOf } =
      await stage();
    const account = Keypair.generate();
    const { instructions } = SystemProgram.createNonceAccount({
      fromPubkey: payer.publicKey,
      noncePubkey: account.publicKey,
      authorizedPubkey: account.publicKey,
      lamports: rent + FEE_LAMPORTS,
    });
    await send((await ordinary(instructions, [account])).bytes);
    chain.advanceSlots(1);
    const own = async () => {
      const value = (await stateOf(account.publicKey))?.nonce ?? '';
      const tooMuch = SystemProgram.transfer({
        fromPubkey: account.publicKey,
        toPubkey: payer.publicKey,
        lamports: 1,
      });
      return signed(value, [advance(account.publicKey, account.publicKey), tooMuch], [], account);
    };
    const failing = await own();
    const before = await stateOf(account.publicKey);
    await send(failing.bytes, { skipPreflight: true });
    expect(await connection.getBalance(account.publicKey)).toBe(rent);
    expect((await stateOf(account.publicKey))?.nonce).not.toBe(before?.nonce);
    chain.advanceSlots(1);
    expect(await refusalOf((await own()).bytes)).toBe('InsufficientFundsForFee');
  });

  test('has a fee and a simulation, and its nonce is no blockhash', async () => {
    const { chain, connection, createNonce, nonceOf, signed, rpc, advance, transfer } = await stage();
    const nonce = await createNonce();
    const value = await nonceOf(nonce);
    const { bytes } = signed(value, [advance(nonce), transfer(1)]);
    chain.advanceSlots(400);
    const wire = Buffer.from(bytes);
    const message = wire.subarray(65).toString('base64');
    const commitment = { commitment: 'processed' };
    const valueFrom = async (method: string, ...params: unknown[]) => {
      const { result } = await rpc(method, ...params);
      return typeof result === 'object' && result !== null && 'value' in result ? result.value : undefined;
    };
    const simulation = (config: Record<string, unknown> = {}) =>
      valueFrom('simulateTransaction', wire.toString('base64'), {
        encoding: 'base64',
        ...commitment,
        ...config,
      });
    expect(await valueFrom('isBlockhashValid', value, commitment)).toBe(false);
    expect(await valueFrom('getFeeForMessage', message, commitment)).toBe(FEE_LAMPORTS);
    const accounts = { addresses: [nonce.toBase58()], encoding: 'base64' };
    const simulated = await simulation({ sigVerify: true, accounts });
    expect(simulated).toMatchObject({ err: null, accounts: [{ space: NONCE_ACCOUNT_LENGTH }] });
    const advanced = derived((await connection.getLatestBlockhash()).blockhash);
    expect(JSON.stringify(simulated)).toContain(base64Within(advanced));
    expect(await simulation({ replaceRecentBlockhash: true })).toMatchObject({ err: null });
    expect(await nonceOf(nonce)).toBe(value);
    await rpc('sendTransaction', wire.toString('base64'), { encoding: 'base64', skipPreflight: true });
    expect(await simulation()).toMatchObject({ err: 'BlockhashNotFound' });
    expect(await simulation({ replaceRecentBlockhash: true })).toMatchObject({ err: NOT_EXPIRED });
    expect(await valueFrom('getFeeForMessage', message, commitment)).toBeNull();
  });
});

/** The characters of a nonce in the base64 of its account. */
function base64Within(nonce: string): string {
  // The nonce begins at byte 40; two bytes later begins a group of three bytes.
  return Buffer.from(bs58.decode(nonce)).subarray(2, 32).toString('base64');
}

test('a fork returns the nonce: the dropped transaction may land again, once', async () => {
  const { chain, connection, createNonce, nonceOf, signed, send, refusalOf, advance, transfer, statusOf } =
    await stage();
  const nonce = await createNonce({ slots: 5 });
  const value = await nonceOf(nonce);
  const [one, other] = [1, 2].map((lamports) => signed(value, [advance(nonce), transfer(lamports)]));
  if (one === undefined || other === undefined) throw new Error('two transactions were made');
  await send(one.bytes);
  chain.advanceSlots(1);
  expect(chain.fork({ blocks: 2 }).dropped).toEqual([one.signature]);
  expect(await statusOf(one.signature)).toBeNull();
  expect(await nonceOf(nonce)).toBe(value);
  expect(await refusalOf(other.bytes)).toBeUndefined();
  expect(await refusalOf(one.bytes)).toBe('BlockhashNotFound');
  const { landedAgain } = chain.fork({ blocks: 1, landAgain: true });
  expect(landedAgain).toEqual([other.signature]);
  expect(await nonceOf(nonce)).toBe(derived((await connection.getLatestBlockhash()).blockhash));
});

test('a nonce survives a restart, and so does that it was used', async () => {
  const dataDir = createTempDir('nonces');
  const chain = await startChain({ dataDir, slotMs: 'manual' });
  const connection = new Connection(chain.rpcUrl, 'processed');
  const payer = Keypair.generate();
  const [used, waiting] = [Keypair.generate(), Keypair.generate()];
  await connection.requestAirdrop(payer.publicKey, LAMPORTS_PER_SOL);
  const rent = await connection.getMinimumBalanceForRentExemption(NONCE_ACCOUNT_LENGTH);
  const creation = new Transaction({ feePayer: payer.publicKey, ...(await connection.getLatestBlockhash()) });
  for (const { publicKey } of [used, waiting])
    creation.add(
      SystemProgram.createNonceAccount({
        fromPubkey: payer.publicKey,
        noncePubkey: publicKey,
        authorizedPubkey: payer.publicKey,
        lamports: rent,
      }),
    );
  creation.sign(payer, used, waiting);
  await connection.sendRawTransaction(creation.serialize());
  chain.advanceSlots(1);
  const durable = async ({ publicKey }: Keypair) => {
    const blockhash = (await connection.getNonce(publicKey))?.nonce ?? '';
    const transaction = new Transaction({ feePayer: payer.publicKey, blockhash, lastValidBlockHeight: 0 });
    transaction.add(
      SystemProgram.nonceAdvance({ noncePubkey: publicKey, authorizedPubkey: payer.publicKey }),
      SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: payer.publicKey, lamports: 1 }),
    );
    transaction.sign(payer);
    return transaction.serialize();
  };
  const [usedBytes, waitingBytes] = [await durable(used), await durable(waiting)];
  await connection.sendRawTransaction(usedBytes);
  await chain.stop();
  const copy = createTempDir('nonces-restarted');
  cpSync(dataDir, copy, { recursive: true });
  const again = await startChain({ dataDir: copy, slotMs: 'manual' });
  atEnd(() => again.stop());
  again.advanceSlots(500);
  const restarted = new Connection(again.rpcUrl, 'processed');
  expect(restarted.sendRawTransaction(usedBytes)).rejects.toThrow('Blockhash not found');
  await restarted.sendRawTransaction(waitingBytes);
});

test('kit builds, sends and confirms a transaction by its nonce', async () => {
  const chain = await startChain({ slotMs: 40 });
  atEnd(() => chain.stop());
  const connection = new Connection(chain.rpcUrl, 'confirmed');
  const payer = Keypair.generate();
  const account = Keypair.generate();
  await connection.confirmTransaction(await connection.requestAirdrop(payer.publicKey, LAMPORTS_PER_SOL));
  const creation = SystemProgram.createNonceAccount({
    fromPubkey: payer.publicKey,
    noncePubkey: account.publicKey,
    authorizedPubkey: payer.publicKey,
    lamports: await connection.getMinimumBalanceForRentExemption(NONCE_ACCOUNT_LENGTH),
  });
  await connection.confirmTransaction(await connection.sendTransaction(creation, [payer, account]));
  const signer = await createKeyPairSignerFromBytes(payer.secretKey);
  const rpc = createSolanaRpc(chain.rpcUrl);
  const rpcSubscriptions = createSolanaRpcSubscriptions(chain.socketUrl);
  const nonceAccountAddress = address(account.publicKey.toBase58());
  const { data } = await fetchNonce(rpc, nonceAccountAddress);
  const transfer = async (amount: bigint) => {
    const transaction = await signTransactionMessageWithSigners(
      pipe(
        createTransactionMessage({ version: 0 }),
        (message) => setTransactionMessageFeePayerSigner(signer, message),
        (message) =>
          setTransactionMessageLifetimeUsingDurableNonce(
            {
              nonce: data.blockhash as string as Nonce,
              nonceAccountAddress,
              nonceAuthorityAddress: signer.address,
            },
            message,
          ),
        (message) =>
          appendTransactionMessageInstruction(
            getTransferSolInstruction({ source: signer, destination: signer.address, amount }),
            message,
          ),
      ),
    );
    assertIsTransactionWithDurableNonceLifetime(transaction);
    return transaction;
  };
  const sendAndConfirm = sendAndConfirmDurableNonceTransactionFactory({ rpc, rpcSubscriptions });
  const [transaction, other] = [await transfer(1n), await transfer(2n)];
  await sendAndConfirm(transaction, { commitment: 'confirmed' });
  const [status] = (await rpc.getSignatureStatuses([getSignatureFromTransaction(transaction)]).send()).value;
  expect(status?.err).toBeNull();
  expect(sendAndConfirm(other, { commitment: 'confirmed', skipPreflight: true })).rejects.toThrow('nonce');
});

test('the sysvars that nonce instructions name are accounts', async () => {
  const { chain, connection } = await stage();
  const at = async (commitment: 'processed' | 'finalized') => {
    const account = await connection.getAccountInfo(SYSVAR_RECENT_BLOCKHASHES_PUBKEY, commitment);
    const data = account?.data ?? Buffer.alloc(0);
    return {
      bytes: data.length,
      count: data.readBigUInt64LE(0),
      newest: bs58.encode(data.subarray(8, 40)),
      lamportsPerSignature: data.readBigUInt64LE(40),
    };
  };
  const hashAt = async (commitment: 'processed' | 'finalized') =>
    (await connection.getLatestBlockhash(commitment)).blockhash;
  expect(await at('processed')).toEqual({
    bytes: 6_008,
    count: 21n,
    newest: await hashAt('processed'),
    lamportsPerSignature: BigInt(FEE_LAMPORTS),
  });
  expect(await at('finalized')).toMatchObject({ newest: await hashAt('finalized') });
  chain.advanceSlots(300);
  expect(await at('processed')).toMatchObject({ bytes: 6_008, count: 150n });
  expect((await connection.getAccountInfo(SYSVAR_RENT_PUBKEY))?.data).toHaveLength(17);
});
