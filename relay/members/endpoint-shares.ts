/** Most remembered counts. Beyond that, all are forgotten. */
const REMEMBERED_MAX = 100_000;

/**
 * How many of the attempts that an endpoint allows belong to this relay. An endpoint with a limit of 8 has the permits
 * 0 to 7. Each permit belongs to the relay whose hash with it is highest. A relay that joins or leaves moves no permit
 * between others, so relays that hear of one another at different times never count a permit twice (members.ts).
 */
export class EndpointShares {
  readonly #self: string;
  readonly #perEndpoint: number;
  #view: readonly string[] = [];
  readonly #counts = new Map<string, number>();

  /** @param perEndpoint attempts in flight to one endpoint, over all relays */
  constructor(self: string, perEndpoint: number) {
    this.#self = self;
    this.#perEndpoint = perEndpoint;
  }

  /** @param view the relays that share the limits; this relay has no permit if it is not among them */
  divideAmong(view: readonly string[]): void {
    this.#view = [...view];
    this.#counts.clear();
  }

  /** Whether this relay is one of those that share the limits. */
  get isMember(): boolean {
    return this.#view.includes(this.#self);
  }

  /** Attempts that this relay may have in flight to the endpoint. */
  limitOf(endpointId: string): number {
    if (this.#view.length <= 1) return this.isMember ? this.#perEndpoint : 0;
    const known = this.#counts.get(endpointId);
    if (known !== undefined) return known;
    if (this.#counts.size >= REMEMBERED_MAX) this.#counts.clear();
    const limit = this.isMember ? permitsOf(this.#self, this.#view, endpointId, this.#perEndpoint) : 0;
    this.#counts.set(endpointId, limit);
    return limit;
  }
}

/** How many of the `limit` permits of an endpoint belong to `member` (rendezvous hashing). */
export function permitsOf(
  member: string,
  view: readonly string[],
  endpointId: string,
  limit: number,
): number {
  let count = 0;
  for (let permit = 0; permit < limit; permit += 1) {
    const own = weight(member, endpointId, permit);
    // Equal weights go to the higher id.
    const isHighest = view.every((other) => {
      const weightOfOther = weight(other, endpointId, permit);
      return other === member || weightOfOther < own || (weightOfOther === own && other < member);
    });
    if (isHighest) count += 1;
  }
  return count;
}

function weight(member: string, endpointId: string, permit: number): number {
  return Bun.hash.xxHash32(`${member} ${endpointId} ${permit}`);
}
