/**
 * Pools of which it is proven that nothing traded in them from their cursors through `slot`: their accounts held, at that slot, the very bytes
 * that they held when everything through an earlier slot had been read. Every swap, change of liquidity, completion and
 * migration changes the bytes of the pool's account (reserves, price or fee counters that only grow). Not so in DAMM v1,
 * whose pools are never among them.
 *
 * What it does not cover: transactions that leave the pool's account alone, such as the claim of a DAMM position's fees.
 * Those are found by the next walk of the pool.
 */
export interface QuietProof {
  poolAddresses: readonly string[];
  /** Of the bank that served the accounts, believed as far as the chain head is. */
  slot: bigint;
  /** Unix time of that slot, by the chain's own clock account, read in the same request. */
  time: Date;
}

/** Is told of every proof, in the order in which they are made; must not throw. At most 99 pools at a time. */
export type OnQuietPoolsProven = (proof: QuietProof) => void;
