/** A stake at one moment; base units of the token. */
export interface Stake {
  readonly stakedRaw: bigint;
  readonly pendingRewardsRaw: bigint;
  readonly claimedRewardsRaw: bigint;
}

export const REWARD_RATE_PER_SECOND_RAW = 1_000_000n;
const STEP_SECONDS = 20;
const STEPS_OF_A_SWING = 10;
const CLAIM_EVERY_SECONDS = 600;
const LARGEST_RAW = 400_000_000_000n;
const LEAST_RAW = 50_000_000_000n;

/**
 * Stakes of `count` wallets a number of seconds after the pool began. It is a function of time, so a restart needs no
 * saved state. Every stake rises and falls by some percent, rewards accrue per second in proportion to the base
 * stakes, and each wallet claims from time to time.
 */
export function stakesAt(count: number, seconds: number): Stake[] {
  const basics = Array.from({ length: count }, (_, at) => basicStake(at));
  const total = basics.reduce((sum, raw) => sum + raw, 0n);
  return basics.map((basicRaw, at) => {
    const earnedBy = (elapsed: number) =>
      (REWARD_RATE_PER_SECOND_RAW * BigInt(Math.max(0, Math.floor(elapsed))) * basicRaw) / total;
    const claimedRewardsRaw = earnedBy(lastClaim(at, seconds));
    return {
      stakedRaw: basicRaw + (basicRaw / 100n) * swing(at, seconds),
      pendingRewardsRaw: earnedBy(seconds) - claimedRewardsRaw,
      claimedRewardsRaw,
    };
  });
}

/** The first wallet, which is the user's, is in the middle of the leaderboard. */
function basicStake(at: number): bigint {
  const raw = LARGEST_RAW / BigInt(((at + 3) % 7) + 1);
  return raw > LEAST_RAW ? raw : LEAST_RAW;
}

/** Percent above the base stake: rises for half a period and falls again, each wallet with its own offset. */
function swing(at: number, seconds: number): bigint {
  const step = (Math.floor(seconds / STEP_SECONDS) + 3 * at) % STEPS_OF_A_SWING;
  return BigInt(Math.min(step, STEPS_OF_A_SWING - step));
}

/** Second of the newest claim; each wallet has its own offset. */
function lastClaim(at: number, seconds: number): number {
  const offset = at * 50;
  return Math.floor((seconds - offset) / CLAIM_EVERY_SECONDS) * CLAIM_EVERY_SECONDS + offset;
}
