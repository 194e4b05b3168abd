import { describe, expect, test } from 'bun:test';
import { address, lamports } from '@solana/kit';
import {
  Keypair,
  NONCE_ACCOUNT_LENGTH,
  NonceAccount,
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
} from '@solana/web3.js';
import { getNonceEncoder, NonceState, NonceVersion } from '@solana-program/system';
import { NONCE_ACCOUNT_BYTES, readNonceAccount } from '../../src/chain/accounts/nonce-account.ts';
import { SPL_TOKEN, SYSTEM_PROGRAM } from '../../src/chain/accounts/programs.ts';
import type { Instruction } from '../../src/chain/transactions/instruction.ts';
import {
  createSeededNonce,
  seededNonceAddress,
  withdrawNonce,
} from '../../src/chain/transactions/nonce-instructions.ts';
import { nonceAccountData } from '../support/intents/intent-transactions.ts';

const wallet = Keypair.generate().publicKey;
const seed = '0191e7a45c1e7d3a9c5b2f4a6b8c0d1e';

/** An instruction as the library spells it. */
function plain({ programId, keys, data }: TransactionInstruction) {
  return {
    program: programId.toBase58(),
    accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
      address: pubkey.toBase58(),
      isSigner,
      isWritable,
    })),
    data: data.toString('hex'),
  };
}

const ours = ({ program, accounts, data }: Instruction) => ({
  program,
  accounts,
  data: Buffer.from(data).toString('hex'),
});

describe('instructions about nonces', () => {
  test('that create an account with a seed are those of web3.js, byte for byte', async () => {
    const noncePubkey = await PublicKey.createWithSeed(wallet, seed, SystemProgram.programId);
    expect(await seededNonceAddress(wallet.toBase58(), seed)).toBe(noncePubkey.toBase58());
    const { instructions } = SystemProgram.createNonceAccount({
      fromPubkey: wallet,
      noncePubkey,
      authorizedPubkey: wallet,
      lamports: 1_447_680,
      basePubkey: wallet,
      seed,
    });
    const made = await createSeededNonce(wallet.toBase58(), seed, 1_447_680n);
    expect(made.map(ours)).toEqual(instructions.map(plain));
  });

  test('that return the rent are those of web3.js, byte for byte', () => {
    const nonce = Keypair.generate().publicKey;
    const instruction = SystemProgram.nonceWithdraw({
      noncePubkey: nonce,
      authorizedPubkey: wallet,
      toPubkey: wallet,
      lamports: 1_447_680,
    });
    expect(ours(withdrawNonce(nonce.toBase58(), wallet.toBase58(), 1_447_680n))).toEqual(plain(instruction));
  });
});

describe('a nonce account', () => {
  const nonce = Keypair.generate().publicKey.toBase58();
  const account = (data: Uint8Array, owner: string = SYSTEM_PROGRAM) => ({
    owner,
    data,
    lamports: 1_447_680n,
    executable: false,
  });

  test('is read as web3.js reads it, and as kit writes it', () => {
    const written = getNonceEncoder().encode({
      version: NonceVersion.Current,
      state: NonceState.Initialized,
      authority: address(wallet.toBase58()),
      blockhash: address(nonce),
      lamportsPerSignature: lamports(5_000n),
    });
    const read = NonceAccount.fromAccountData(Buffer.from(written));
    expect(readNonceAccount(account(Buffer.from(written)))).toEqual({
      nonce: read.nonce,
      authority: read.authorizedPubkey.toBase58(),
    });
    expect(NONCE_ACCOUNT_BYTES).toBe(NONCE_ACCOUNT_LENGTH);
  });

  test('of another owner, size, state or version holds no nonce', () => {
    const good = nonceAccountData(nonce, wallet.toBase58());
    const changed = (offset: number) => {
      const data = Buffer.from(good);
      data.writeUInt32LE(0, offset);
      return data;
    };
    expect(readNonceAccount(account(good))?.nonce).toBe(nonce);
    for (const other of [
      null,
      account(good, SPL_TOKEN),
      account(good.subarray(0, 79)),
      account(Buffer.concat([good, Buffer.alloc(1)])),
      account(changed(0)),
      account(changed(4)),
    ])
      expect(readNonceAccount(other)).toBeNull();
  });
});
