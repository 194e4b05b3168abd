import type { CheckedInput } from '../bodies/input.ts';
import type { Exchange } from '../exchange.ts';
import { matchesTag } from '../responses/conditional-reads.ts';
import type { Reply, Route, WaitableReply } from '../route.ts';
import type { ChangeWaits } from './change-waits.ts';
import { preferredWaitSeconds } from './wait-preference.ts';

type WaitableRoute = Route & { kind: 'waitable-read' };

/**
 * True when the client prefers to wait and this route allows it: its response may take longer than others.
 */
export function prefersToWait(route: Route, request: Request): route is WaitableRoute {
  return route.kind === 'waitable-read' && preferredWaitSeconds(request.headers.get('prefer')) !== null;
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
  const { context, principal } = exchange;
  if (principal === undefined) throw new Error('a request without a key cannot wait');
  const { request, startedAtMs } = context;
  const read = async () => await route.handle(input, principal);
  const seconds = preferredWaitSeconds(request.headers.get('prefer'));
  if (seconds === null) return read();
  const wait = waits.open(route.recordOf(input), principal.accountId, startedAtMs + seconds * 1_000);
  if (wait === null) return read();
  const beganAtMs = performance.now();
  try {
    let reply: WaitableReply | null = await read();
    const { state } = reply;
    if (state === null || !isHeld(request.headers.get('if-none-match'), reply))
      return applied(reply, seconds);
    for (;;) {
      // Do not keep the reply during the wait: ten thousand bodies would add up.
      reply = null;
      const isChanged = await wait.changed();
      reply = await waits.read(read);
      if (!isChanged || reply.state !== state) return applied(reply, seconds);
    }
  } finally {
    wait.close();
    exchange.heldMs = performance.now() - beganAtMs;
  }
}

/** True when `If-None-Match` names this state. */
function isHeld(ifNoneMatch: string | null, { headers }: Reply): boolean {
  const etag = headers?.ETag;
  return ifNoneMatch === null || etag === undefined || matchesTag(ifNoneMatch, etag);
}

function applied({ body, headers }: WaitableReply, seconds: number): Reply {
  return { body, headers: { ...headers, 'Preference-Applied': `wait=${seconds}` } };
}
