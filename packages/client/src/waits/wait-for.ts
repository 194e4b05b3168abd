import type { Answer } from '../attempt.ts';
import { isLaunchwireError } from '../errors.ts';
import type { OperationName, Schemas } from '../operations.ts';
import { deadline, pause } from '../pause.ts';
import type { CallOptions } from '../request.ts';
import { parseRetryAfter } from '../retry.ts';
import { type ChangeFeed, type Follower, hasEnded, SILENCE_MS } from './change-feed.ts';
import { type Saw, waiting } from './waiting.ts';

/** Sends a request of any operation. */
export type Read = (
  operation: OperationName,
  parameters: Readonly<Record<string, unknown>>,
  options: CallOptions,
) => Promise<Answer>;

/** Options of a wait. */
export interface WaitOptions {
  /**
   * Ends the wait: `AbortSignal.timeout(60_000)` limits it. It has no other limit. The error keeps the name of the reason
   * (`TimeoutError`), has it as `cause`, and says what was waited for; a reason of your own is thrown as it is.
   */
  signal?: AbortSignal | undefined;
  /** How often in a row a read of the wait may fail, where the service cannot be reached; without limit by default. */
  maxRetries?: number | undefined;
}

/** A read of a wait: it outlasts temporary failures, and is not repeated sooner than the service asks for. */
export function readingOf({ signal, maxRetries = Number.POSITIVE_INFINITY }: WaitOptions): CallOptions {
  return { signal, maxRetries, maxDelayMs: Number.POSITIVE_INFINITY, timeoutMs: ATTEMPT_TIMEOUT_MS };
}

/** Seconds of `Prefer: wait`, below the limit of one attempt. */
export const HELD_SECONDS = 20;
export const ATTEMPT_TIMEOUT_MS = 30_000;
/** A request that ends sooner without a change was not held. */
export const HELD_MIN_MS = 1_000;
const POLL_SECONDS = 2;
/** The time that a stream has to open, or to reopen, before a wait holds a request. */
const OPENING_MS = 2_000;
/** A wait never depends on a stream alone, because a proxy might hold its messages back. */
const CHECK_MS = 30_000;
/** What a transaction did is known within a second or two of its confirmation, unless no node says it. */
const FACTS_MS = 10_000;

/** Returns the intent once it is `confirmed`, `failed` or `expired`. */
export function waitForIntent(
  read: Read,
  feed: ChangeFeed,
  intentId: string,
  options: WaitOptions,
): Promise<Schemas['TransactionIntent']> {
  let known: Schemas['TransactionIntent'] | undefined;
  const look = async (prefer: Record<string, string>) => {
    // With the known version, no change between two requests is missed.
    const version: Record<string, string> =
      known === undefined || prefer.Prefer === undefined ? {} : { 'If-None-Match': `"${known.version}"` };
    const headers = { ...prefer, ...version };
    const answer = await read('getTransactionIntent', { intentId }, { ...readingOf(options), headers });
    known = answer.body as Schemas['TransactionIntent'];
    return answer;
  };
  return waitForEnd<Schemas['TransactionIntent']>('intent', intentId, look, feed, options.signal);
}

/**
 * Returns the intent once `landed` says what its transaction did, or once it is known to have none: not landed, or
 * dropped by a fork.
 *
 * @param knownVersion a version that is known to be without it
 */
export function waitForLanding(
  read: Read,
  intentId: string,
  options: WaitOptions,
  knownVersion?: number,
): Promise<Schemas['TransactionIntent']> {
  return waiting(`the landing of intent ${intentId}`, options.signal, (saw) =>
    readToLanding(read, intentId, options, saw, knownVersion),
  );
}

async function readToLanding(
  read: Read,
  intentId: string,
  options: WaitOptions,
  saw: Saw,
  knownVersion: number | undefined,
): Promise<Schemas['TransactionIntent']> {
  let version = knownVersion;
  for (;;) {
    const tag: Record<string, string> = version === undefined ? {} : { 'If-None-Match': `"${version}"` };
    const headers = { Prefer: `wait=${HELD_SECONDS}`, ...tag };
    const beganAtMs = performance.now();
    const answer = await read('getTransactionIntent', { intentId }, { ...readingOf(options), headers });
    const intent = answer.body as Schemas['TransactionIntent'];
    saw(intent);
    if (hasEnded(intent) && isLandingKnown(intent)) return intent;
    const isHeld = intent.version !== version || performance.now() - beganAtMs >= HELD_MIN_MS;
    version = intent.version;
    if (!isHeld) await pause(Math.max(1, retryAfterOf(answer)) * 1000, options.signal);
  }
}

