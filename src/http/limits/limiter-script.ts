import { createHash } from 'node:crypto';
import type { RateLimit } from '../../shared/rate-policies.ts';

/**
 * Sends a command and resolves to its reply; rejects with the error of the server, or when there is no
 * connection.
 */
export type SendCommand = (command: string, args: string[]) => Promise<unknown>;

const KEY_PREFIX = 'launchwire:rate:';

/**
 * `gcra` on the server, in microseconds of the server's own clock, so that all api processes share one budget
 * and one clock. ARGV: window, limit, and the number to take, or -1 to give one back. Returns whether it is
 * allowed and how far the arrival time is ahead.
 */
const SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local window = tonumber(ARGV[1])
local interval = window / tonumber(ARGV[2])
local current = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now)
local taken = interval * math.min(tonumber(ARGV[3]), tonumber(ARGV[2]))
local allowed = current + taken - window - now <= interval * 0.000001 + 1
local stored = current
if ARGV[3] == '-1' then
  stored = math.max(current - interval, now)
elseif allowed then
  stored = current + taken
end
if stored > now then
  redis.call('SET', KEYS[1], string.format('%.3f', stored), 'PX', math.ceil((stored - now) / 1000))
else
  redis.call('DEL', KEYS[1])
end
return { allowed and 1 or 0, string.format('%.0f', stored - now) }`;
const SCRIPT_SHA = createHash('sha1').update(SCRIPT).digest('hex');

/**
 * A harmless call of each command: a server that refuses a script does not name the command that it refused.
 */
const TRIALS: Readonly<Record<string, (key: string) => string[]>> = {
  EVALSHA: () => ['0'.repeat(40), '0'],
  EVAL: () => ['return 1', '0'],
  TIME: () => [],
  GET: (key) => [key],
  SET: (key) => [key, '0', 'PX', '1'],
  DEL: (key) => [key],
};

/**
 * Lists the commands that the limiter sends, itself and within its script. Throws for a script command
 * without a trial.
 */
export function limiterCommands(): string[] {
  const called = [...SCRIPT.matchAll(/redis\.call\('([A-Z]+)'/g)].map(([, name = '']) => name);
  const untried = called.find((name) => TRIALS[name] === undefined);
  if (untried !== undefined) throw new Error(`the command ${untried} of the script has no trial`);
  return ['EVALSHA', 'EVAL', ...new Set(called)];
}

/** Takes `tokens` from the budget of a key, or gives one back with -1: one round trip. */
export async function countInRedis(
  send: SendCommand,
  key: string,
  { limit, windowSeconds }: RateLimit,
  tokens: number,
): Promise<{ isAllowed: boolean; aheadMs: number }> {
  const args = ['1', KEY_PREFIX + key, String(windowSeconds * 1_000_000), String(limit), String(tokens)];
  const [allowed, aheadUs] = await runScript(send, args);
  return { isAllowed: Number(allowed) === 1, aheadMs: Number(aheadUs) / 1000 };
}

/** Runs EVALSHA, and EVAL once after a server lost its script cache. */
async function runScript(send: SendCommand, args: string[]): Promise<[number, string]> {
  try {
    return (await send('EVALSHA', [SCRIPT_SHA, ...args])) as [number, string];
  } catch (error) {
    if (!messageOf(error).includes('NOSCRIPT')) throw error;
    return (await send('EVAL', [SCRIPT, ...args])) as [number, string];
  }
}

/**
 * Longer than the probe may take, so that giving back finds the taken request: the script then runs each of
 * its commands.
 */
const PROBE = { limit: 1, windowSeconds: 10 } as const;

export interface ScriptRefusal {
  /** A sentence without words of the server. */
  detail: string;
  /** True when the Redis user lacks a right: waiting does not help. */
  isRight: boolean;
}

/**
 * Counts once as the limiter does, and runs every command of the script. It uses a key of its own, which it
 * deletes or lets expire. Resolves to null when that works, else to the refusal. Rejects when the server does
 * not respond.
 */
export async function scriptRefusal(send: SendCommand): Promise<ScriptRefusal | null> {
  const key = `probe:${crypto.randomUUID()}`;
  try {
    await countInRedis(send, key, PROBE, 1);
    await countInRedis(send, key, PROBE, -1);
    return null;
  } catch (error) {
    const message = messageOf(error);
    if (RIGHTS_MISSING.test(message)) return { detail: await missingRights(send, key), isRight: true };
    const known = REFUSALS.find(([pattern]) => pattern.test(message));
    if (known === undefined && !isReply(error)) throw error;
    return { detail: known?.[1] ?? 'it refuses the script of the limiter', isRight: false };
  }
}

/** Errors of Redis for a command sent alone and for one that a script calls (Redis 7.0 and later). */
const RIGHTS_MISSING = /NOPERM|can't run this command|can't access at least one of the keys|ACL failure/;
const REFUSALS: readonly [RegExp, string][] = [
  [/READONLY/, 'it is a replica, which accepts no writes'],
  [/OOM/, 'its memory is full and nothing is evicted'],
  [/MISCONF/, 'it cannot save to its disk and so accepts no writes'],
  [/LOADING/, 'it starts'],
  [/BUSY/, 'another script keeps it busy'],
];

/** Tries the commands of the limiter one by one. */
async function missingRights(send: SendCommand, key: string): Promise<string> {
  const trials = limiterCommands().map(async (command) => {
    const message = await send(command, TRIALS[command]?.(KEY_PREFIX + key) ?? []).then(() => '', messageOf);
    if (!RIGHTS_MISSING.test(message)) return [];
    return [/keys/.test(message) ? `${command} on keys below ${KEY_PREFIX}` : command];
  });
  const missing = (await Promise.all(trials)).flat();
  return missing.length === 0
    ? 'its user lacks a right that the script of the limiter needs'
    : `its user may not run ${missing.join(', ')} (NOPERM)`;
}

/** True for an error that the server sent, false for one that the client raised about the connection. */
function isReply(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_REDIS_SERVER_ERROR';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
