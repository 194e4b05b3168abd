import { type DecimalString, decimalToRaw } from '../../src/shared/decimal.ts';
import { LAMPORTS_PER_SOL } from '../market/amounts.ts';
import type { MarketToken } from '../market/market-state.ts';
import { fund } from '../market/wallet-funding.ts';
import { addressOf, type CommunityContext, type CommunityTask } from './context.ts';
import { type LandedPayments, landPayments, type PreparedPayments, preparePayments } from './payments.ts';
import { accountAddress, stakersOf } from './staking.ts';

interface FeeState {
  readonly accruedLamports: string;
  readonly distributedLamports: string;
  readonly slot: string;
}

interface TradePage {
  readonly data: readonly { readonly solAmount: DecimalString; readonly slot: string }[];
  readonly page: { readonly nextCursor: string | null };
}

type Role = 'creator' | 'platform' | 'stakers';

const feeBps: Readonly<Record<Role, number>> = { creator: 5_000, platform: 2_000, stakers: 3_000 };
const FEE_DIVISOR = 100n;
/** Trades of newer slots may not have reached the product yet. */
const SETTLED_AFTER_SLOTS = 30n;
const PAYOUT_EVERY_MS = 180_000;
/** Smaller amounts are not paid out; with this much every recipient gets something. */
const LEAST_PAYOUT_LAMPORTS = 10_000_000n;
/** The rest stays claimable, so that there is always something to claim. */
const PAID_PERCENT = 90n;

/** A slot, and the newest message of the ingest stream at that time. */
interface Checkpoint {
  readonly sequence: number;
  readonly slot: bigint;
}

/**
 * Adds the fees of new trades to what has accrued for a token, and pays it out on chain from time to time. It uses only
 * what the product has processed: while the worker lags, sums of trades and payments would be too small.
 */
export class FeeTask implements CommunityTask {
  readonly name = 'fees';
  readonly everyMs: number;
  readonly #context: CommunityContext;
  readonly #token: MarketToken;
  readonly #treasury: string;
  #checkpoint: Checkpoint | null = null;
  /** Sent and not known to have landed. */
  #attempt: PreparedPayments | null = null;
  /** Signature of the newest payout that was reported in full. */
  #reported: string | null = null;

  constructor(context: CommunityContext, token: MarketToken) {
    this.#context = context;
    this.#token = token;
    this.everyMs = context.ms(5_000);
    this.#treasury = accountAddress('treasury', addressOf(context.market.fees));
  }

  get #mint(): string {
    return addressOf(this.#token.mint);
  }

