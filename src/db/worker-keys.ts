import type { Logger } from '../shared/log.ts';
import { checkByAsking, type Readiness } from '../shared/readiness.ts';
import { deriveKey } from '../shared/secret-box.ts';
import type { Database, Queryable } from './client.ts';
import type { workerKeyPurposes } from './values/worker-keys.ts';

/** Keys that the api and the worker share, the first of each in use. */
export interface SharedKeys {
  /** The api seals signed orders under the first; the worker opens them with any. Empty where it has none. */
  orderKeys: readonly Uint8Array[];
  /** Each process signs links to results under the first; the api verifies with any. */
  resultLinkKeys: readonly [Uint8Array, ...Uint8Array[]];
}

interface WorkerKeyRow {
  purpose: (typeof workerKeyPurposes)[number];
  keyCheck: Buffer;
}

/** Interval in which a worker enters its keys. */
export const ENTER_WORKER_KEYS_EVERY_MS = 30_000;
/** An api counts a worker that was silent for so long, because the restart of every worker takes less. */
const RESTART_SECONDS = 300;
/** For a decision about the keys of workers that run now: three times what they need to enter theirs. */
const RUNNING_SECONDS = 90;
const PURPOSE = 'launchwire/worker-key-check';

/** Enters the keys of a running worker: all that open orders, and the one that signs links. */
export async function enterWorkerKeys(
  database: Queryable,
  { orderKeys, resultLinkKeys: [linkKey] }: SharedKeys,
): Promise<void> {
  const rows: WorkerKeyRow[] = [
    ...orderKeys.map((key) => ({ purpose: 'orders' as const, keyCheck: checkOf(key) })),
    { purpose: 'result_links', keyCheck: checkOf(linkKey) },
  ];
  await database`
    insert into worker_keys (purpose, key_check, seen_at)
    select purpose, decode(key_check, 'hex'), now()
    from unnest(${rows.map(({ purpose }) => purpose)}::text[], ${rows.map(({ keyCheck }) => keyCheck.toString('hex'))}::text[])
      as entered (purpose, key_check)
    on conflict (purpose, key_check) do update set seen_at = excluded.seen_at`;
}

async function readKeysInUse(database: Queryable, silentSeconds: number): Promise<WorkerKeyRow[]> {
  return await database<WorkerKeyRow[]>`
    select purpose, key_check from worker_keys where seen_at > now() - ${silentSeconds} * interval '1 second'`;
}

/** What running workers have. */
export interface KeysOfWorkers {
  /** False when no worker opens orders. */
  openOrders: boolean;
  opensOrders(key: Uint8Array): boolean;
  /** Whether every worker signs its links under one of these keys. */
  signLinksUnder(keys: readonly Uint8Array[]): boolean;
}

/** What workers have that entered their keys within the last 90 seconds; null when there is none. */
export async function readKeysOfWorkers(database: Queryable): Promise<KeysOfWorkers | null> {
  const known = await readKeysInUse(database, RUNNING_SECONDS);
  if (known.length === 0) return null;
  const checksOf = (wanted: WorkerKeyRow['purpose']) =>
    known.filter(({ purpose }) => purpose === wanted).map(({ keyCheck }) => keyCheck);
  const includes = (checks: readonly Buffer[], one: Buffer) => checks.some((check) => check.equals(one));
  const orders = checksOf('orders');
  return {
    openOrders: orders.length > 0,
    opensOrders: (key) => includes(orders, checkOf(key)),
    signLinksUnder(keys) {
      const accepted = keys.map(checkOf);
      return checksOf('result_links').every((check) => includes(accepted, check));
    },
  };
}

/** What an api knows of the keys of running workers (decisions/0101). */
export class WorkerKeys {
  readonly #database: Database;
  readonly #log: Logger;
  readonly #sealing: Buffer | undefined;
  readonly #accepted: readonly Buffer[];
  #fault: string | null = null;

  /** @param keys those of the api */
  constructor(database: Database, { orderKeys: [sealing], resultLinkKeys }: SharedKeys, log: Logger) {
    this.#database = database;
    this.#log = log;
    this.#sealing = sealing && checkOf(sealing);
    this.#accepted = resultLinkKeys.map(checkOf);
  }

  /** True when a worker that ran within the last five minutes opens the orders that this api seals. */
  async openOrders(): Promise<boolean> {
    return this.#opens(await this.#read());
  }

  /** Not required: everything else is served. */
  readonly readiness: Readiness = {
    name: 'worker_keys',
    required: false,
    check: () => checkByAsking(async () => this.#faultOf(await this.#read())),
  };

  #opens(known: readonly WorkerKeyRow[]): boolean {
    return known.some(({ purpose, keyCheck }) => purpose === 'orders' && this.#sealing?.equals(keyCheck));
  }

  #faultOf(known: readonly WorkerKeyRow[]): string | null {
    const isRefused = ({ purpose, keyCheck }: WorkerKeyRow) =>
      purpose === 'result_links' && !this.#accepted.some((one) => one.equals(keyCheck));
    if (known.some(isRefused))
      return 'a worker signs links to results under a key that is not in RESULT_LINK_KEYS: they are refused';
    return this.#opens(known) ? null : 'no running worker has the first of ORDER_KEYS: orders are refused';
  }

  /** Logs a difference when it begins, and its end. */
  async #read(): Promise<WorkerKeyRow[]> {
    const known = await readKeysInUse(this.#database, RESTART_SECONDS);
    const fault = this.#faultOf(known);
    if (fault !== this.#fault) {
      if (fault === null) this.#log.info('worker_keys.fit');
      else this.#log.warn({ reason: fault }, 'worker_keys.differ');
      this.#fault = fault;
    }
    return known;
  }
}

/** A derived value: it opens nothing, and shows nothing of the key. */
function checkOf(key: Uint8Array): Buffer {
  return Buffer.from(deriveKey(key, PURPOSE));
}
