interface Observation {
  slot: string;
  asOf: string;
}

/**
 * The newest observation for each key: the later slot, then the later time, as the statements of the stores
 * compare them.
 */
export function newestBy<Fact extends Observation>(
  facts: Iterable<Fact>,
  keyOf: (fact: Fact) => string,
): Fact[] {
  const newest = new Map<string, Fact>();
  for (const fact of facts) {
    const known = newest.get(keyOf(fact));
    if (known === undefined || isNewer(fact, known)) newest.set(keyOf(fact), fact);
  }
  return [...newest.values()];
}

function isNewer(fact: Observation, known: Observation): boolean {
  const slots = BigInt(fact.slot) - BigInt(known.slot);
  return slots === 0n ? Date.parse(fact.asOf) > Date.parse(known.asOf) : slots > 0n;
}
