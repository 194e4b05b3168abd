/** Most remembered counts; with more, all are forgotten. */
const REMEMBERED_MAX = 100_000;

/**
 * How many of the attempts that an endpoint allows belong to this relay. Each place of a limit belongs to the
 * relay whose hash with the place is highest. A relay that joins or leaves moves no place between others, so
 * relays that hear of one another at different times never count a place twice (members.ts).
 */
export class EndpointShares {
  readonly #self: string;
  readonly #perEndpoint: number;
  #view: readonly string[] = [];
  readonly #counted = new Map<string, number>();

  /** @param perEndpoint attempts in flight to one endpoint, over all relays */
  constructor(self: string, perEndpoint: number) {
    this.#self = self;
    this.#perEndpoint = perEndpoint;
  }

  /** @param view the relays that share the limits; without this relay among them it has no place */
  divideAmong(view: readonly string[]): void {
    this.#view = [...view];
    this.#counted.clear();
  }

  /** Whether this relay is one of those that share the limits. */
  get isMember(): boolean {
    return this.#view.includes(this.#self);
  }

  /** Attempts that this relay may have in flight to the endpoint. */
  limitOf(endpointId: string): number {
    if (this.#view.length <= 1) return this.isMember ? this.#perEndpoint : 0;
    const known = this.#counted.get(endpointId);
    if (known !== undefined) return known;
    if (this.#counted.size >= REMEMBERED_MAX) this.#counted.clear();
    const limit = this.isMember ? placesOf(this.#self, this.#view, endpointId, this.#perEndpoint) : 0;
    this.#counted.set(endpointId, limit);
    return limit;
  }
}

/** How many of the first `places` places of an endpoint belong to `member` (rendezvous hashing). */
export function placesOf(
  member: string,
  view: readonly string[],
  endpointId: string,
  places: number,
): number {
  let count = 0;
  for (let place = 0; place < places; place += 1) {
    const own = weight(member, endpointId, place);
    // Equal weights go to the higher id.
    const isHighest = view.every((other) => {
      const weightOfOther = weight(other, endpointId, place);
      return other === member || weightOfOther < own || (weightOfOther === own && other < member);
    });
    if (isHighest) count += 1;
  }
  return count;
}

function weight(member: string, endpointId: string, place: number): number {
  return Bun.hash.xxHash32(`${member} ${endpointId} ${place}`);
}
