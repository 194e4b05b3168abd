import { expect, test } from 'bun:test';
import {
  createAssociatedTokenAccountInstruction,
  createInitializeAccountInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import { Connection, Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import type { Ledger } from '../../sandbox/chain/ledger.ts';
import { sighash } from '../../sandbox/chain/programs/anchor/anchor-program.ts';
import { BorshWriter } from '../../sandbox/chain/programs/anchor/borsh.ts';
import { derivedAddress } from '../../sandbox/chain/programs/derived-address.ts';
import { poolPrograms } from '../../sandbox/chain/programs/pool-programs.ts';
import { startChain } from '../../sandbox/chain/server.ts';
import { BONDING_CURVE, DAMM_V2, SPL_TOKEN, TOKEN_2022 } from '../../src/chain/accounts/programs.ts';
import { landSigned } from '../support/landed-transaction.ts';
import { readCurveRecordings } from '../support/pools/quote-recordings.ts';
import { QuotedChain } from '../support/quoted-chain.ts';
import { readRecordedHistories } from '../support/recorded-histories.ts';
import { ReplayedChain } from '../support/replayed-chain.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { NATIVE_MINT, tokenAccount, tokenAmount } from '../support/token-account-data.ts';

const SINGLE_SWAP_REFUSED = 6043;
const UNAUTHORIZED = 6053;
const NOT_SIGNED = 3010;
/** What the recorded withdrawal of a leftover paid out. */
const LEFTOVER = 12_931_912_678_783n;
const HAS_ONE = 2001;
const NOT_OF_A_TOKEN_PROGRAM = 3007;
const NOT_A_TOKEN_PROGRAM = 3008;
const NOT_INITIALIZED = 3012;

test('a new chain has the programs, and the accounts without which curves cannot migrate', async () => {
  const chain = await startChain({ slotMs: 'manual' });
  atEnd(() => chain.stop());
  const connection = new Connection(chain.rpcUrl, 'processed');
  for (const { address } of poolPrograms)
    expect((await connection.getAccountInfo(new PublicKey(address)))?.executable).toBe(true);
  const configs = await connection.getProgramAccounts(new PublicKey(DAMM_V2));
  const found = new Map(
    configs.map(({ pubkey, account }) => [pubkey.toBase58(), account.data.toString('base64')]),
  );
  expect(found.size).toBe(7);
  // The recordings hold two of them, a fixed one and the one that leaves the terms open.
  const recorded = readRecordedHistories().flatMap(({ accountsAfter }) => Object.entries(accountsAfter));
  const seen = recorded.filter(([address]) => found.has(address));
  expect(new Set(seen.map(([address]) => address)).size).toBe(2);
  for (const [address, { dataBase64 }] of seen) expect(found.get(address)).toBe(dataBase64);
  const authority = derivedAddress(BONDING_CURVE, 'pool_authority').address;
  expect(await connection.getBalance(new PublicKey(authority))).toBe(1_000_000_000);
});

test('an instruction that is not computed says so by name, and the transaction fails', async () => {
  const chain = await startChain({ slotMs: 'manual' });
  atEnd(() => chain.stop());
  const connection = new Connection(chain.rpcUrl, 'processed');
  const payer = Keypair.generate();
  await connection.requestAirdrop(payer.publicKey, 1_000_000_000);
  const logsOf = async (data: Uint8Array) => {
    const instruction = { programId: new PublicKey(DAMM_V2), keys: [], data: Buffer.from(data) };
    const transaction = new Transaction({
      feePayer: payer.publicKey,
      blockhash: (await connection.getLatestBlockhash()).blockhash,
      lastValidBlockHeight: 0,
    }).add(instruction);
    transaction.sign(payer);
    return (await connection.simulateTransaction(transaction)).value;
  };
  const known = await logsOf(sighash('global', 'split_position'));
  expect(known.err).toEqual({ InstructionError: [0, { Custom: 101 }] });
  expect(known.logs?.join()).toContain('the sandbox does not compute split_position');
  const unknown = await logsOf(sighash('global', 'no_such_instruction'));
  expect(unknown.err).toEqual({ InstructionError: [0, { Custom: 101 }] });
  expect(unknown.logs?.join()).toContain('Fallback functions are not supported');
});

test('while a rate limiter is active, a buy must be the only swap of its pool and show it', async () => {
  const { configs, states } = readCurveRecordings();
  const chain = await QuotedChain.start();
  atEnd(() => chain.stop());
  const limited = states.find(({ of, swaps }) => {
    const mode = configs.get(of)?.data[130];
    return (
      mode === 2 &&
      swaps.some(({ side, expected, isFirstAtLaunch }) => isBuy(side, expected) && !isFirstAtLaunch)
    );
  });
  if (limited === undefined) throw new Error('no recorded state has a rate limiter');
  const config = configs.get(limited.of);
  const buy = limited.swaps.find(({ side, expected }) => isBuy(side, expected));
  if (config === undefined || buy === undefined) throw new Error('the recording is incomplete');
  const market = chain.curveMarket(limited, config);
  const alone = chain.swap(market, limited, buy);
  expect(alone.error).toBeNull();
  expect(chain.swap(market, limited, buy, { withoutSysvar: true }).error).toBe(SINGLE_SWAP_REFUSED);
  expect(chain.swap(market, limited, buy, { times: 2 }).error).toBe(SINGLE_SWAP_REFUSED);
});

function isBuy(side: 'buy' | 'sell', expected: number | string[]): boolean {
  return side === 'buy' && typeof expected !== 'number';
}

test('nobody but the one who is owed a fee can claim it', async () => {
  const history = readRecordedHistories().find(({ file }) => file.startsWith('damm/a-'));
  if (history === undefined) throw new Error('the recording is missing');
  const replayed = await ReplayedChain.start(history);
  atEnd(() => replayed.stop());
  // Step 4 is the partner's claim; here a stranger asks for the same.
  for (let step = 0; step < 4; step += 1) replayed.repeat(step);
  const { ledger } = replayed;
  const stranger = Keypair.generate();
  const wallet = stranger.publicKey.toBase58();
  const fund = {
    lamports: 1_000_000_000n,
    owner: SystemProgram.programId.toBase58(),
    data: new Uint8Array(0),
  };
  ledger.setAccount(wallet, { ...fund, executable: false, rentEpoch: 0n });
  const claim = replayed.instruction(4, 'claim_trading_fee');
  const mints = [claim.keys[7], claim.keys[8]].map((key) => key?.pubkey.toBase58() ?? '');
  const receivers = mints.map((mint) => {
    const receiver = Keypair.generate().publicKey;
    ledger.setAccount(receiver.toBase58(), tokenAccount(mint, wallet, 0n, SPL_TOKEN));
    return receiver;
  });
  claim.keys.forEach((key, index) => {
    if (index === 3 || index === 4) key.pubkey = receivers[index - 3] ?? key.pubkey;
  });
  const claimer = claim.keys[9];
  if (claimer === undefined) throw new Error('the claim has no claimer');
  const { pubkey: partner } = claimer;
  claimer.pubkey = stranger.publicKey;
  expect(landSigned(ledger, stranger, [claim]).error).toBe(UNAUTHORIZED);
  // The partner's name without the partner's signature.
  Object.assign(claimer, { pubkey: partner, isSigner: false });
  expect(landSigned(ledger, stranger, [claim]).error).toBe(NOT_SIGNED);
  for (const receiver of receivers) expect(tokenAmount(ledger.vm.getAccount(receiver.toBase58()))).toBe(0n);
});

test('a claim reads every account before it pays: a wrong one fails with its own number where nothing is owed', async () => {
  const history = readRecordedHistories().find(({ file }) => file.startsWith('damm/b-'));
  if (history === undefined) throw new Error('the recording is missing');
  const replayed = await ReplayedChain.start(history);
  atEnd(() => replayed.stop());
  const step = 31;
  for (let before = 0; before < step; before += 1) replayed.repeat(before);
  const { ledger } = replayed;
  const owner = fundedWallet(ledger);
  const claim = replayed.instruction(step, 'claim_position_fee');
  const keyAt = (index: number) => claim.keys[index]?.pubkey ?? owner.publicKey;
  // The position's NFT changes hands, so that this test can sign for its owner.
  const nftAccount = ledger.vm.getAccount(keyAt(9).toBase58());
  if (nftAccount === null) throw new Error('the position has no owner');
  const data = Uint8Array.from(nftAccount.data);
  data.set(owner.publicKey.toBytes(), 32);
  ledger.setAccount(keyAt(9).toBase58(), { ...nftAccount, data });
  const [tokens, sol] = [Keypair.generate().publicKey, Keypair.generate().publicKey];
  const wallet = owner.publicKey.toBase58();
  ledger.setAccount(tokens.toBase58(), tokenAccount(keyAt(7).toBase58(), wallet, 0n, TOKEN_2022));
  ledger.setAccount(sol.toBase58(), tokenAccount(NATIVE_MINT, wallet, 0n, SPL_TOKEN));
  const errorWith = (changes: Readonly<Record<number, PublicKey>>) => {
    const keys = claim.keys.map((key, index) => ({ ...key, pubkey: changes[index] ?? key.pubkey }));
    return landSigned(ledger, owner, [{ ...claim, keys }]).error;
  };
  const right = { 3: tokens, 4: sol, 10: owner.publicKey };
  const unused = Keypair.generate().publicKey;
  const pool = keyAt(1);
  // Only SOL is owed: the other side's account is never paid.
  expect(errorWith({ ...right, 3: owner.publicKey })).toBe(NOT_OF_A_TOKEN_PROGRAM);
  expect(errorWith({ ...right, 3: pool })).toBe(NOT_OF_A_TOKEN_PROGRAM);
  expect(errorWith({ ...right, 3: unused })).toBe(NOT_INITIALIZED);
  expect(errorWith({ ...right, 4: owner.publicKey })).toBe(NOT_OF_A_TOKEN_PROGRAM);
  expect(errorWith({ ...right, 1: unused })).toBe(NOT_OF_A_TOKEN_PROGRAM);
  expect(errorWith({ ...right, 7: owner.publicKey })).toBe(NOT_OF_A_TOKEN_PROGRAM);
  expect(errorWith({ ...right, 7: keyAt(8) })).toBe(HAS_ONE);
  expect(errorWith({ ...right, 11: owner.publicKey })).toBe(NOT_A_TOKEN_PROGRAM);
  // The first in the program's order is reported.
  expect(errorWith({ ...right, 3: unused, 4: owner.publicKey })).toBe(NOT_INITIALIZED);
  expect(tokenAmount(ledger.vm.getAccount(sol.toBase58()))).toBe(0n);
  expect(errorWith(right)).toBeNull();
  expect(tokenAmount(ledger.vm.getAccount(sol.toBase58()))).toBe(39_396_195n);
});

test('a swap finds the token account that its transaction has opened under a seed', async () => {
  const history = readRecordedHistories().find(({ file }) => file.startsWith('dbc/a-'));
  if (history === undefined) throw new Error('the recording is missing');
  const replayed = await ReplayedChain.start(history);
  atEnd(() => replayed.stop());
  replayed.repeat(0);
  const { ledger } = replayed;
  const trader = fundedWallet(ledger);
  const swap = replayed.instruction(1, 'swap');
  const mint = swap.keys[7]?.pubkey ?? trader.publicKey;
  const sol = new PublicKey(NATIVE_MINT);
  const input = await PublicKey.createWithSeed(trader.publicKey, 'wrapped', TOKEN_PROGRAM_ID);
  const output = getAssociatedTokenAddressSync(mint, trader.publicKey);
  [input, output].forEach((account, index) => {
    Object.assign(swap.keys[3 + index] ?? {}, { pubkey: account });
  });
  Object.assign(swap.keys[9] ?? {}, { pubkey: trader.publicKey, isSigner: true });
  const opened = SystemProgram.createAccountWithSeed({
    fromPubkey: trader.publicKey,
    newAccountPubkey: input,
    basePubkey: trader.publicKey,
    seed: 'wrapped',
    lamports: Number(ledger.vm.rentExemptLamports(165)) + 50_000_000,
    space: 165,
    programId: TOKEN_PROGRAM_ID,
  });
  const instructions = [
    opened,
    createInitializeAccountInstruction(input, sol, trader.publicKey),
    createAssociatedTokenAccountInstruction(trader.publicKey, output, trader.publicKey, mint),
  ];
  const amounts = new BorshWriter().bytes(sighash('global', 'swap')).u64(50_000_000n, 1n).finish();
  swap.data = Buffer.from(amounts);
  expect(landSigned(ledger, trader, [...instructions, swap]).error).toBeNull();
  expect(tokenAmount(ledger.vm.getAccount(output.toBase58()))).toBeGreaterThan(0n);
  expect(tokenAmount(ledger.vm.getAccount(input.toBase58()))).toBe(0n);
});

test('the leftover counts what reached the vault earlier in the same transaction', async () => {
  const history = readRecordedHistories().find(({ file }) => file.startsWith('damm/b-'));
  if (history === undefined) throw new Error('the recording is missing');
  const replayed = await ReplayedChain.start(history);
  atEnd(() => replayed.stop());
  for (let step = 0; step < 14; step += 1) replayed.repeat(step);
  const { ledger } = replayed;
  const giver = fundedWallet(ledger);
  const withdrawal = replayed.instruction(14, 'withdraw_leftover');
  // Anybody may send it: the receiver only receives.
  for (const key of withdrawal.keys) key.isSigner = false;
  const [receiver, vault, mint] = [3, 4, 5].map((index) => withdrawal.keys[index]?.pubkey ?? giver.publicKey);
  if (receiver === undefined || vault === undefined || mint === undefined)
    throw new Error('accounts are missing');
  const gift = Keypair.generate().publicKey;
  const held = tokenAccount(mint.toBase58(), giver.publicKey.toBase58(), 1_000n, TOKEN_2022);
  ledger.setAccount(gift.toBase58(), held);
  const before = tokenAmount(ledger.vm.getAccount(receiver.toBase58()));
  const transfer = createTransferCheckedInstruction(
    gift,
    mint,
    vault,
    giver.publicKey,
    1_000n,
    9,
    [],
    TOKEN_2022_PROGRAM_ID,
  );
  expect(landSigned(ledger, giver, [transfer, withdrawal]).error).toBeNull();
  expect(tokenAmount(ledger.vm.getAccount(receiver.toBase58()))).toBe(before + LEFTOVER + 1_000n);
});

function fundedWallet(ledger: Ledger): Keypair {
  const wallet = Keypair.generate();
  const account = {
    lamports: 10_000_000_000n,
    owner: SystemProgram.programId.toBase58(),
    data: new Uint8Array(0),
  };
  ledger.setAccount(wallet.publicKey.toBase58(), { ...account, executable: false, rentEpoch: 0n });
  return wallet;
}
