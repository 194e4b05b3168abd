import { ComputeBudgetProgram, Keypair, PublicKey, TransactionInstruction } from '@solana/web3.js';
import bs58 from 'bs58';
import { sighash } from '../../sandbox/chain/programs/anchor/anchor-program.ts';
import { BorshWriter } from '../../sandbox/chain/programs/anchor/borsh.ts';
import { derivedAddress } from '../../sandbox/chain/programs/derived-address.ts';
import { type SandboxChain, startChain } from '../../sandbox/chain/server.ts';
import type { StoredAccount } from '../../sandbox/chain/vm.ts';
import type { ChainAccount } from '../../src/chain/accounts/account-data.ts';
import { fieldsOf } from '../../src/chain/accounts/account-data.ts';
import {
  BONDING_CURVE,
  DAMM_V2,
  INSTRUCTIONS_SYSVAR,
  SPL_TOKEN,
  TOKEN_2022,
} from '../../src/chain/accounts/programs.ts';
import { readCurveConfig } from '../../src/chain/pools/curve/config-account.ts';
import { readCurvePoolKeys } from '../../src/chain/pools/curve/pool-account.ts';
import { readDammPoolKeys, readDammPoolState } from '../../src/chain/pools/damm/pool-account.ts';
import { landSigned } from './landed-transaction.ts';
import type { RecordedState, RecordedSwap } from './pools/quote-recordings.ts';
import { mintAccount, NATIVE_MINT, tokenAccount, tokenAmount } from './token-account-data.ts';

/** This is enough for every recorded swap, and the sum of two does not overflow. */
const PLENTY = 4_000_000_000_000_000_000n;
const TOKEN_DECIMALS = 6;
const UNITS = 400_000;
const modeNumbers = { exact_in: 0, partial_fill: 1, exact_out: 2 } as const;

/** The result of a swap on the chain. */
export interface ExecutedSwap {
  error: number | null;
  inRaw: bigint;
  outRaw: bigint;
  referralRaw: bigint;
  /** Data of the `EvtSwap2`, without its two tags. */
  event: Buffer | null;
  pool: ChainAccount;
}

interface Side {
  mint: string;
  tokenProgram: string;
  vault: string;
}

/** The inputs of a swap instruction for a pool of either program. */
interface Market {
  program: string;
  config: { address: string; account: ChainAccount } | null;
  /** Base and quote, or A and B. */
  sides: readonly [Side, Side];
}

/** A chain that is set to a recorded state before each swap. */
export class QuotedChain {
  readonly #chain: SandboxChain;
  readonly #trader = Keypair.generate();
  readonly #tokens = [Keypair.generate(), Keypair.generate()].map(({ publicKey }) => publicKey.toBase58());
  readonly #referrals = [Keypair.generate(), Keypair.generate()].map(({ publicKey }) => publicKey.toBase58());

  #sent = 0;

  constructor(chain: SandboxChain) {
    this.#chain = chain;
  }

  static async start(): Promise<QuotedChain> {
    return new QuotedChain(await startChain({ slotMs: 'manual' }));
  }

  stop(): Promise<void> {
    return this.#chain.stop();
  }

  curveMarket(state: RecordedState, config: ChainAccount): Market {
    const terms = readCurveConfig(config);
    const keys = readCurvePoolKeys(state.account);
    if (terms === null || keys === null) throw new Error(`${state.id} is no curve`);
    const tokenProgram = terms.tokenType === 1 ? TOKEN_2022 : SPL_TOKEN;
    return {
      program: BONDING_CURVE,
      config: { address: keys.config, account: config },
      sides: [
        { mint: keys.baseMint, tokenProgram, vault: keys.baseVault },
        { mint: NATIVE_MINT, tokenProgram: SPL_TOKEN, vault: keys.quoteVault },
      ],
    };
  }

  dammMarket(state: RecordedState): Market {
    const keys = readDammPoolKeys(state.account);
    const numbers = readDammPoolState(state.account);
    if (keys === null || numbers === null) throw new Error(`${state.id} is no AMM pool`);
    const programOf = (flag: number) => (flag === 1 ? TOKEN_2022 : SPL_TOKEN);
    return {
      program: DAMM_V2,
      config: null,
      sides: [
        { mint: keys.tokenAMint, tokenProgram: programOf(numbers.tokenAFlag), vault: keys.tokenAVault },
        { mint: keys.tokenBMint, tokenProgram: programOf(numbers.tokenBFlag), vault: keys.tokenBVault },
      ],
    };
  }

