import { expect, test } from 'bun:test';
import { Keypair, PublicKey, SystemProgram, Transaction, TransactionInstruction } from '@solana/web3.js';
import type { ComputedInstruction, Effect } from '../../sandbox/chain/programs/effects.ts';
import { EVENT_TAG, programImage, UNFORESEEN_ERROR } from '../../sandbox/chain/programs/program-image.ts';
import { createChainClient, LAMPORTS_PER_SOL } from '../support/chain/chain-client.ts';

const { chain, connection, payer, latestBlockhash } = await createChainClient();
const program = Keypair.generate().publicKey;
const derived = (seed: string) => PublicKey.findProgramAddressSync([Buffer.from(seed)], program);
const [authority, authorityBump] = derived('__event_authority');
const seedsOf = (seed: string, bump: number) => [Buffer.from(seed), Buffer.from([bump])];

interface Account {
  readonly address: PublicKey;
  readonly signer?: boolean;
  readonly writable?: boolean;
}

function computed(
  accounts: readonly Account[],
  data: number[],
  effects: readonly Effect[],
  state: ComputedInstruction['state'] = [],
): ComputedInstruction {
  return {
    data: Uint8Array.from(data),
    accounts: accounts.map(({ address }) => address.toBase58()),
    state,
    effects,
  };
}

function instruction(accounts: readonly Account[], data: number[]): TransactionInstruction {
  return new TransactionInstruction({
    programId: program,
    data: Buffer.from(data),
    keys: accounts.map(({ address, signer = false, writable = false }) => ({
      pubkey: address,
      isSigner: signer,
      isWritable: writable,
    })),
  });
}

async function land(...instructions: TransactionInstruction[]) {
  const transaction = new Transaction({
    feePayer: payer.publicKey,
    blockhash: await latestBlockhash(),
    lastValidBlockHeight: 0,
  });
  // A transaction of its own, also where the instructions repeat.
  const unique = SystemProgram.transfer({
    fromPubkey: payer.publicKey,
    toPubkey: Keypair.generate().publicKey,
    lamports: LAMPORTS_PER_SOL,
  });
  transaction.add(...instructions, unique);
  transaction.sign(payer);
  const signature = await connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true });
  chain.advanceSlots(1);
  const record = await connection.getTransaction(signature, {
    maxSupportedTransactionVersion: 0,
    commitment: 'confirmed',
  });
  if (record?.meta == null) throw new Error('the transaction did not land');
  return record.meta;
}

function install(...instructions: ComputedInstruction[]): void {
  chain.ledger.addProgram(program.toBase58(), programImage(instructions));
}

const from: Account = { address: payer.publicKey, signer: true, writable: true };
const system: Account = { address: SystemProgram.programId };
const self: Account = { address: program };

const invokeSystem = (built: TransactionInstruction, signers: Uint8Array[][] = []): Effect => ({
  kind: 'invoke',
  instruction: {
    program: built.programId.toBase58(),
    accounts: built.keys.map(({ pubkey, isSigner, isWritable }) => ({
      address: pubkey.toBase58(),
      signer: isSigner,
      writable: isWritable,
    })),
    data: built.data,
  },
  signers,
});

test('a transfer by another program is an inner instruction with its balances, and an event a call to itself', async () => {
  const receiver = Keypair.generate().publicKey;
  const accounts = [from, { address: receiver, writable: true }, system, { address: authority }, self];
  const transfer = SystemProgram.transfer({
    fromPubkey: payer.publicKey,
    toPubkey: receiver,
    lamports: 5_000_000,
  });
  const event: Effect = {
    kind: 'invoke',
    instruction: {
      program: program.toBase58(),
      accounts: [{ address: authority.toBase58(), signer: true, writable: false }],
      data: Uint8Array.of(...EVENT_TAG, 7, 7, 7),
    },
    signers: [seedsOf('__event_authority', authorityBump)],
  };
  install(computed(accounts, [1], [{ kind: 'log', message: 'hello' }, invokeSystem(transfer), event]));
  const meta = await land(instruction(accounts, [1]));
  expect(meta.err).toBeNull();
  expect(meta.innerInstructions?.[0]?.instructions).toHaveLength(2);
  expect(meta.logMessages).toContain('Program log: hello');
  expect(await connection.getBalance(receiver)).toBe(5_000_000);
});

test('an account is created at a derived address and written in the same instruction', async () => {
  const [vault, bump] = derived('vault');
  const accounts = [from, { address: vault, writable: true }, system];
  const create = SystemProgram.createAccount({
    fromPubkey: payer.publicKey,
    newAccountPubkey: vault,
    lamports: await connection.getMinimumBalanceForRentExemption(40),
    space: 40,
    programId: program,
  });
  const bytes = Uint8Array.of(9, 8, 7);
  install(
    computed(
      accounts,
      [2],
      [invokeSystem(create, [seedsOf('vault', bump)]), { kind: 'write', account: 1, offset: 16, bytes }],
    ),
  );
  expect((await land(instruction(accounts, [2]))).err).toBeNull();
  const account = await connection.getAccountInfo(vault, 'processed');
  expect(account?.owner.equals(program)).toBe(true);
  expect(account?.data).toEqual(Buffer.concat([Buffer.alloc(16), bytes, Buffer.alloc(21)]));
});

test('two equal calls in one transaction are distinguished by what the account holds', async () => {
  const [vault] = derived('vault');
  const accounts = [from, { address: vault, writable: true }, system, from];
  const state = (value: number) => [{ account: 1, dataBytes: 40, offset: 16, bytes: Uint8Array.of(value) }];
  const write = (value: number): Effect => ({
    kind: 'write',
    account: 1,
    offset: 16,
    bytes: Uint8Array.of(value),
  });
  install(computed(accounts, [3], [write(20)], state(9)), computed(accounts, [3], [write(30)], state(20)));
  expect((await land(instruction(accounts, [3]), instruction(accounts, [3]))).err).toBeNull();
  expect((await connection.getAccountInfo(vault, 'processed'))?.data[16]).toBe(30);
});

test('a custom error takes everything back; a call that nobody foresaw fails and says why', async () => {
  const [vault] = derived('vault');
  const accounts = [from, { address: vault, writable: true }, system];
  install(
    computed(
      accounts,
      [4],
      [
        { kind: 'write', account: 1, offset: 16, bytes: Uint8Array.of(99) },
        { kind: 'fail', error: 6_002 },
      ],
    ),
  );
  expect((await land(instruction(accounts, [4]))).err).toEqual({ InstructionError: [0, { Custom: 6_002 }] });
  expect((await connection.getAccountInfo(vault, 'processed'))?.data[16]).toBe(30);
  const meta = await land(instruction(accounts, [5]));
  expect(meta.err).toEqual({ InstructionError: [0, { Custom: UNFORESEEN_ERROR }] });
  expect(meta.logMessages?.join()).toContain('by computed programs only');
});
