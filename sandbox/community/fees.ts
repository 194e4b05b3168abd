import { type DecimalString, decimalToRaw } from '../../src/shared/decimal.ts';
import type { BookToken } from '../market/book.ts';
import { LAMPORTS_PER_SOL } from '../market/curve.ts';
import { fund } from '../market/launch.ts';
import { addressOf, type CommunityContext, type Keeper } from './context.ts';
import { type LandedPayments, type Payment, pay } from './payments.ts';
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
/** Trades of newer slots may still be on their way into the product. */
const SETTLED_AFTER_SLOTS = 30n;
const PAYOUT_EVERY_MS = 180_000;
/** Less is not worth a payment; this much always leaves every recipient something. */
const LEAST_PAYOUT_LAMPORTS = 10_000_000n;
/** What is not paid stays claimable, so that there is always something to claim. */
const PAID_PERCENT = 90n;

/** Adds the fees of new trades to what has accrued for a token, and pays it out from time to time, on chain. */
export class FeeKeeper implements Keeper {
  readonly name = 'fees';
  readonly everyMs: number;
  readonly #context: CommunityContext;
  readonly #token: BookToken;

  constructor(context: CommunityContext, token: BookToken) {
    this.#context = context;
    this.#token = token;
    this.everyMs = context.ms(5_000);
  }

  get #mint(): string {
    return addressOf(this.#token.mint);
  }

  async step(): Promise<void> {
    const { product, rpc } = this.#context;
    const state = await product.find<FeeState>(`/tokens/${this.#mint}/fees`, 'token_not_found');
    if (state === null) return;
    const upTo = (await rpc.slot()) - SETTLED_AFTER_SLOTS;
    if (upTo <= BigInt(state.slot)) return;
    const accrued = BigInt(state.accruedLamports) + (await this.#feesBetween(BigInt(state.slot), upTo));
    const undistributed = accrued - BigInt(state.distributedLamports);
    await this.#report(accrued, undistributed, upTo);
    const paid = (undistributed * PAID_PERCENT) / 100n;
    if (paid >= LEAST_PAYOUT_LAMPORTS && (await this.#isPayday())) await this.#payOut(paid);
  }

  /** Fees of the trades after one slot up to another: a hundredth of their SOL. */
  async #feesBetween(after: bigint, upTo: bigint): Promise<bigint> {
    let fees = 0n;
    for (let cursor = ''; ; ) {
      const path = `/tokens/${this.#mint}/trades?limit=100${cursor}`;
      const { data, page } = await this.#context.product.get<TradePage>(path);
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

  async #isPayday(): Promise<boolean> {
    const { product, ms } = this.#context;
    const path = `/tokens/${this.#mint}/fee-distributions?limit=1`;
    const { data } = await product.get<{ data: { distributedAt: string }[] }>(path);
    const [last] = data;
    return last === undefined || Date.now() - Date.parse(last.distributedAt) >= ms(PAYOUT_EVERY_MS);
  }

  async #payOut(lamports: bigint): Promise<void> {
    const { book, rpc, signal } = this.#context;
    const treasury = accountAddress('treasury', addressOf(book.fees));
    await fund(rpc, treasury, LAMPORTS_PER_SOL);
    const stakers = stakersOf(this.#context);
    const eachStaker = shareOf(lamports, 'stakers') / BigInt(stakers.length);
    const payments: (Payment & { role: Role })[] = [
      { role: 'creator', to: addressOf(this.#token.creator), lamports: shareOf(lamports, 'creator') },
      { role: 'platform', to: treasury, lamports: shareOf(lamports, 'platform') },
      ...stakers.map((to) => ({ role: 'stakers' as const, to, lamports: eachStaker })),
    ];
    const landed = await pay(book.fees, payments, rpc, signal);
    for (const [at, payment] of payments.entries()) await this.#reportPayment(payment, at, landed);
  }

  async #reportPayment(
    { role, to, lamports }: Payment & { role: Role },
    instructionIndex: number,
    { signature, slot, blockTime }: LandedPayments,
  ): Promise<void> {
    const message = {
      mintAddress: this.#mint,
      recipientWallet: to,
      role,
      amountLamports: String(lamports),
      transactionSignature: signature,
      instructionIndex,
      slot: String(slot),
      distributedAt: blockTime,
    };
    await this.#context.feed.publish(
      'fee_distribution',
      message,
      `fee_distribution:${signature}:${instructionIndex}`,
    );
  }
}

function shareOf(lamports: bigint, role: Role): bigint {
  return (lamports * BigInt(feeBps[role])) / 10_000n;
}
