import type { BusAccess } from '../shared/bus/access.ts';
import { connectBus, type NatsConnection } from '../shared/bus/connect.ts';
import { logConnection } from '../shared/bus/log-connection.ts';
import { pingBroker } from '../shared/bus/round-trip.ts';
import type { Hint, HintOf, SentHint } from '../shared/bus/topology.ts';
import { busRefusal } from '../shared/bus/until-bus.ts';
import type { ConfigurationError } from '../shared/configuration.ts';
import type { Logger } from '../shared/log.ts';
import { untilReachable } from '../shared/process.ts';

/** Hints between processes, for a process that must work without the bus (the api). */
export interface HintChannel {
  /**
   * Sends hints at once if the bus is connected, each hint at most once every few milliseconds. A lost hint
   * costs at most a poll interval. Never throws.
   */
  send(...hints: SentHint[]): void;
  /** Calls `onHint` with the payload of each hint. */
  subscribe(hint: Hint, onHint: (payload: string) => void): void;
  /** Calls `onGap` after a reconnect, because hints may have been missed. */
  onGap(onGap: () => void): void;
  isConnected(): boolean;
  /**
   * Resolves after the first attempt to connect: to the error that should end the process when the broker
   * refuses its login, else to null.
   */
  loginRefusal(): Promise<ConfigurationError | null>;
  /**
   * Resolves when the broker has responded; rejects without a connection, or when the broker refuses
   * something. It has no timeout of its own.
   */
  ask(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Each write to the bus costs up to 140 µs here (measured at 200 submissions a second) and a query in the
 * receiver, whatever its number of hints.
 */
const PAUSE_MS = 5;

/** Connects in the background and retries for ever; the caller need not wait. */
export function openHintChannel(access: BusAccess | string, name: string, log: Logger): HintChannel {
  let connection: NatsConnection | undefined;
  let connected = false;
  const closing = new AbortController();
  const subscriptions: [Hint, (payload: string) => void][] = [];
  const gapListeners: (() => void)[] = [];
  /** Waiting hints by subject and payload: equal ones are sent once. */
  const waiting = new Map<string, HintOf>();
  let publishedAtMs = Number.NEGATIVE_INFINITY;

  /** The failure of the last attempt, until there is a connection. */
  let failure: unknown = null;
  const firstAttempt = Promise.withResolvers<ConfigurationError | null>();

  async function attempt(): Promise<NatsConnection> {
    try {
      const made = await connectBus(access, name);
      firstAttempt.resolve(null);
      return made;
    } catch (error) {
      failure = error;
      firstAttempt.resolve(busRefusal(error));
      throw error;
    }
  }

  async function run(): Promise<void> {
    connection = await untilReachable('nats', attempt, { log, signal: closing.signal });
    if (closing.signal.aborted) return connection.close();
    connected = true;
    const logged = logConnection(connection, log);
    for (const [hint, onHint] of subscriptions) listen(connection, hint, onHint);
    for (const onGap of gapListeners) onGap();
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') connected = false;
      else if (status.type === 'reconnect') {
        connected = true;
        for (const onGap of gapListeners) onGap();
      }
    }
    connected = false;
    await logged;
  }
  run().catch((err) => {
    if (!closing.signal.aborted) log.error({ err }, 'bus.failed');
  });

  function publishWaiting(): void {
    publishedAtMs = performance.now();
    const published = connected && connection?.isClosed() === false;
    for (const { hint, payload } of waiting.values()) if (published) connection?.publish(hint, payload);
    waiting.clear();
  }

  return {
    send(...hints) {
      if (!connected) return;
      if (waiting.size === 0) {
        if (performance.now() - publishedAtMs >= PAUSE_MS) setImmediate(publishWaiting);
        else setTimeout(publishWaiting, PAUSE_MS);
      }
      for (const each of hints) {
        const { hint, payload } = typeof each === 'string' ? { hint: each, payload: '' } : each;
        waiting.set(`${hint} ${payload}`, { hint, payload });
      }
    },
    subscribe(hint, onHint) {
      subscriptions.push([hint, onHint]);
      if (connection !== undefined) listen(connection, hint, onHint);
    },
    onGap(onGap) {
      gapListeners.push(onGap);
    },
    isConnected: () => connected,
    async ask() {
      if (connection === undefined && failure !== null) throw failure;
      await pingBroker(connection);
    },
    loginRefusal: () => firstAttempt.promise,
    async close() {
      closing.abort();
      firstAttempt.resolve(null);
      await connection?.close();
    },
  };
}

function listen(connection: NatsConnection, hint: Hint, onHint: (payload: string) => void): void {
  connection.subscribe(hint, {
    callback: (error, message) => {
      if (error === null) onHint(message.string());
    },
  });
}
