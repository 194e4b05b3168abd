import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { RedisClient } from 'bun';
import { readNamedFile } from '../../shared/configuration-error.ts';
import { scriptRefusal } from './limiter-script.ts';
import { clientOptions, type RedisAccess } from './redis-connection.ts';

const TIMEOUT_MS = 2_000;
const DEFAULT_PORT = 6379;
/** The first replies of a server are lines of a few words. */
const REPLY_BYTES_MAX = 1_024;

export interface RedisFault {
  /** A sentence without words of the server or the system. */
  detail: string;
  /** Only a fault in the server itself may end by waiting. */
  lies: 'in_login' | 'in_rights' | 'in_certificate' | 'in_server';
}

/**
 * Logs in and counts once as the limiter does, on connections of its own. Resolves to null when that works.
 */
export async function redisFault(access: RedisAccess): Promise<RedisFault | null> {
  const refusal = await loginRefusal(access);
  if (refusal !== null) return { detail: redisRefusals[refusal], lies: PLACES[refusal] ?? 'in_server' };
  const client = new RedisClient(access.redisUrl, clientOptions(access));
  try {
    await client.connect();
    const refused = await scriptRefusal((command, args) => client.send(command, args));
    return refused && { detail: refused.detail, lies: refused.isRight ? 'in_rights' : 'in_server' };
  } catch {
    return { detail: redisRefusals.unusable, lies: 'in_server' };
  } finally {
    client.close();
  }
}

/**
 * Logs in and pings once on a connection of its own, because the client of Bun 1.4.4 only reports a closed
 * connection. Resolves to null when the server responds, else to the refusal.
 */
export async function loginRefusal({ redisUrl, redisCaFile }: RedisAccess): Promise<RedisRefusal | null> {
  const { protocol, hostname, port, username, password } = new URL(redisUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  const address = { host, port: Number(port) || DEFAULT_PORT };
  const login = [...(username === '' ? [] : [username]), password].map(decodeURIComponent);
  const commands = [...(password === '' ? [] : [['AUTH', ...login]]), ['PING']];
  const ca = redisCaFile === undefined ? {} : { ca: readNamedFile('REDIS_CA_FILE', redisCaFile) };
  // TLS takes only a host name as server name, never an address.
  const servername = isIP(host) === 0 ? { servername: host } : {};
  const socket =
    protocol === 'rediss:' ? connectTls({ ...address, ...ca, ...servername }) : connectPlain(address);
  try {
    return await conversation(socket, commands);
  } catch (error) {
    return reasonOf(error);
  } finally {
    socket.destroy();
  }
}

/** Reasons why Redis cannot be used, in the words of doctor, `/readyz` and the log. */
export const redisRefusals = {
  login_refused: 'it refuses user or password',
  ping_refused: 'its user may not run PING (NOPERM)',
  host_unknown: 'its host cannot be found',
  connection_refused: 'it refuses connections',
  certificate_refused: 'its certificate is not accepted',
  silent: 'it does not answer in time',
  unusable: 'it does not answer as Redis does',
} as const;
export type RedisRefusal = keyof typeof redisRefusals;

const PLACES: Partial<Record<RedisRefusal, RedisFault['lies']>> = {
  login_refused: 'in_login',
  ping_refused: 'in_rights',
  certificate_refused: 'in_certificate',
};

const REFUSED_LOGIN = /^-(?:WRONGPASS|NOAUTH|ERR invalid password|ERR AUTH)/;

function conversation(socket: Socket, commands: readonly string[][]): Promise<RedisRefusal | null> {
  return new Promise((resolve, reject) => {
    let reply = '';
    // A socket timeout does not run during a TLS handshake (Bun 1.4.4), and a server without TLS never
    // answers one.
    const timer = setTimeout(() => resolve('silent'), TIMEOUT_MS);
    socket.on('error', reject);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve('unusable');
    });
    socket.on('data', (bytes: Buffer) => {
      reply += bytes.toString('latin1');
      const lines = reply.split('\r\n').slice(0, -1);
      if (lines.some((line) => REFUSED_LOGIN.test(line))) resolve('login_refused');
      else if (lines.some((line) => line.startsWith('-NOPERM'))) resolve('ping_refused');
      else if (lines.some((line) => !line.startsWith('+')) || reply.length > REPLY_BYTES_MAX)
        resolve('unusable');
      else if (lines.length === commands.length) resolve(null);
    });
    socket.write(commands.map(encoded).join(''));
  });
}

/** Encodes a command for RESP: an array of strings with their lengths in bytes. */
function encoded(words: readonly string[]): string {
  const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
  return `*${words.length}\r\n${parts.join('')}`;
}

const UNKNOWN_HOST = new Set(['ENOTFOUND', 'EAI_AGAIN']);
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ECONNRESET']);

function reasonOf(error: unknown): RedisRefusal {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (UNKNOWN_HOST.has(code)) return 'host_unknown';
  if (NOT_CONNECTED.has(code)) return 'connection_refused';
  if (code === 'ETIMEDOUT') return 'silent';
  return /CERT|TLS|SSL|SIGNED|ISSUER|VERIFY|ALTNAME/.test(code) ? 'certificate_refused' : 'unusable';
}
