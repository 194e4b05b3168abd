import { BoundedMap } from '../bounded-map.ts';
import { accountClient, Gate, type GateClient, GateRefused } from '../gate.ts';
import { SingleFlight } from '../single-flight.ts';
import { HostsFile } from './hosts-file.ts';
import { LookupFailure, queryAddresses } from './query.ts';

/** The account and endpoint that a look-up counts for; no endpoint while it is being created. */
export interface LookupOwner {
  accountId: string;
  endpointId: string | null;
}

export interface LookupLimits {
  /** Look-ups in flight in this process. */
  total: number;
  perAccount: number;
  perEndpoint: number;
  waiting: number;
  /** Longest wait for a place among the running look-ups. */
  turnMs: number;
}

/**
 * Resolves to all addresses of a host name, in the order to try them; rejects when it has none or no server
 * answers in time.
 */
export type Resolver = (hostname: string, owner: LookupOwner) => Promise<readonly string[]>;

export interface DnsResolverOptions {
  /** Name servers as `address` or `address:port`; those of the system when empty. */
  servers: readonly string[];
  limits?: Partial<LookupLimits>;
  /** From the first query to the last answer. */
  deadlineMs?: number;
  hostsFile?: string;
  nowMs?: () => number;
}

type Answer = { addresses: readonly string[] } | { failure: LookupFailure };
export type LookupOutcome = 'answered' | LookupFailure['kind'];

/**
 * Zones that never answer hold their look-ups for the whole deadline, so accounts and endpoints have shares:
 * an owner that uses its share up waits, all others continue. No account can use all places.
 */
const LIMITS: LookupLimits = {
  total: 256,
  perAccount: 16,
  perEndpoint: 4,
  waiting: 4_096,
  turnMs: 2_000,
};
const DEADLINE_MS = 4_000;
const HOSTS_MAX = 10_000;
const KEPT_MS_MIN = 5_000;
const KEPT_MS_MAX = 60_000;
/** Shorter than the first pause of the retry schedule, so that every retry makes a new look-up. */
const FAILURE_KEPT_MS = 3_000;

/**
 * Looks names up for webhooks: the hosts file, then DNS. Callers share a running look-up of the same name.
 * Answers are kept for their TTL, within 5 to 60 s, failures for 3 s. The cache approves no address: the
 * caller judges every address each time, and dials one of exactly these.
 */
export class DnsResolver {
  readonly #servers: readonly string[];
  readonly #deadlineMs: number;
  readonly #nowMs: () => number;
  readonly #hosts: HostsFile;
  readonly #limits: LookupLimits;
  readonly #gate: Gate;
  readonly #kept = new BoundedMap<string, { answer: Answer; untilMs: number }>(HOSTS_MAX);
  readonly #running = new SingleFlight<Answer>();
  readonly #outcomes: Record<LookupOutcome, number> = {
    answered: 0,
    no_address: 0,
    timed_out: 0,
    no_turn: 0,
  };

  constructor({ servers, limits, deadlineMs, hostsFile, nowMs }: DnsResolverOptions) {
    this.#servers = servers;
    this.#deadlineMs = deadlineMs ?? DEADLINE_MS;
    this.#nowMs = nowMs ?? (() => performance.now());
    this.#hosts = new HostsFile(hostsFile ?? '/etc/hosts');
    this.#limits = { ...LIMITS, ...limits };
    const { total, perAccount, waiting, turnMs } = this.#limits;
    this.#gate = new Gate({
      runningMax: total,
      clientRunningMax: perAccount,
      waitingMax: waiting,
      waitMaxMs: turnMs,
    });
  }

  /** Look-ups by outcome; `no_turn` counts those that were never made. */
  get outcomes(): Readonly<Record<LookupOutcome, number>> {
    return this.#outcomes;
  }

  readonly resolve: Resolver = async (hostname, owner) => {
    const listed = await this.#hosts.addressesOf(hostname);
    if (listed !== null) return listed;
    const answer = await (this.#known(hostname) ?? this.#inTurn(hostname, owner));
    if ('failure' in answer) throw answer.failure;
    return answer.addresses;
  };

  #known(hostname: string): Answer | Promise<Answer> | undefined {
    const kept = this.#kept.get(hostname);
    if (kept !== undefined && this.#nowMs() < kept.untilMs) return kept.answer;
    return this.#running.running(hostname);
  }

  async #inTurn(hostname: string, owner: LookupOwner): Promise<Answer> {
    // Another caller may have looked it up during the wait.
    const lookUp = async () =>
      await (this.#known(hostname) ?? this.#running.run(hostname, () => this.#query(hostname)));
    try {
      return await this.#gate.run(this.#clientOf(owner), lookUp);
    } catch (error) {
      if (!(error instanceof GateRefused)) throw error;
      this.#outcomes.no_turn += 1;
      return { failure: new LookupFailure('no_turn', `too many look-ups: ${error.message}`) };
    }
  }

  #clientOf({ accountId, endpointId }: LookupOwner): GateClient {
    const client = accountClient(accountId);
    if (endpointId === null) return client;
    return { ...client, shares: [{ name: endpointId, max: this.#limits.perEndpoint }] };
  }

  async #query(hostname: string): Promise<Answer> {
    try {
      const { addresses, ttlSeconds } = await queryAddresses(hostname, this.#servers, this.#deadlineMs);
      this.#outcomes.answered += 1;
      return this.#keep(hostname, { addresses }, clamp(ttlSeconds * 1_000, KEPT_MS_MIN, KEPT_MS_MAX));
    } catch (error) {
      if (!(error instanceof LookupFailure)) throw error;
      this.#outcomes[error.kind] += 1;
      return this.#keep(hostname, { failure: error }, FAILURE_KEPT_MS);
    }
  }

  #keep(hostname: string, answer: Answer, forMs: number): Answer {
    this.#kept.set(hostname, { answer, untilMs: this.#nowMs() + forMs });
    return answer;
  }
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
