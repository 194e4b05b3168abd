import { runAdmin } from '../demo/admin.ts';
import type { CommunityContext, Keeper } from './context.ts';

/** What the community reads of a round. */
export interface Round {
  readonly id: string;
  readonly status: 'scheduled' | 'open' | 'locked' | 'settling' | 'settled' | 'voided';
  readonly opensAt: string;
  readonly locksAt: string;
}

const OPEN_MS = 120_000;
const LOCK_TO_SETTLEMENT_MS = 15_000;
/** A round is made this long before it opens: its predecessor hands over without a gap. */
const AHEAD_MS = 10_000;
/** Every wallet that ever bought holds this. */
const MINIMUM_BALANCE_RAW = 1_000_000n;
const PRIZE_POOL_LAMPORTS = 1_000_000_000n;
const LISTED = 5;

/** The newest rounds of a token; none while the product does not know it with its predictions. */
export async function newestRounds({ product }: CommunityContext, mint: string): Promise<readonly Round[]> {
  const page = await product.find<{ data: Round[] }>(
    `/tokens/${mint}/prediction-rounds?limit=${LISTED}`,
    'token_not_found',
    'prediction_token_not_enabled',
  );
  return page?.data ?? [];
}

/** Sees to it that a round of the token is always open: the next one begins when the last one locks. */
export class RoundKeeper implements Keeper {
  readonly name = 'rounds';
  readonly everyMs = 1_000;
  readonly #context: CommunityContext;
  readonly #mint: string;
  /** Made by us and not seen in a list yet: lists are cached. */
  #unseen: { id: string; locksAtMs: number } | undefined;

  constructor(context: CommunityContext, mint: string) {
    this.#context = context;
    this.#mint = mint;
  }

  async step(): Promise<void> {
    const { admin, product, ms } = this.#context;
    // Who cannot be read cannot be predicted: the product has to know the token first.
    if ((await product.find(`/tokens/${this.#mint}`, 'token_not_found')) === null) return;
    const rounds = await newestRounds(this.#context, this.#mint);
    if (rounds.some(({ id }) => id === this.#unseen?.id)) this.#unseen = undefined;
    const lockTimes = rounds.flatMap(({ status, locksAt }) =>
      status === 'voided' ? [] : [Date.parse(locksAt)],
    );
    const lastLockMs = Math.max(0, this.#unseen?.locksAtMs ?? 0, ...lockTimes);
    const nowMs = Date.now();
    if (lastLockMs - nowMs > ms(AHEAD_MS)) return;
    const opensAtMs = Math.max(nowMs, lastLockMs);
    const locksAtMs = opensAtMs + ms(OPEN_MS);
    const { id } = await runAdmin(admin, 'round create', {
      mint: this.#mint,
      'opens-at': new Date(opensAtMs).toISOString(),
      'locks-at': new Date(locksAtMs).toISOString(),
      'settles-at': new Date(locksAtMs + ms(LOCK_TO_SETTLEMENT_MS)).toISOString(),
      'minimum-balance-raw': String(MINIMUM_BALANCE_RAW),
      'prize-pool-lamports': String(PRIZE_POOL_LAMPORTS),
    });
    this.#unseen = { id: String(id), locksAtMs };
  }
}
