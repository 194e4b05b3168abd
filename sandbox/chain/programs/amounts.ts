/** The smaller of two amounts. */
export function lesser(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
