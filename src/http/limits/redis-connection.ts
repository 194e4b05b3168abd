import { RedisClient, type RedisOptions } from 'bun';
import { readNamedFile } from '../../shared/configuration-error.ts';
import type { Logger } from '../../shared/log.ts';

const CONNECT_TIMEOUT_MS = 2_000;
const PAUSE_MS = 250;

/** Access to the server; the fields are those of the configuration. */
export interface RedisAccess {
  /** May hold `user:password@` or `:password@`; `rediss:` requires an encrypted connection. */
  redisUrl: string;
  redisCaFile?: string | undefined;
}

export interface RedisConnection {
  /** Sends a command; rejects immediately while there is no connection. */
  send(command: string, args: string[]): Promise<unknown>;
  close(): void;
}

/**
 * One connection, one attempt. A command fails at once while disconnected: its response would come too late
 * anyway.
 */
export function clientOptions({ redisCaFile }: RedisAccess): RedisOptions {
  return {
    ...(redisCaFile === undefined ? {} : { tls: { ca: readNamedFile('REDIS_CA_FILE', redisCaFile) } }),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    autoReconnect: false,
    enableOfflineQueue: false,
  };
}

/**
 * A connection that reconnects by itself. Every connection is a new client, because a `RedisClient` whose
 * attempt timed out (an unreachable host, or this process busy at start-up) never tries again (Bun 1.4.4).
 */
export function connectRedis(access: RedisAccess, log: Logger): RedisConnection {
  const options = clientOptions(access);
  let client: RedisClient;
  let isClosed = false;
  let pause: Timer | undefined;

  function open(): void {
    const opened = new RedisClient(access.redisUrl, options);
    client = opened;
    let isOver = false;
    const reopen = (event: string, err?: unknown) => {
      if (isOver || isClosed) return;
      isOver = true;
      log.warn({ err }, event);
      opened.close();
      pause = setTimeout(open, PAUSE_MS);
    };
    opened.onconnect = () => log.info('redis.connected');
    opened.onclose = (err) => reopen('redis.disconnected', err);
    opened.connect().catch((err: unknown) => reopen('redis.unreachable', err));
  }

  open();
  return {
    send: (command, args) => client.send(command, args),
    close() {
      isClosed = true;
      clearTimeout(pause);
      client.close();
    },
  };
}
