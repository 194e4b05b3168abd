/** The lowest and the highest root price, Q64.64, in both programs. */
export const SQRT_PRICE_MIN = 4_295_048_016n;
export const SQRT_PRICE_MAX = 79_226_673_521_066_979_257_578_248_091n;

/** The bin step of every dynamic fee: one basis point, Q64.64. */
export const BIN_STEP_Q64 = 1_844_674_407_370_955n;

/** A compounding pool keeps this much of its first liquidity for no position. */
export const DEAD_LIQUIDITY = 100n << 64n;

export function lesser(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
