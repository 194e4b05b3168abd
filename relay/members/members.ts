import type { Database } from '../../src/db/client.ts';
import type { Logger } from '../../src/shared/log.ts';
import { runLoop, wait } from '../../src/shared/loop.ts';
import type { EndpointShares } from './endpoint-shares.ts';
import {
  beatOn,
  forgetMembers,
  type Member,
  type MemberSession,
  openSession,
  readOthers,
} from './member-session.ts';

const BEAT_MS = 500;
/** The pause between beats while relays join and leave. */
const BEAT_SOON_MS = 100;
/** A relay whose last beat began longer ago than this starts no attempts. */
const FENCE_MS = 2_500;

export interface MembershipDependencies {
  /** For statements that do not need the session of this relay. */
  sql: Database;
  /** Makes a pool of one connection, for a session. */
  connect(): Database;
  /** The id of this relay. */
  id: string;
  shares: EndpointShares;
  /** Whether no endpoint has more attempts in flight from here than the shares allow. */
  fits(): boolean;
}

/**
 * The membership of this relay among the relays that run. Each relay writes which others it knows, and uses only its
 * own permits of every limit (EndpointShares) among those. It starts attempts only while every other relay has written
 * that it knows this one, so no permit is used twice, whoever joins or leaves. A relay writes that it knows a new one
 * when its attempts in flight fit the permits that it keeps. A relay that cannot reach the database stops by itself
 * before the others count it as gone. Its attempts in flight may exceed the limit until their deadline.
 */
export class Membership {
  readonly id: string;
  readonly #sql: Database;
  readonly #connect: () => Database;
  readonly #shares: EndpointShares;
  readonly #fits: () => boolean;
  #session: MemberSession | null = null;
  #known: string[] | null = null;
  #isKnownByAll = false;
  #beatAtMs = Number.NEGATIVE_INFINITY;
  #written: string[] = [];
  /** The relays among which the limits are divided now. */
  #shared: string[] = [];

  constructor({ sql, connect, id, shares, fits }: MembershipDependencies) {
    this.#sql = sql;
    this.#connect = connect;
    this.id = id;
    this.#shares = shares;
    this.#fits = fits;
  }

  /** Whether this relay may start attempts now. */
  isLive(nowMs: number): boolean {
    return this.#isKnownByAll && nowMs - this.#beatAtMs < FENCE_MS;
  }

  /** Milliseconds until the next beat. */
  get pauseMs(): number {
    const isSettled = this.#isKnownByAll && this.#known?.length === this.#shared.length;
    return isSettled ? BEAT_MS : BEAT_SOON_MS;
  }

  /**
   * Shows that this relay runs, reads which others run, and divides the limits among them. Returns whether the
   * division, or the right of this relay to start attempts, has changed.
   */
  async beat(): Promise<boolean> {
    const startedAtMs = performance.now();
    const before = `${this.isLive(startedAtMs)} ${this.#shared}`;
    const writtenBefore = this.#written;
    let others = await this.#continue();
    // Write and read are one statement, which misses a relay that joins at the same time. While the last beat counts,
    // the new relay sees this one. After a longer pause the others have to be read once more.
    if (others === null || performance.now() - this.#beatAtMs > FENCE_MS) others = await this.#join();
    this.#known = this.#withSelf(others);
    this.#isKnownByAll = others.every(({ view }) => view.includes(this.id));
    this.#beatAtMs = startedAtMs;
    // A relay that counts as gone may come back and start as soon as it reads that its permits are free for it. While a
    // written view can still say so, they stay free.
    this.#shared = [...new Set([...this.#known, ...writtenBefore, ...this.#written])];
    this.#shares.divideAmong(this.#shared);
    return before !== `${this.isLive(performance.now())} ${this.#shared}`;
  }

  /** The other relays; null if there is no session. */
  async #continue(): Promise<Member[] | null> {
    if (this.#session === null) return null;
    try {
      return await beatOn(this.#session, this.id, this.#nextView());
    } catch {
      // If the fault lasts, `#join` reports it.
      await this.#closeSession();
      return null;
    }
  }

  /** Reads the others after a first beat, so that one of two relays that join together sees the other. */
  async #join(): Promise<Member[]> {
    try {
      this.#session ??= await openSession(this.#connect, this.id);
      const session = this.#session;
      // A relay that knows the others at its first beat does not stop them.
      this.#known ??= this.#withSelf(await readOthers(session, this.id));
      await beatOn(session, this.id, this.#nextView());
      await forgetMembers(session);
      return await readOthers(session, this.id);
    } catch (error) {
      await this.#closeSession();
      throw error;
    }
  }

  /** Closes a failed session, which may still live and have the lock for which the next session waits. */
  async #closeSession(): Promise<void> {
    // Without a session the others may count this relay as gone, so it starts nothing until it has another one.
    this.#isKnownByAll = false;
    const session = this.#session;
    this.#session = null;
    await session?.close();
  }

  #nextView(): readonly string[] {
    if (this.#known !== null && this.#fits()) this.#written = this.#known;
    return this.#written;
  }

  #withSelf(others: readonly Member[]): string[] {
    return [this.id, ...others.map(({ id }) => id)].toSorted();
  }

  /** Leaves the permits to the others. To be called when no attempt is in flight any more. */
  async leave(): Promise<void> {
    this.#isKnownByAll = false;
    try {
      await this.#sql`delete from relay_members where id = ${this.id}`;
    } finally {
      await this.#closeSession();
    }
  }
}

interface MembershipLoopDependencies {
  membership: Membership;
  /** Why the database accepts no writes; null while it does. */
  databaseFailure(): Promise<string | null>;
  onChange(): void;
  log: Logger;
}

/**
 * Beats until the signal aborts. A relay that cannot become a member although the database accepts writes counts as
 * stalled: it sends nothing, and a new process may.
 */
export function membershipLoop(
  { membership, databaseFailure, onChange, log }: MembershipLoopDependencies,
  signal: AbortSignal,
): Promise<void> {
  return runLoop({
    name: 'membership',
    log,
    signal,
    idleMs: 0,
    isStalled: async () => (await databaseFailure()) === null,
    async step(stepSignal, pulse) {
      if (await membership.beat()) onChange();
      await pulse.rest(wait(membership.pauseMs, stepSignal));
      return true;
    },
  });
}
