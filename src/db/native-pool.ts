import { SQL } from 'bun';
import postgres from 'postgres';
import { postgresHosts } from '../shared/postgres-url.ts';
import { type DatabaseAccess, driverAccess } from './access.ts';
import type { DatabaseOptions } from './client.ts';
import { DatabaseHealth } from './health.ts';
import { databaseLimits, defaultPatience, sessionSettings, silenceMs } from './limits.ts';
import { ConnectionFailure, driverError, isOutage } from './native-failure.ts';
import { driverRows } from './native-rows.ts';
import { settingsOf } from './session-settings.ts';

/** While the server cannot be reached, one statement in this time tries again, and the others fail at once. */
const RETRY_MS = 250;
const FIND_PRIMARY = `
  select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as "isStandby"`;

interface Pending {
  sinceTick: number;
  fail(error: unknown): void;
}

/**
 * A pool of Bun's client for statements that need no session. The client opens lost connections again in
 * silence, which such statements do not notice. What it lacks is here: an end for a server that is silent, the
 * choice among several hosts, and quick failures while the server is away.
 */
export class NativePool {
  readonly #options: SQL.Options;
  readonly #hosts: readonly { host: string; port: number }[];
  readonly #health: DatabaseHealth;
  readonly #ticksMax: number;
  readonly #watch: NodeJS.Timeout;
  /** Oldest first. */
  readonly #pending = new Set<Pending>();
  #hostAt = 0;
  #client: SQL | null = null;
  /** Where there are several hosts: settles when `#client` leads to one that accepts writes. Null after a lost connection. */
  #found: Promise<void> | null = null;
  #isSearching = false;
  #outage: { error: unknown; retryAtMs: number; isTried: boolean } | null = null;
  #ticks = 0;
  #hasEnded = false;

  constructor(access: DatabaseAccess | string, options: DatabaseOptions) {
    const { limits = databaseLimits.admin, patience = defaultPatience } = options;
    const silentAfterMs = silenceMs(limits, patience);
    if (silentAfterMs === undefined) throw new Error('its statements must have a limit');
    const databaseUrl = typeof access === 'string' ? access : access.databaseUrl;
    this.#hosts = postgresHosts(databaseUrl).hosts;
    this.#options = optionsOf(driverAccess(access), options, patience.connectMs / this.#hosts.length);
    this.#health = options.health ?? new DatabaseHealth(options.log);
    // Ticks instead of times: a process that was itself stopped for long does not blame the server for it.
    this.#ticksMax = Math.ceil(silentAfterMs / patience.checkEveryMs) + 1;
    this.#watch = setInterval(() => this.#endSilence(), patience.checkEveryMs).unref();
  }

  /** Rejects with errors as those of the driver. */
  run(text: string, parameters: unknown[]): Promise<unknown> {
    const outage = this.#outage;
    if (this.#hasEnded) return Promise.reject(hasEnded());
    if (outage !== null) {
      if (outage.isTried || performance.now() < outage.retryAtMs) return Promise.reject(outage.error);
      outage.isTried = true;
    }
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const pending: Pending = { sinceTick: this.#ticks, fail: reject };
    this.#pending.add(pending);
    const send = () => this.#current().unsafe(text, parameters);
    const sent = this.#hosts.length === 1 ? send() : this.#findPrimary().then(send);
    sent.then(driverRows).then(
      (rows) => {
        this.#pending.delete(pending);
        this.#outage = null;
        resolve(rows);
      },
      (error: unknown) => {
        // The end of a silence has rejected it before.
        if (this.#pending.delete(pending)) reject(this.#note(driverError(error)));
      },
    );
    return promise;
  }

  /** @param timeout seconds for the statements under way */
  async end(timeout: number): Promise<void> {
    this.#hasEnded = true;
    clearInterval(this.#watch);
    await this.#client?.close({ timeout });
  }

  #current(): SQL {
    if (this.#hasEnded) throw hasEnded();
    this.#client ??= this.#open();
    return this.#client;
  }

  #open(): SQL {
    const { host, port } = this.#hosts[this.#hostAt] ?? {};
    const client: SQL = new SQL({
      ...this.#options,
      hostname: host,
      port,
      onclose: () => {
        if (client === this.#client) this.#forgetPrimary();
      },
    } as SQL.Options);
    return client;
  }

  #findPrimary(): Promise<void> {
    if (this.#found === null) {
      this.#isSearching = true;
      this.#found = this.#tryHosts().finally(() => {
        this.#isSearching = false;
      });
      this.#found.catch(() => this.#forgetPrimary());
    }
    return this.#found;
  }

  /** A search that is under way goes on: it meets the loss itself. */
  #forgetPrimary(): void {
    if (!this.#isSearching) this.#found = null;
  }

  /** Leaves a host that cannot be reached or is a standby; stays with the last one tried. */
  async #tryHosts(): Promise<void> {
    let failure: unknown;
    for (let tries = 0; tries < this.#hosts.length; tries += 1) {
      const client = this.#current();
      try {
        const [server] = await client.unsafe(FIND_PRIMARY);
        if (server.isStandby === false) return;
        failure = new ConnectionFailure('SERVER_IS_STANDBY', 'the server is a standby or read-only');
      } catch (error) {
        failure = error;
      }
      if (client === this.#client) this.#leave();
    }
    throw failure;
  }

  #leave(): void {
    const client = this.#client;
    this.#client = null;
    this.#hostAt = (this.#hostAt + 1) % this.#hosts.length;
    client?.close({ timeout: 0 });
  }

  #endSilence(): void {
    this.#ticks += 1;
    const [oldest] = this.#pending;
    if (oldest === undefined || oldest.sinceTick > this.#ticks - this.#ticksMax) return;
    const error = this.#note(new ConnectionFailure('SERVER_SILENT', 'the server does not respond'));
    const silent = [...this.#pending];
    this.#pending.clear();
    this.#leave();
    this.#forgetPrimary();
    for (const { fail } of silent) fail(error);
  }

  #note(error: unknown): unknown {
    this.#health.note(error);
    this.#outage = isOutage(error)
      ? { error, retryAtMs: performance.now() + RETRY_MS, isTried: false }
      : null;
    return error;
  }
}

const hasEnded = () => new ConnectionFailure('CONNECTION_ENDED', 'the pool has ended');

type Access = ReturnType<typeof driverAccess>;

function optionsOf({ url, ssl }: Access, options: DatabaseOptions, connectMs: number): SQL.Options {
  const { applicationName, connections, role, limits = databaseLimits.admin } = options;
  const { genericPlans = false, indexesOnly = false } = options;
  const { username, password, pathname, searchParams } = new URL(url);
  return {
    adapter: 'postgres',
    // Each by name: variables of the environment have precedence over parts of a URL.
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
    tls: ssl === false ? 'disable' : { rejectUnauthorized: true, ...ssl },
    max: connections,
    connectionTimeout: connectMs / 1000,
    bigint: true,
    transform: { column: { from: postgres.toCamel } },
    connection: {
      ...sessionSettings,
      ...settingsOf({ limits, genericPlans, indexesOnly }),
      ...(role === undefined ? {} : { role }),
      application_name: applicationName,
      ...Object.fromEntries(searchParams),
    },
  } as SQL.Options;
}
