import { describe, expect, test } from 'bun:test';
import { type Base64EncodedWireTransaction, createSolanaRpc, address as kitAddress } from '@solana/kit';
import * as token from '@solana/spl-token';
import {
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { createChainClient, LAMPORTS_PER_SOL } from '../support/chain/chain-client.ts';

const { chain, connection, payer, rpc, latestBlockhash } = await createChainClient();
const owner = payer.publicKey;
const NO_BLOCKHASH = PublicKey.default.toBase58();

function unsigned(instructions: TransactionInstruction[], recentBlockhash: string): VersionedTransaction {
  const message = new TransactionMessage({ payerKey: owner, recentBlockhash, instructions });
  return new VersionedTransaction(message.compileToV0Message());
}

const transfer = (toPubkey: PublicKey, lamports: number) =>
  SystemProgram.transfer({ fromPubkey: owner, toPubkey, lamports });
const wire = (transaction: VersionedTransaction) =>
  Buffer.from(transaction.serialize()).toString('base64') as Base64EncodedWireTransaction;

describe('simulateTransaction', () => {
  test('web3.js gets parsed inner instructions and parsed accounts as they would become', async () => {
    const wallet = Keypair.generate().publicKey;
    const account = token.getAssociatedTokenAddressSync(token.NATIVE_MINT, wallet);
    const create = token.createAssociatedTokenAccountInstruction(owner, account, wallet, token.NATIVE_MINT);
    const { value } = await connection.simulateTransaction(unsigned([create], NO_BLOCKHASH), {
      replaceRecentBlockhash: true,
      innerInstructions: true,
      commitment: 'processed',
      minContextSlot: Number(chain.ledger.slot),
      accounts: { encoding: 'base64', addresses: [account.toBase58(), wallet.toBase58()] },
    });
    expect(value.err).toBeNull();
    expect(
      value.innerInstructions?.[0]?.instructions.map((one) => ('parsed' in one ? one.parsed.type : null)),
    ).toEqual(['getAccountDataSize', 'createAccount', 'initializeImmutableOwner', 'initializeAccount3']);
    expect(value.accounts).toMatchObject([
      {
        owner: token.TOKEN_PROGRAM_ID.toBase58(),
        lamports: Number(chain.ledger.vm.rentExemptLamports(165)),
      },
      null,
    ]);
    expect(await connection.getAccountInfo(account)).toBeNull();

    const parsed = await createSolanaRpc(chain.rpcUrl)
      .simulateTransaction(wire(unsigned([create], NO_BLOCKHASH)), {
        encoding: 'base64',
        commitment: 'processed',
        replaceRecentBlockhash: true,
        accounts: { encoding: 'jsonParsed', addresses: [kitAddress(account.toBase58())] },
      })
      .send();
    expect(parsed.value.accounts[0]?.data).toMatchObject({
      program: 'spl-token',
      parsed: {
        type: 'account',
        info: { isNative: true, owner: wallet.toBase58(), tokenAmount: { amount: '0' } },
      },
    });
    expect(parsed.value.replacementBlockhash.blockhash as string).toBe(await latestBlockhash());
  });

  test('kit gets fee, balances and loaded bytes, and landing the same transaction costs and moves just that', async () => {
    const to = Keypair.generate().publicKey;
    const instructions = [
      ComputeBudgetProgram.setComputeUnitLimit({ units: 1_001 }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 12_345_678 }),
      transfer(to, LAMPORTS_PER_SOL),
    ];
    const transaction = unsigned(instructions, await latestBlockhash());
    const { value } = await createSolanaRpc(chain.rpcUrl)
      .simulateTransaction(wire(transaction), { encoding: 'base64', commitment: 'processed' })
      .send();
    const fee = 5_000n + 12_359n;
    expect(value.err).toBeNull();
    expect(value.fee as bigint).toBe(fee);
    expect(value.loadedAddresses).toEqual({ readonly: [], writable: [] });
    const message = await connection.getFeeForMessage(transaction.message, 'processed');
    expect(BigInt(message.value ?? 0)).toBe(fee);

    transaction.sign([payer]);
    const signature = await connection.sendTransaction(transaction);
    chain.advanceSlots(1);
    const landed = await connection.getTransaction(signature, {
      commitment: 'confirmed',
      maxSupportedTransactionVersion: 0,
    });
    expect(BigInt(landed?.meta?.fee ?? 0)).toBe(fee);
    expect((value.preBalances ?? []).map(Number)).toEqual(landed?.meta?.preBalances ?? []);
    expect((value.postBalances ?? []).map(Number)).toEqual(landed?.meta?.postBalances ?? []);
    expect((landed?.meta?.preBalances[0] ?? 0) - (landed?.meta?.postBalances[0] ?? 0)).toBe(
      LAMPORTS_PER_SOL + Number(fee),
    );
    expect([value.preTokenBalances, value.postTokenBalances]).toEqual([[], []]);
    // Payer and two built-in programs exist (64 bytes each and their data); the receiver did not.
    const programs = [SystemProgram.programId, ComputeBudgetProgram.programId];
    const stored = await Promise.all(
      programs.map(async (one) => (await connection.getAccountInfo(one))?.data.length ?? -64),
    );
    expect(Number(value.loadedAccountsDataSize)).toBe(
      64 + stored.reduce((sum, bytes) => sum + 64 + bytes, 0),
    );
  });

  test('a failing transaction shows its logs, its fee and balances without its effects', async () => {
    const to = Keypair.generate().publicKey;
    const failing = unsigned(
      [transfer(to, LAMPORTS_PER_SOL), transfer(to, 1_000 * LAMPORTS_PER_SOL)],
      await latestBlockhash(),
    );
    const answer = await rpc('simulateTransaction', wire(failing), {
      encoding: 'base64',
      commitment: 'processed',
      accounts: { addresses: [to.toBase58()] },
    });
    const balance = await connection.getBalance(owner);
    expect(answer.result).toMatchObject({
      value: {
        err: { InstructionError: [1, { Custom: 1 }] },
        accounts: [null],
        fee: 5_000,
        preBalances: [balance, 0, 1],
        postBalances: [balance - 5_000, 0, 1],
        unitsConsumed: 300,
      },
    });
  });

  test('signatures are judged when asked for, and a refused transaction shows nothing but why', async () => {
    const refused = {
      accounts: null,
      fee: null,
      innerInstructions: null,
      loadedAccountsDataSize: 0,
      loadedAddresses: { readonly: [], writable: [] },
      logs: [],
      postBalances: null,
      postTokenBalances: null,
      preBalances: null,
      preTokenBalances: null,
      replacementBlockhash: null,
      returnData: null,
      unitsConsumed: 0,
    };
    const base = { encoding: 'base64', commitment: 'processed' };
    const bare = unsigned(
      [transfer(Keypair.generate().publicKey, LAMPORTS_PER_SOL)],
      await latestBlockhash(),
    );
    const verified = await rpc('simulateTransaction', wire(bare), { ...base, sigVerify: true });
    expect(verified.result).toMatchObject({ value: { err: 'SignatureFailure', ...refused } });
    expect((await rpc('simulateTransaction', wire(bare), base)).result).toMatchObject({
      value: { err: null },
    });
    bare.sign([payer]);
    const good = await rpc('simulateTransaction', wire(bare), { ...base, sigVerify: true });
    expect(good.result).toMatchObject({ value: { err: null } });
    const old = unsigned([transfer(owner, 1)], NO_BLOCKHASH);
    const stale = await rpc('simulateTransaction', wire(old), base);
    expect(stale.result).toMatchObject({ value: { err: 'BlockhashNotFound', ...refused } });
  });

  test('its options are checked as a node checks them', async () => {
    const text = wire(unsigned([transfer(owner, 1)], await latestBlockhash()));
    const base = { encoding: 'base64', commitment: 'processed' };
    const refusal = async (config: object) =>
      (await rpc('simulateTransaction', text, { ...base, ...config })).error;
    const addresses = [owner.toBase58()];
    expect(await refusal({ accounts: { addresses, encoding: 'base58' } })).toMatchObject({
      code: -32602,
      message: 'base58 encoding not supported',
    });
    expect(
      await refusal({ accounts: { addresses: [...addresses, ...addresses, ...addresses] } }),
    ).toMatchObject({ code: -32602, message: 'Too many accounts provided; max 2' });
    expect(await refusal({ minContextSlot: Number(chain.ledger.slot) + 1 })).toMatchObject({ code: -32016 });
    expect(await refusal({ replaceRecentBlockhash: true, sigVerify: true })).toMatchObject({ code: -32602 });
  });

  test('the old call of web3.js, which signs and verifies, works unchanged', async () => {
    const transaction = new Transaction().add(transfer(Keypair.generate().publicKey, LAMPORTS_PER_SOL));
    const { value } = await connection.simulateTransaction(transaction, [payer], [owner]);
    expect(value).toMatchObject({ err: null, accounts: [{ owner: SystemProgram.programId.toBase58() }] });
  });
});
