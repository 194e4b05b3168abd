import { createHash } from 'node:crypto';
import { encodeBase58 } from '../../src/shared/base58.ts';
import type { MarketToken } from '../market/market-state.ts';
import { addressOf, type CommunityContext, type CommunityTask } from './context.ts';
import { REWARD_RATE_PER_SECOND_RAW, stakesAt } from './stake-model.ts';

const LOCK_SECONDS = 7 * 24 * 60 * 60;
const STAKING_TRADERS = 5;

/** Reports the staking pool of a token and every position in it. There is no staking program on the chain. */
export class StakingTask implements CommunityTask {
  readonly name = 'staking';
  readonly everyMs: number;
  readonly #context: CommunityContext;
  readonly #token: MarketToken;

  constructor(context: CommunityContext, token: MarketToken) {
    this.#context = context;
    this.#token = token;
    this.everyMs = context.ms(10_000);
  }

  async step(): Promise<void> {
    const { rpc, feed } = this.#context;
    const launchedAtMs = Date.parse(this.#token.launchedAt);
    const mintAddress = addressOf(this.#token.mint);
    const wallets = stakersOf(this.#context);
    const slot = String(await rpc.slot());
    const now = new Date();
    const observed = { mintAddress, slot, asOf: now.toISOString() };
    const stakes = stakesAt(wallets.length, Math.max(0, now.getTime() - launchedAtMs) / 1000);
    const pool = {
      ...observed,
      poolAddress: accountAddress('staking pool', mintAddress),
      status: 'active',
      totalStakedRaw: String(sum(stakes.map(({ stakedRaw }) => stakedRaw))),
      stakerCount: wallets.length,
      rewardRatePerSecondRaw: String(REWARD_RATE_PER_SECOND_RAW),
      rewardsDistributedRaw: String(sum(stakes.map(({ claimedRewardsRaw }) => claimedRewardsRaw))),
      lockPeriodSeconds: LOCK_SECONDS,
    };
    const positions = stakes.map((stake, at) => ({
      ...observed,
      positionAddress: accountAddress('staking position', mintAddress, wallets[at] ?? ''),
      walletAddress: wallets[at],
      stakedRaw: String(stake.stakedRaw),
      pendingRewardsRaw: String(stake.pendingRewardsRaw),
      claimedRewardsRaw: String(stake.claimedRewardsRaw),
      stakedAt: new Date(launchedAtMs + at * 1000).toISOString(),
      unlocksAt: new Date(launchedAtMs + (at + LOCK_SECONDS) * 1000).toISOString(),
    }));
    await Promise.all([
      feed.publish('staking_pool', pool, `staking_pool:${mintAddress}:${slot}`),
      ...positions.map((position) =>
        feed.publish('staking_position', position, `staking_position:${position.positionAddress}:${slot}`),
      ),
    ]);
  }
}

/** Wallets that stake: the user's first, then some traders. */
export function stakersOf({ user, market }: CommunityContext): string[] {
  return [user, ...market.traders.slice(0, STAKING_TRADERS)].map(addressOf);
}

/** A deterministic address without a known key. */
export function accountAddress(...parts: readonly string[]): string {
  return encodeBase58(createHash('sha256').update(parts.join('\n')).digest());
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
