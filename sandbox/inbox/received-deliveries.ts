/** A webhook that the inbox received; JSON of `GET /deliveries`. */
export interface ReceivedDelivery {
  /** `webhook-id`, which a genuine delivery shares with its CloudEvent. */
  readonly id: string;
  readonly type: string | null;
  readonly subject: string | null;
  /** When the event happened. */
  readonly time: string | null;
  readonly receivedAt: string;
  readonly deliveryId: string | null;
  /** `Launchwire-Attempt` of the newest copy. */
  readonly attempt: number | null;
  /** The number of received copies. A subscriber processes only the first one. */
  readonly copies: number;
  readonly verified: boolean;
  /** Why it was refused. */
  readonly problem: string | null;
  /** The CloudEvent; without a valid signature, the received body. */
  readonly event: unknown;
}

export interface DeliveryFilter {
  readonly type?: string | null;
  readonly subject?: string | null;
  /** Only those with a valid signature. */
  readonly verified?: boolean;
}

const KEPT = 300;

/** The newest deliveries, one entry per webhook id. */
export class ReceivedDeliveries {
  readonly #byKey = new Map<string, ReceivedDelivery>();
  readonly #listeners = new Set<(delivery: ReceivedDelivery) => void>();

  /** Stores a delivery, or counts one more copy of it. A forged copy never changes the genuine one. */
  add(delivery: ReceivedDelivery): void {
    const key = `${delivery.verified}:${delivery.id}`;
    const known = this.#byKey.get(key);
    const { attempt, deliveryId } = delivery;
    const entry =
      known === undefined ? delivery : { ...known, attempt, deliveryId, copies: known.copies + 1 };
    this.#byKey.set(key, entry);
    if (this.#byKey.size > KEPT) this.#forgetOldest();
    for (const listener of this.#listeners) listener(entry);
  }

  /** Newest first. */
  list(filter: DeliveryFilter = {}): ReceivedDelivery[] {
    return [...this.#byKey.values()].filter((delivery) => fits(delivery, filter)).reverse();
  }

  /** Like `list`, but waits for the first delivery. Returns an empty list when `signal` ends the wait before
   * one arrives. */
  async listOnce(filter: DeliveryFilter, signal: AbortSignal): Promise<ReceivedDelivery[]> {
    const known = this.list(filter);
    if (known.length > 0 || signal.aborted) return known;
    const { promise, resolve } = Promise.withResolvers<void>();
    const stopListening = this.listen((delivery) => {
      if (fits(delivery, filter)) resolve();
    });
    signal.addEventListener('abort', () => resolve(), { once: true });
    await promise;
    stopListening();
    return this.list(filter);
  }

  /** Calls `listener` for every delivery from now on. Returns the function that removes it. */
  listen(listener: (delivery: ReceivedDelivery) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #forgetOldest(): void {
    const oldest = this.#byKey.keys().next();
    if (!oldest.done) this.#byKey.delete(oldest.value);
  }
}

function fits(delivery: ReceivedDelivery, { type, subject, verified = false }: DeliveryFilter): boolean {
  if (verified && !delivery.verified) return false;
  return (type == null || delivery.type === type) && (subject == null || delivery.subject === subject);
}
