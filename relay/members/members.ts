import { asynchronousCommit } from '../../src/db/async-commit.ts';
import type { Database } from '../../src/db/client.ts';
import type { Logger } from '../../src/shared/log.ts';
import { runLoop } from '../../src/shared/loop.ts';
import type { EndpointShares } from './endpoint-shares.ts';

/** What a relay reads of another one. */
interface Member {
  id: string;
  /** The relays whose places it leaves alone. */
  view: string[];
}

const BEAT_MS = 500;
/** After this time without a beat the others divide its places among them. */
const SILENT_MS = 4_000;
/** A relay whose last beat began longer ago than this starts no attempts. */
const FENCE_MS = 2_500;
/** Rows of relays that were killed are kept this long, for whoever looks. */
const KEPT_HOURS = 1;

/**
 * This relay among those that run. Each writes which others it knows, and uses only its own places of every limit
 * (EndpointShares) among those; it starts attempts only while every other one has written that it knows this one. So no
 * place is used twice, whoever joins or leaves. A relay says that it knows a new one when its attempts in flight fit what
 * is left to it. A relay that cannot reach the database stops by itself before the others count it as gone; what it has
 * in flight then is beyond the limit until its deadline.
 */
export class Membership {
  readonly id: string;
  readonly #sql: Database;
  readonly #shares: EndpointShares;
  readonly #fits: () => boolean;
  #known: string[] | null = null;
  #isKnownByAll = false;
  #beatAtMs = Number.NEGATIVE_INFINITY;
  #written: string[] = [];

  /** @param fits whether no endpoint has more attempts in flight from here than the shares allow */
  constructor(sql: Database, id: string, shares: EndpointShares, fits: () => boolean) {
    this.#sql = sql;
    this.id = id;
    this.#shares = shares;
    this.#fits = fits;
  }

  /** Whether this relay may start attempts now. */
  isLive(nowMs: number): boolean {
    return this.#isKnownByAll && nowMs - this.#beatAtMs < FENCE_MS;
  }

  /** Shows that this relay runs, reads which others do, and divides the limits among them. */
  async beat(): Promise<void> {
    const startedAtMs = performance.now();
    // Before the first: a relay that knows the others from the start does not stop them.
    this.#known ??= this.#withSelf(await this.#others());
    if (this.#fits()) this.#written = this.#known;
    await this.#write();
    const others = await this.#others();
    this.#known = this.#withSelf(others);
    this.#isKnownByAll = others.every(({ view }) => view.includes(this.id));
    this.#beatAtMs = startedAtMs;
    this.#shares.divideAmong(this.#known);
  }

  #withSelf(others: readonly Member[]): string[] {
    return [this.id, ...others.map(({ id }) => id)].toSorted();
  }

  async #write(): Promise<void> {
    await this.#sql`
      with forgotten as (
        delete from relay_members where beat_at < now() - ${KEPT_HOURS} * interval '1 hour'
      )
      insert into relay_members (id, view, beat_at)
      select ${this.id}, ${this.#written}::uuid[], now() where ${asynchronousCommit(this.#sql)}
      on conflict (id) do update set view = excluded.view, beat_at = excluded.beat_at`;
  }

  async #others(): Promise<Member[]> {
    return await this.#sql<Member[]>`
      select id, view from relay_members
      where id <> ${this.id} and beat_at > now() - ${SILENT_MS} * interval '1 millisecond'`;
  }

  /** Gives its places to the others; call it when no attempt is in flight any more. */
  async leave(): Promise<void> {
    this.#isKnownByAll = false;
    await this.#sql`delete from relay_members where id = ${this.id}`;
  }
}

/** Beats until the signal aborts and the attempts in flight have ended. */
export function membershipLoop(
  { membership, onBeat, log }: { membership: Membership; onBeat(): void; log: Logger },
  signal: AbortSignal,
): Promise<void> {
  return runLoop({
    name: 'membership',
    log,
    signal,
    idleMs: BEAT_MS,
    async step() {
      await membership.beat();
      onBeat();
      return false;
    },
  });
}
