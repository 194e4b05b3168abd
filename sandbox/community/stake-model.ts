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
 * Stakes of `count` wallets so many seconds after the pool began. A function of time, so nothing has to be remembered
 * over a restart: every stake rises and falls by some percent, rewards accrue by the second, shared by the
 * basic stakes, and each wallet claims now and then.
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

/** The first wallet, which is the user's, is in the middle of the board. */
function basicStake(at: number): bigint {
  const raw = LARGEST_RAW / BigInt(((at + 3) % 7) + 1);
  return raw > LEAST_RAW ? raw : LEAST_RAW;
}

/** Percent: up to half a swing and down again, each wallet at its own place in it. */
function swing(at: number, seconds: number): bigint {
  const step = (Math.floor(seconds / STEP_SECONDS) + 3 * at) % STEPS_OF_A_SWING;
  return BigInt(Math.min(step, STEPS_OF_A_SWING - step));
}

/** The newest whole number of claim periods; wallets are out of step with each other. */
function lastClaim(at: number, seconds: number): number {
  const offset = at * 50;
  return Math.floor((seconds - offset) / CLAIM_EVERY_SECONDS) * CLAIM_EVERY_SECONDS + offset;
}
