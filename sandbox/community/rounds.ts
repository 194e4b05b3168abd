import { runCommand } from '../../src/admin/run-command.ts';
import type { CommunityContext, CommunityTask } from './context.ts';

/** The fields of a round that the community uses. */
export interface Round {
  readonly id: string;
  readonly status: 'scheduled' | 'open' | 'locked' | 'settling' | 'settled' | 'voided';
  readonly opensAt: string;
  readonly locksAt: string;
}

const OPEN_MS = 120_000;
const LOCK_TO_SETTLEMENT_MS = 15_000;
/** A round is created this long before it opens, so that there is no gap after its predecessor. */
const AHEAD_MS = 10_000;
/** Every wallet that has ever bought holds at least this amount. */
const MINIMUM_BALANCE_RAW = 1_000_000n;
const PRIZE_POOL_LAMPORTS = 1_000_000_000n;
const LISTED = 5;

/** The newest rounds of a token; none until the product knows it with predictions enabled. */
export async function newestRounds({ api }: CommunityContext, mint: string): Promise<readonly Round[]> {
  const page = await api.find<{ data: Round[] }>(
    `/tokens/${mint}/prediction-rounds?limit=${LISTED}`,
    'token_not_found',
    'prediction_token_not_enabled',
  );
  return page?.data ?? [];
}

/** Keeps one round of the token open: the next one opens when the last one locks. */
export class RoundTask implements CommunityTask {
  readonly name = 'rounds';
  readonly everyMs = 1_000;
  readonly #context: CommunityContext;
  readonly #mint: string;
  /** The round that this process created. Lists are cached and may not show it yet. */
  #unseen: { id: string; locksAtMs: number } | undefined;

  constructor(context: CommunityContext, mint: string) {
    this.#context = context;
    this.#mint = mint;
  }

  async step(): Promise<void> {
    const { admin, api, ms } = this.#context;
    // A round needs a token that the product knows.
    if ((await api.find(`/tokens/${this.#mint}`, 'token_not_found')) === null) return;
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
    const { id } = await runCommand(admin, 'round create', {
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
