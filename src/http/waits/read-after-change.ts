import type { CheckedInput } from '../bodies/input.ts';
import type { Exchange } from '../exchange.ts';
import { matchesTag } from '../responses/conditional-reads.ts';
import type { AwaitedRecord, Reply, Route, WaitableReply } from '../route.ts';
import type { ChangeWaits } from './change-waits.ts';
import { preferredWaitSeconds } from './wait-preference.ts';

type WaitableRoute = Route & { kind: 'waitable-read' };

/**
 * True when the client prefers to wait and this route allows it: its response may take longer than others.
 */
export function prefersToWait(route: Route, request: Request): boolean {
  const isWaitable =
    route.kind === 'waitable-read' || (route.kind === 'mutation' && route.wait !== undefined);
  return isWaitable && preferredWaitSeconds(request.headers.get('prefer')) !== null;
}

/**
 * Returns the reply when its state differs from the first one read or from the one in `If-None-Match`, when
 * it cannot change any more, or when the preferred time is over (contract/requests#waiting). Without room to
 * wait, returns the current reply. A client that disconnects keeps its place until its time is over: noticing
 * it would take 3.4 kB a request.
 */
export async function readAfterChange(
  route: WaitableRoute,
  exchange: Exchange,
  input: CheckedInput,
  waits: ChangeWaits,
): Promise<Reply> {
  const { principal, context } = exchange;
  if (principal === undefined) throw new Error('a request without a key cannot wait');
  const record = {
    recordId: route.recordOf(input),
    read: () => route.handle(input, principal),
  };
  const held = await holdRecord(record, exchange, context.request.headers.get('if-none-match'), waits);
  return held ?? record.read();
}

/**
 * Waits until the record has another state than the one with this ETag, cannot change any more, or the
 * preferred time is over. Within that time it also waits for what comes a moment after the new state and belongs to it.
 * Null without the preference or without room. Nothing but memory is held meanwhile.
 *
 * @param etag the state that the client has; null for the first one read
 */
export async function holdRecord(
  { recordId, read }: AwaitedRecord,
  exchange: Exchange,
  etag: string | null,
  waits: ChangeWaits,
): Promise<Reply | null> {
  const { context, principal } = exchange;
  const seconds = preferredWaitSeconds(context.request.headers.get('prefer'));
  if (seconds === null || principal === undefined) return null;
  const wait = waits.open(recordId, principal.accountId, context.startedAtMs + seconds * 1_000);
  if (wait === null) return null;
  const beganAtMs = performance.now();
  try {
    let reply: WaitableReply | null = await read();
    let { state } = reply;
    let isAnswer =
      state === null || !clientHasState(etag, reply) || (reply.waitsFromTagAlone === true && etag === null);
    for (;;) {
      if (isAnswer) {
        if (reply.moreWithinMs === undefined) return applied(reply, seconds);
        wait.endWithin(reply.moreWithinMs);
        ({ state } = reply);
      }
      // Do not keep the reply during the wait: ten thousand bodies would add up.
      reply = null;
      const isChanged = await wait.changed();
      reply = await waits.read(read);
      if (!isChanged) return applied(reply, seconds);
      isAnswer = reply.state !== state;
    }
  } finally {
    wait.close();
    exchange.heldMs = performance.now() - beganAtMs;
  }
}

function clientHasState(known: string | null, { headers }: Reply): boolean {
  const etag = headers?.ETag;
  return known === null || etag === undefined || matchesTag(known, etag);
}

function applied({ body, headers }: WaitableReply, seconds: number): Reply {
  return { body, headers: { ...headers, 'Preference-Applied': `wait=${seconds}` } };
}
