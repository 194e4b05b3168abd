import { clientSubject } from '../access/client-address.ts';
import type { CheckedInput } from '../bodies/input.ts';
import type { Exchange } from '../exchange.ts';
import { namesState, serialise } from '../responses/conditional-reads.ts';
import type { HoldableRoute, Route, SerialisedReply } from '../route.ts';
import type { ChangeWaits } from './change-waits.ts';
import { preferredWaitSeconds } from './wait-preference.ts';

export interface HoldDependencies {
  /** For anonymous reads, counted as their budgets are: by a valid key, otherwise by client address. */
  publicWaits: ChangeWaits;
  trustedProxyHops: number;
}

/** The reply with the seconds that were applied; null when the request was not allowed to wait. */
export interface HeldReply {
  reply: SerialisedReply;
  seconds: number | null;
}

/** True when this read can be held and the client names the bytes that it has. */
export function mayBeHeld(route: Route, { headers }: Request): route is HoldableRoute {
  return (
    route.kind === 'public-read' &&
    route.wait !== undefined &&
    headers.has('if-none-match') &&
    preferredWaitSeconds(headers.get('prefer')) !== null
  );
}

/**
 * Returns the reply when its state differs from the one in `If-None-Match`, or when the preferred time is
 * over (contract/requests#waiting-reads). Without room to wait, returns the current reply.
 */
export async function holdUnchanged(
  route: HoldableRoute,
  exchange: Exchange,
  input: CheckedInput,
  { publicWaits, trustedProxyHops }: HoldDependencies,
): Promise<HeldReply> {
  const { context } = exchange;
  const { request, startedAtMs } = context;
  const read = async (): Promise<SerialisedReply> => {
    const reply = await route.handle(input);
    return 'text' in reply ? reply : serialise(reply);
  };
  const seconds = preferredWaitSeconds(request.headers.get('prefer')) ?? 0;
  const ifNoneMatch = request.headers.get('if-none-match') ?? '';
  const recordId = route.wait.recordOf(input);
  if (recordId === null) return { reply: await read(), seconds: null };
  const client = exchange.principal?.id ?? clientSubject(context, trustedProxyHops);
  const wait = publicWaits.open(recordId, client, startedAtMs + seconds * 1_000);
  if (wait === null) return { reply: await read(), seconds: null };
  const beganAtMs = performance.now();
  try {
    let reply: SerialisedReply | null = await read();
    const { state } = reply;
    if (!namesState(ifNoneMatch, state) || route.wait.isFinal?.(input, reply) === true)
      return { reply, seconds };
    for (;;) {
      // Do not keep the reply during the wait: it may be 250 kB that no cache holds any more.
      reply = null;
      const isChanged = await wait.changed();
      reply = await publicWaits.read(read);
      if (!isChanged || reply.state !== state) return { reply, seconds };
    }
  } finally {
    wait.close();
    exchange.heldMs = performance.now() - beganAtMs;
  }
}