  async step(): Promise<void> {
    const { feed, rpc } = this.#context;
    const checkpoint = this.#checkpoint;
    if (checkpoint !== null && !(await feed.hasProcessed(checkpoint.sequence))) return;
    if (checkpoint !== null && !(await this.#settleLastPayout())) await this.#update(checkpoint.slot);
    // In this order: messages that are published later belong to later slots.
    const slot = await rpc.slot();
    this.#checkpoint = { slot, sequence: await feed.lastSequence() };
  }

  /** Reports what has accrued up to a slot that the product has processed, and pays when a payout is due. */
  async #update(settledSlot: bigint): Promise<void> {
    const { api } = this.#context;
    const state = await api.find<FeeState>(`/tokens/${this.#mint}/fees`, 'token_not_found');
    if (state === null) return;
    const upTo = settledSlot - SETTLED_AFTER_SLOTS;
    if (upTo <= BigInt(state.slot)) return;
    const accrued = BigInt(state.accruedLamports) + (await this.#feesBetween(BigInt(state.slot), upTo));
    const owed = accrued - BigInt(state.distributedLamports);
    await this.#report(accrued, owed > 0n ? owed : 0n, upTo);
    const paid = (owed * PAID_PERCENT) / 100n;
    if (paid >= LEAST_PAYOUT_LAMPORTS && (await this.#isPayoutDue())) await this.#payOut(paid);
  }

  /**
   * Waits until the newest payout has landed or no longer can, and reports it: nothing else is paid before. True when
   * there was one to report.
   */
  async #settleLastPayout(): Promise<boolean> {
    const { rpc, signal } = this.#context;
    if (this.#attempt !== null && (await rpc.isBlockhashValid(this.#attempt.blockhash))) {
      await landPayments(this.#attempt, rpc, signal);
    }
    this.#attempt = null;
    const newest = await this.#newestPayout();
    if (newest === null || newest.signature === this.#reported) return false;
    await this.#reportPayout(newest);
    return true;
  }

  /** Fees of the trades after one slot up to another one: a hundredth of their SOL. */
  async #feesBetween(after: bigint, upTo: bigint): Promise<bigint> {
    let fees = 0n;
    for (let cursor = ''; ; ) {
      const path = `/tokens/${this.#mint}/trades?limit=100${cursor}`;
      const { data, page } = await this.#context.api.get<TradePage>(path);
      for (const { slot, solAmount } of data) {
        if (BigInt(slot) > upTo || BigInt(slot) <= after) continue;
        fees += (decimalToRaw(solAmount, 9) ?? 0n) / FEE_DIVISOR;
      }
      const isOver = data.some(({ slot }) => BigInt(slot) <= after);
      if (isOver || page.nextCursor === null) return fees;
      cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`;
    }
  }

  async #report(accrued: bigint, undistributed: bigint, slot: bigint): Promise<void> {
    const { feed, user } = this.#context;
    const observed = { mintAddress: this.#mint, slot: String(slot), asOf: new Date().toISOString() };
    const stakers = stakersOf(this.#context);
    const claimable = shareOf(undistributed, 'stakers') / BigInt(stakers.length);
    const state = { ...observed, feeBps, accruedLamports: String(accrued) };
    const claim = { ...observed, walletAddress: addressOf(user), claimableLamports: String(claimable) };
    await feed.publish('fee_state', state, `fee_state:${this.#mint}:${slot}`);
    await feed.publish('fee_claimable', claim, `fee_claimable:${this.#mint}:${slot}`);
  }

  async #isPayoutDue(): Promise<boolean> {
    const { api, ms } = this.#context;
    const path = `/tokens/${this.#mint}/fee-distributions?limit=1`;
    const { data } = await api.get<{ data: { distributedAt: string }[] }>(path);
    const [last] = data;
    return last === undefined || Date.now() - Date.parse(last.distributedAt) >= ms(PAYOUT_EVERY_MS);
  }

  async #payOut(lamports: bigint): Promise<void> {
    const { market, rpc, signal } = this.#context;
    await fund(rpc, this.#treasury, LAMPORTS_PER_SOL);
    const stakers = stakersOf(this.#context);
    const eachStaker = shareOf(lamports, 'stakers') / BigInt(stakers.length);
    const payments = [
      { to: addressOf(this.#token.creator), lamports: shareOf(lamports, 'creator') },
      { to: this.#treasury, lamports: shareOf(lamports, 'platform') },
      ...stakers.map((to) => ({ to, lamports: eachStaker })),
    ];
    this.#attempt = await preparePayments(market.fees, payments, rpc);
    const landed = await landPayments(this.#attempt, rpc, signal);
    this.#attempt = null;
    await this.#reportPayout(landed);
  }

  /** The newest payout on chain, reported or not: each one pays the treasury, and few other transactions do. */
  async #newestPayout(): Promise<LandedPayments | null> {
    const { market, rpc } = this.#context;
    for (const { signature, slot, err } of await rpc.recentTransactions(this.#treasury, 20)) {
      if (err !== null) continue;
      const { payer } = await rpc.transfersOf(signature);
      if (payer === addressOf(market.fees))
        return { signature, slot: BigInt(slot), blockTime: await rpc.blockTime(BigInt(slot)) };
    }
    return null;
  }

  /** Reports every payment of a payout. The product counts each once. */
  async #reportPayout({ signature, slot, blockTime }: LandedPayments): Promise<void> {
    const { rpc, feed } = this.#context;
    for (const { to, lamports, instructionIndex } of (await rpc.transfersOf(signature)).transfers) {
      const message = {
        mintAddress: this.#mint,
        recipientWallet: to,
        role: this.#roleOf(to),
        amountLamports: String(lamports),
        transactionSignature: signature,
        instructionIndex,
        slot: String(slot),
        distributedAt: blockTime,
      };
      await feed.publish('fee_distribution', message, `fee_distribution:${signature}:${instructionIndex}`);
    }
    this.#reported = signature;
  }

  #roleOf(wallet: string): Role {
    if (wallet === this.#treasury) return 'platform';
    return wallet === addressOf(this.#token.creator) ? 'creator' : 'stakers';
  }
}

function shareOf(lamports: bigint, role: Role): bigint {
  return (lamports * BigInt(feeBps[role])) / 10_000n;
}
