import { expect, test } from 'bun:test';
import {
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
} from '@solana/web3.js';
import type { Effect } from '../../sandbox/chain/programs/effects.ts';
import { type ProgramCall, ProgramError, type ProgramModel } from '../../sandbox/chain/programs/model.ts';
import { startChain } from '../../sandbox/chain/server.ts';
import { atEnd } from '../support/run/cleanup.ts';

const LAMPORTS_PER_SOL = 1_000_000_000;
const COUNTER_BYTES = 8;
const OVERFLOW = 6_001;
const counterProgram = Keypair.generate().publicKey;
const outerProgram = Keypair.generate().publicKey;
const mirrorProgram = Keypair.generate().publicKey;
const mirror = Keypair.generate().publicKey;
const [counter, bump] = PublicKey.findProgramAddressSync([Buffer.from('counter')], counterProgram);

/** Creates its counter at the first call; each call adds the byte of its data, up to 100. */
const counterModel: ProgramModel = {
  address: counterProgram.toBase58(),
  *run(call: ProgramCall): Generator<Effect, void, void> {
    if (call.account(counter.toBase58()) === null) {
      const created = SystemProgram.createAccount({
        fromPubkey: new PublicKey(call.accounts[0]?.address ?? ''),
        newAccountPubkey: counter,
        lamports: Number(call.rentExemptLamports(COUNTER_BYTES)),
        space: COUNTER_BYTES,
        programId: counterProgram,
      });
      yield {
        kind: 'invoke',
        signers: [[Buffer.from('counter'), Buffer.from([bump])]],
        instruction: invoked(created),
      };
    }
    const before = call.account(counter.toBase58())?.data[0] ?? 0;
    const after = before + (call.data[0] ?? 0);
    if (after > 200) throw new RangeError('the number does not fit');
    if (after > 100) throw new ProgramError(OVERFLOW, `Error Number: ${OVERFLOW}. Error Message: too much.`);
    yield { kind: 'write', account: 1, offset: 0, bytes: Uint8Array.of(after) };
  },
};

/** Calls the counter with the byte of its own data, twice. */
const outerModel: ProgramModel = {
  address: outerProgram.toBase58(),
  *run(call: ProgramCall): Generator<Effect, void, void> {
    for (let count = 0; count < 2; count += 1)
      yield { kind: 'invoke', signers: [], instruction: invoked(add(call.data[0] ?? 0)) };
  },
};

/** Copies the counter, which it only reads, into its own account. */
const mirrorModel: ProgramModel = {
  address: mirrorProgram.toBase58(),
  *run(call: ProgramCall): Generator<Effect, void, void> {
    const seen = call.account(counter.toBase58())?.data[0] ?? 0;
    yield { kind: 'write', account: 0, offset: 0, bytes: Uint8Array.of(seen) };
  },
};

function invoked(instruction: TransactionInstruction) {
  return {
    program: instruction.programId.toBase58(),
    data: instruction.data,
    accounts: instruction.keys.map(({ pubkey, isSigner, isWritable }) => ({
      address: pubkey.toBase58(),
      signer: isSigner,
      writable: isWritable,
    })),
  };
}

const chain = await startChain({ slotMs: 'manual', models: [counterModel, outerModel, mirrorModel] });
atEnd(() => chain.stop());
const connection = new Connection(chain.rpcUrl, 'processed');
const payer = Keypair.generate();
await connection.requestAirdrop(payer.publicKey, 10 * LAMPORTS_PER_SOL);

function add(value: number): TransactionInstruction {
  return new TransactionInstruction({
    programId: counterProgram,
    data: Buffer.from([value]),
    keys: [
      { pubkey: payer.publicKey, isSigner: true, isWritable: true },
      { pubkey: counter, isSigner: false, isWritable: true },
      { pubkey: SystemProgram.programId, isSigner: false, isWritable: false },
    ],
  });
}

function addTwice(value: number): TransactionInstruction {
  return new TransactionInstruction({
    programId: outerProgram,
    data: Buffer.from([value]),
    keys: [...add(value).keys, { pubkey: counterProgram, isSigner: false, isWritable: false }],
  });
}

async function land(...instructions: TransactionInstruction[]) {
  chain.advanceSlots(1);
  const transaction = new Transaction({
    feePayer: payer.publicKey,
    blockhash: (await connection.getLatestBlockhash()).blockhash,
    lastValidBlockHeight: 0,
  });
  transaction.add(...instructions);
  transaction.sign(payer);
  const simulated = (await connection.simulateTransaction(transaction)).value.err;
  const signature = await connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true });
  const status = (await connection.getSignatureStatuses([signature])).value[0];
  expect(simulated).toEqual(status?.err ?? null);
  return status?.err ?? null;
}

const value = async () => (await connection.getAccountInfo(counter))?.data[0];

test('each call is computed on the state that the calls before it leave behind, equal calls included', async () => {
  expect((await connection.getAccountInfo(counterProgram))?.executable).toBe(true);
  expect(await land(add(5), add(5), add(7), add(5))).toBeNull();
  expect(await value()).toBe(22);
});

test('a call by another computed program is computed in its turn', async () => {
  expect(await land(addTwice(4), add(1))).toBeNull();
  expect(await value()).toBe(31);
});

test('equal calls are told apart by an account that they only read', async () => {
  const empty = { lamports: 1_000_000_000n, executable: false, rentEpoch: 0n, data: Uint8Array.of(31) };
  chain.ledger.setAccount(mirror.toBase58(), { ...empty, owner: mirrorProgram.toBase58() });
  const copy = () =>
    new TransactionInstruction({
      programId: mirrorProgram,
      keys: [
        { pubkey: mirror, isSigner: false, isWritable: true },
        { pubkey: counter, isSigner: false, isWritable: false },
      ],
    });
  // The first copy changes nothing, so that only the counter differs when the second one is called.
  expect(await land(copy(), add(2), copy())).toBeNull();
  expect((await connection.getAccountInfo(mirror))?.data[0]).toBe(33);
});

test("a program's error fails the transaction with its number and takes everything back", async () => {
  expect(await land(add(60), add(60))).toEqual({ InstructionError: [1, { Custom: OVERFLOW }] });
  expect(await value()).toBe(33);
  expect(await land(addTwice(50))).toEqual({ InstructionError: [0, { Custom: OVERFLOW }] });
  expect(await value()).toBe(33);
});

test('a program that panics fails to complete, and takes everything back', async () => {
  expect(await land(add(5), add(240))).toEqual({ InstructionError: [1, 'ProgramFailedToComplete'] });
  expect(await value()).toBe(33);
});
