import { expect, test } from 'bun:test';
import { Keypair, type PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import fc from 'fast-check';
import type { Ledger } from '../../sandbox/chain/ledger.ts';
import { sighash } from '../../sandbox/chain/programs/anchor/anchor-program.ts';
import { BorshWriter } from '../../sandbox/chain/programs/anchor/borsh.ts';
import { SPL_TOKEN } from '../../src/chain/accounts/programs.ts';
import { quoteDammSwap } from '../../src/chain/pools/damm/damm-swap.ts';
import {
  type DammPoolState,
  readDammPoolState,
  writeDammPoolState,
} from '../../src/chain/pools/damm/pool-account.ts';
import type { PoolClock } from '../../src/chain/pools/swap-request.ts';
import { landSigned } from '../support/landed-transaction.ts';
import { readRecordedHistories } from '../support/recorded-histories.ts';
import { ReplayedChain } from '../support/replayed-chain.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { NATIVE_MINT, tokenAccount, tokenAmount } from '../support/token-account-data.ts';

const FIRST_AMM_SWAP = 9;
const WALLETS = 5;
const TRANSACTIONS = 150;
const PLENTY = 1_000_000_000_000_000n;

/** One swap of a bundle. A limit that cannot be met makes it fail. */
interface Wish {
  side: 'buy' | 'sell';
  amountRaw: bigint;
  isPartialFill: boolean;
  isHopeless: boolean;
}

const wish: fc.Arbitrary<Wish> = fc.record({
  side: fc.constantFrom('buy', 'sell'),
  amountRaw: fc.bigInt(0n, 20_000_000_000n),
  isPartialFill: fc.boolean(),
  isHopeless: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
});
const bundle = fc.record({
  wallet: fc.integer({ min: 0, max: WALLETS - 1 }),
  wishes: fc.array(wish, { minLength: 1, maxLength: 3 }),
});

interface Wallet {
  keypair: Keypair;
  /** Token A is the base token, token B is SOL. */
  tokens: readonly [PublicKey, PublicKey];
}

function openWallet(ledger: Ledger, mint: string): Wallet {
  const keypair = Keypair.generate();
  const owner = keypair.publicKey.toBase58();
  const lamports = { lamports: PLENTY, owner: SystemProgram.programId.toBase58(), data: new Uint8Array(0) };
  ledger.setAccount(owner, { ...lamports, executable: false, rentEpoch: 0n });
  const open = (of: string): PublicKey => {
    const { publicKey } = Keypair.generate();
    ledger.setAccount(publicKey.toBase58(), tokenAccount(of, owner, PLENTY, SPL_TOKEN));
    return publicKey;
  };
  return { keypair, tokens: [open(mint), open(NATIVE_MINT)] };
}

function limitOf({ isHopeless }: Wish): bigint {
  return isHopeless ? (1n << 64n) - 1n : 0n;
}

function swapOf(template: TransactionInstruction, wallet: Wallet, request: Wish): TransactionInstruction {
  const [base, sol] = wallet.tokens;
  const [input, output] = request.side === 'buy' ? [sol, base] : [base, sol];
  const keys = template.keys.map((key, index) => {
    if (index === 2) return { ...key, pubkey: input };
    if (index === 3) return { ...key, pubkey: output };
    return index === 8 ? { ...key, pubkey: wallet.keypair.publicKey, isSigner: true } : key;
  });
  const data = new BorshWriter()
    .bytes(sighash('global', 'swap2'))
    .u64(request.amountRaw, limitOf(request))
    .u8(request.isPartialFill ? 1 : 0);
  return new TransactionInstruction({
    programId: template.programId,
    keys,
    data: Buffer.from(data.finish()),
  });
}

/** The pool after all wishes, and what the wallet gains of either token; after a failure nothing has moved. */
function predicted(before: DammPoolState, clock: PoolClock, wishes: readonly Wish[]) {
  let after = before;
  const moved: [bigint, bigint] = [0n, 0n];
  for (const request of wishes) {
    const outcome = quoteDammSwap(after, clock, {
      direction: request.side === 'buy' ? 'b_to_a' : 'a_to_b',
      mode: request.isPartialFill ? 'partial_fill' : 'exact_in',
      amountRaw: request.amountRaw,
      limitRaw: limitOf(request),
      hasReferral: false,
      provesSingleSwap: false,
    });
    if (outcome.outcome === 'unsupported') throw new Error(outcome.reason);
    if (outcome.outcome === 'failed') return { after: before, moved: [0n, 0n], error: outcome.error.number };
    after = { ...after, ...outcome.after };
    const [paid, received] = request.side === 'buy' ? ([1, 0] as const) : ([0, 1] as const);
    moved[paid] -= outcome.inRaw;
    moved[received] += outcome.outRaw;
  }
  return { after, moved, error: null };
}

test('up to three swaps in a transaction do what the arithmetic says one after the other, or nothing at all', async () => {
  const history = readRecordedHistories().find(({ file }) => file.startsWith('damm/a-'));
  if (history === undefined) throw new Error('the recording is missing');
  const replayed = await ReplayedChain.start(history);
  atEnd(() => replayed.stop());
  for (let step = 0; step < FIRST_AMM_SWAP; step += 1) replayed.repeat(step);
  const { ledger } = replayed;
  const template = replayed.instruction(FIRST_AMM_SWAP, 'swap');
  const address = template.keys[1]?.pubkey.toBase58() ?? '';
  const mint = template.keys[6]?.pubkey.toBase58() ?? '';
  const wallets = Array.from({ length: WALLETS }, () => openWallet(ledger, mint));
  const ends = { landed: 0, failed: 0 };
  for (const { wallet: index, wishes } of fc.sample(bundle, { numRuns: TRANSACTIONS, seed: 16 })) {
    ledger.advanceSlots(3);
    const wallet = wallets[index];
    const before = ledger.vm.getAccount(address);
    const pool = readDammPoolState(before);
    if (wallet === undefined || before === null || pool === null) throw new Error('an account is missing');
    const clock = {
      slot: ledger.slot,
      unixSeconds: BigInt(Math.floor(ledger.clock.unixMsOf(ledger.slot) / 1000)),
    };
    const { after, moved, error } = predicted(pool, clock, wishes);
    const amounts = () => wallet.tokens.map((token) => tokenAmount(ledger.vm.getAccount(token.toBase58())));
    const held = amounts();
    const swaps = wishes.map((request) => swapOf(template, wallet, request));
    expect(landSigned(ledger, wallet.keypair, swaps).error).toBe(error);
    const wanted = Uint8Array.from(before.data);
    if (error === null) writeDammPoolState(wanted, after);
    expect(ledger.vm.getAccount(address)?.data).toEqual(wanted);
    expect(amounts()).toEqual(held.map((amount, side) => amount + (moved[side] ?? 0n)));
    ends[error === null ? 'landed' : 'failed'] += 1;
  }
  expect(ends.landed).toBeGreaterThan(TRANSACTIONS / 2);
  expect(ends.failed).toBeGreaterThan(TRANSACTIONS / 20);
});