/** A service without landings shows none. */
function isLandingKnown({ landed, finality }: Schemas['TransactionIntent']): boolean {
  return landed != null || finality == null || finality === 'reverted';
}

/**
 * The confirmed intent with what its transaction did. Without that where it stays unknown, cannot be read, or the
 * signal comes first: the transaction has landed either way.
 */
export async function withLanding(
  read: Read,
  intent: Schemas['TransactionIntent'],
  options: WaitOptions,
): Promise<Schemas['TransactionIntent']> {
  if (isLandingKnown(intent)) return intent;
  const limit = deadline(FACTS_MS, options.signal);
  try {
    return await waitForLanding(read, intent.id, { ...options, signal: limit.signal }, intent.version);
  } catch (error) {
    if (limit.signal.aborted || isLaunchwireError(error)) return intent;
    throw error;
  } finally {
    limit.end();
  }
}

/** Returns the operation once it is `succeeded`, `failed` or `cancelled`. */
export function waitForOperation(
  read: Read,
  feed: ChangeFeed,
  operationId: string,
  options: WaitOptions,
): Promise<Schemas['Operation']> {
  const look = (headers: Record<string, string>) =>
    read('getOperation', { operationId }, { ...readingOf(options), headers });
  return waitForEnd<Schemas['Operation']>('operation', operationId, look, feed, options.signal);
}

type Look = (prefer: Record<string, string>) => Promise<Answer>;
type Ending = Schemas['TransactionIntent'] | Schemas['Operation'];

function waitForEnd<Body extends Ending>(
  kind: string,
  id: string,
  look: Look,
  feed: ChangeFeed,
  signal: AbortSignal | undefined,
): Promise<Body> {
  return waiting(`${kind} ${id}`, signal, async (saw) => {
    const lookAndSee: Look = async (prefer) => {
      const answer = await look(prefer);
      saw(answer.body as Body);
      return answer;
    };
    // A final record needs no stream.
    const first = (await lookAndSee({})).body as Body;
    if (hasEnded(first)) return first;
    const follower = feed.follow(id);
    try {
      return await followToEnd(first, follower, lookAndSee, feed, signal);
    } finally {
      feed.leave(id, follower);
    }
  });
}

/**
 * Reads once the stream sends every later change, so none is lost between the two. While there is no stream, holds
 * requests with `Prefer: wait`; where the service has no room for that, or lets go at once because it is going to stop,
 * asks again after `Retry-After`.
 */
async function followToEnd<Body extends Ending>(
  first: Body,
  follower: Follower,
  look: Look,
  feed: ChangeFeed,
  signal: AbortSignal | undefined,
): Promise<Body> {
  let newest = first;
  /**
   * `feed.gaps` when the record was last read with a live stream: until that grows, the stream has sent every change
   * since.
   */
  let readIn: number | undefined;
  let checkAtMs = 0;
  let heldFromMs = performance.now() + OPENING_MS;
  for (;;) {
    signal?.throwIfAborted();
    // A stream leaves out the transaction to be signed, which never changes.
    if (follower.ended !== undefined) return { ...newest, ...follower.ended };
    const nowMs = performance.now();
    if (feed.isLive) {
      heldFromMs = nowMs + OPENING_MS;
      if (readIn === feed.gaps && nowMs < checkAtMs) {
        await follower.happens(Math.min(SILENCE_MS, checkAtMs - nowMs), signal);
        continue;
      }
      readIn = feed.gaps;
      checkAtMs = nowMs + CHECK_MS;
      newest = (await look({})).body as Body;
    } else if (feed.isOpening && nowMs < heldFromMs) {
      await follower.happens(heldFromMs - nowMs, signal);
      continue;
    } else {
      feed.reopen();
      const before = stateOf(newest);
      const answer = await look({ Prefer: `wait=${HELD_SECONDS}` });
      newest = answer.body as Body;
      const isNew = stateOf(newest) !== before;
      const isHeld =
        answer.headers.has('Preference-Applied') && (isNew || performance.now() - nowMs >= HELD_MIN_MS);
      if (!isHeld && !hasEnded(newest))
        await follower.happens(Math.max(1, retryAfterOf(answer)) * 1000, signal);
    }
    if (hasEnded(newest)) return newest;
  }
}

function stateOf(record: Ending): string {
  return 'version' in record ? `${record.status} ${record.version}` : record.status;
}

function retryAfterOf({ headers }: Answer): number {
  return parseRetryAfter(headers.get('Retry-After'), Date.now()) ?? POLL_SECONDS;
}