  /** Swaps in a state. States must come in the order of their slots. */
  swap(
    market: Market,
    state: RecordedState,
    swap: RecordedSwap,
    { withoutSysvar = false, times = 1 } = {},
  ): ExecutedSwap {
    this.#stage(market, state);
    const { ledger } = this.#chain;
    const [input, output] = this.#direction(market, swap);
    const before = this.#balances();
    // The limit makes equal swaps of one slot different.
    this.#sent += 1;
    const limit = ComputeBudgetProgram.setComputeUnitLimit({ units: UNITS + this.#sent });
    const instruction = this.#instruction(market, state, swap);
    if (withoutSysvar) instruction.keys.pop();
    const swaps = Array.from({ length: times }, () => instruction);
    const { signature, error } = landSigned(ledger, this.#trader, [limit, ...swaps]);
    const after = this.#balances();
    const pool = ledger.vm.getAccount(state.address);
    if (pool === null) throw new Error('the pool is gone');
    return {
      error,
      inRaw: (before.tokens[input] ?? 0n) - (after.tokens[input] ?? 0n),
      outRaw: (after.tokens[output] ?? 0n) - (before.tokens[output] ?? 0n),
      referralRaw: (after.referrals[0] ?? 0n) + (after.referrals[1] ?? 0n),
      event: this.#swapEvent(signature),
      pool,
    };
  }

  #stage(market: Market, state: RecordedState): void {
    const { ledger } = this.#chain;
    ledger.clock.push({
      slot: state.clock.slot,
      unixMs: Number(state.clock.unixSeconds) * 1000,
      slotMs: 400,
    });
    ledger.advanceSlots(state.clock.slot - ledger.slot);
    const authority = derivedAddress(market.program, 'pool_authority').address;
    this.#put(state.address, state.account);
    if (market.config !== null) this.#put(market.config.address, market.config.account);
    const wallet = this.#trader.publicKey.toBase58();
    this.#put(wallet, { owner: '11111111111111111111111111111111', data: new Uint8Array(0) });
    market.sides.forEach(({ mint, tokenProgram, vault }, index) => {
      if (mint !== NATIVE_MINT) ledger.setAccount(mint, mintAccount(TOKEN_DECIMALS, PLENTY, tokenProgram));
      ledger.setAccount(vault, tokenAccount(mint, authority, PLENTY, tokenProgram));
      ledger.setAccount(this.#tokens[index] ?? '', tokenAccount(mint, wallet, PLENTY, tokenProgram));
      ledger.setAccount(this.#referrals[index] ?? '', tokenAccount(mint, authority, 0n, tokenProgram));
    });
  }

  #put(address: string, { owner, data }: ChainAccount): void {
    const account: StoredAccount = {
      lamports: 10_000_000_000n,
      owner,
      data,
      executable: false,
      rentEpoch: 0n,
    };
    this.#chain.ledger.setAccount(address, account);
  }

  #balances() {
    const amounts = (addresses: readonly string[]) =>
      addresses.map((address) => tokenAmount(this.#chain.ledger.vm.getAccount(address)));
    return { tokens: amounts(this.#tokens), referrals: amounts(this.#referrals) };
  }

  /** The sides of the input and the output. A buy pays with SOL. */
  #direction({ sides }: Market, { side }: RecordedSwap): readonly [0 | 1, 0 | 1] {
    const solIsFirst = sides[0].mint === NATIVE_MINT;
    return (side === 'buy') === solIsFirst ? [0, 1] : [1, 0];
  }

  #instruction(market: Market, state: RecordedState, swap: RecordedSwap): TransactionInstruction {
    const [input, output] = this.#direction(market, swap);
    const [first, second] = market.sides;
    const event = derivedAddress(market.program, '__event_authority').address;
    const referral = swap.hasReferral ? this.#referralSide(market, state, output) : null;
    const metas = [
      meta(derivedAddress(market.program, 'pool_authority').address),
      ...(market.config === null ? [] : [meta(market.config.address)]),
      meta(state.address, true),
      meta(this.#tokens[input] ?? '', true),
      meta(this.#tokens[output] ?? '', true),
      meta(first.vault, true),
      meta(second.vault, true),
      meta(first.mint),
      meta(second.mint),
      { pubkey: this.#trader.publicKey, isSigner: true, isWritable: false },
      meta(first.tokenProgram),
      meta(second.tokenProgram),
      referral === null ? meta(market.program) : meta(this.#referrals[referral] ?? '', true),
      meta(event),
      meta(market.program),
      meta(INSTRUCTIONS_SYSVAR),
    ];
    const data = new BorshWriter()
      .bytes(sighash('global', 'swap2'))
      .u64(swap.amountRaw, swap.limitRaw ?? 0n)
      .u8(modeNumbers[swap.mode])
      .finish();
    return new TransactionInstruction({
      programId: new PublicKey(market.program),
      keys: metas,
      data: Buffer.from(data),
    });
  }

  /** A referral is paid in the token of the fee. */
  #referralSide({ program, config }: Market, state: RecordedState, output: 0 | 1): 0 | 1 {
    if (program === DAMM_V2) return readDammPoolState(state.account)?.collectFeeMode === 0 ? output : 1;
    const terms = readCurveConfig(config?.account ?? null);
    return terms?.collectFeeMode === 1 ? output : 1;
  }

  #swapEvent(signature: string): Buffer | null {
    const metaJson = this.#chain.ledger.history.bySignature(signature)?.metaJson;
    const inner: { data: string }[] = metaJson === undefined ? [] : innerOf(metaJson);
    const tag = Buffer.from(sighash('event', 'EvtSwap2'));
    const events = inner.map(({ data }) => Buffer.from(bs58.decode(data)));
    return events.find((data) => data.subarray(8, 16).equals(tag))?.subarray(16) ?? null;
  }
}

function innerOf(metaJson: string): { data: string }[] {
  const meta: { innerInstructions: { instructions: { data: string }[] }[] } = JSON.parse(metaJson);
  return meta.innerInstructions.flatMap(({ instructions }) => instructions);
}

function meta(address: string, isWritable = false) {
  return { pubkey: new PublicKey(address), isSigner: false, isWritable };
}

/**
 * Amounts of an `EvtSwap2`.
 * @param at the offset of its results
 */
export function eventAmounts(event: Buffer, at: number) {
  const fields = fieldsOf(event);
  return {
    inRaw: fields.u64(at),
    inExcludingFeeRaw: fields.u64(at + 8),
    leftRaw: fields.u64(at + 16),
    outRaw: fields.u64(at + 24),
    nextSqrtPrice: fields.u128(at + 32),
  };
}
