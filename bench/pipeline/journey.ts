/** One trade of a client that is some milliseconds away: counts what it waits for, one after the other. */
export class Journey {
  readonly #distanceMs: number;
  roundTrips = 0;

  /** @param distanceMs a round trip to the service or node, added to that of this machine */
  constructor(distanceMs: number) {
    this.#distanceMs = distanceMs;
  }

  /** A request, or several at the same time, with their way there and back. */
  async request<Result>(send: () => Promise<Result>): Promise<Result> {
    this.roundTrips += 1;
    await this.#halfWay();
    const result = await send();
    await this.#halfWay();
    return result;
  }

  /** A message that was not requested travels in one direction only. */
  async message<Result>(arrival: Promise<Result>): Promise<Result> {
    const result = await arrival;
    await this.#halfWay();
    return result;
  }

  async #halfWay(): Promise<void> {
    if (this.#distanceMs > 0) await Bun.sleep(this.#distanceMs / 2);
  }
}
