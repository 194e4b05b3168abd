import type { ChainRpc } from '../chain/rpc.ts';
import type { WireVersion } from '../chain/transactions/compile-transaction.ts';
import { ownNodes } from '../chain/transactions/own-nodes.ts';
import {
  automaticPriority,
  type PriceDependencies,
  type PriorityChoice,
  priorityLamports,
  type RequestedPriority,
  requestedPriority,
  statedPriorityLamports,
} from '../chain/transactions/priority.ts';
import type { Tip, TipSource } from '../chain/transactions/tip.ts';
import type { SendRoute } from '../db/values/transaction-intents.ts';
import { type FieldError, Problem } from '../shared/problem.ts';
import type { RouteAndLevel } from './composed-intent.ts';
import type { Sending } from './sending-schema.ts';

/** How a request wants its transaction sent and what it offers for that. */
export interface SendingOrder {
  route: SendRoute;
  priority: PriorityChoice;
  /** Null for the operator's default. */
  tipLamports: bigint | null;
}

export interface SendingDependencies extends Pick<PriceDependencies, 'maxComputeUnitPrice'> {
  tips: TipSource;
  /** Whether an address is marked as protected. */
  hasProtectedAddress: boolean;
}

/** For a request that chooses nothing: the fast route, the automatic priority and the default tip. */
export const automaticSending: SendingOrder = {
  route: 'fast',
  priority: automaticPriority,
  tipLamports: null,
};

/** The fields of a request; its schema has checked their form. */
export interface RequestedSending extends RequestedPriority {
  route?: SendRoute | undefined;
  tipLamports?: string | undefined;
}

export function requestedSending({
  route = 'fast',
  tipLamports,
  ...priority
}: RequestedSending): SendingOrder {
  return {
    route,
    priority: requestedPriority(priority),
    tipLamports: tipLamports === undefined ? null : BigInt(tipLamports),
  };
}

/**
 * The tip of an order, or the problem that refuses it: `validation_failed` for a price or tip beyond the
 * operator's bounds, `send_route_unavailable` for a route without an address.
 */
export function takeTip(order: SendingOrder, dependencies: SendingDependencies): Tip | Problem | null {
  const { route, priority, tipLamports } = order;
  const { maxComputeUnitPrice, tips, hasProtectedAddress } = dependencies;
  if (route === 'protected' && !hasProtectedAddress)
    return new Problem('send_route_unavailable', { context: { route } });
  if (priority.price !== null && priority.price > maxComputeUnitPrice)
    return refusedField('computeUnitPrice', `at most ${maxComputeUnitPrice} micro-lamports per compute unit`);
  if (tipLamports === null) return tips.next(route, tips.terms.defaultLamports);
  const { leastLamports, mostLamports } = tips.terms;
  if (!tips.isPossible(route)) {
    if (tipLamports === 0n) return null;
    return refusedField('tipLamports', 'must be 0: no landing service of this route takes tips');
  }
  if (tipLamports < leastLamports || tipLamports > mostLamports)
    return refusedField('tipLamports', `must be from ${leastLamports} to ${mostLamports} lamports`);
  return tips.next(route, tipLamports);
}

/**
 * Dependencies whose nodes may see the transaction: a protected one is simulated at the operator's own nodes
 * alone.
 */
export function atNodesOf<Dependencies extends { rpcs: readonly ChainRpc[] }>(
  { route }: SendingOrder,
  dependencies: Dependencies,
): Dependencies {
  return route === 'fast' ? dependencies : { ...dependencies, rpcs: ownNodes(dependencies.rpcs) };
}

/** What is stored with the intent. */
export function storedSending({ route, priority }: SendingOrder): RouteAndLevel {
  return { sendRoute: route, priorityLevel: priority.level };
}

/** What a response says about it. */
export function toSending(
  { route, priority }: SendingOrder,
  built: { version: WireVersion; computeUnitLimit: number; computeUnitPrice: bigint },
  tip: Tip | null,
): Sending {
  const lamports = built.version === 'v1' ? statedPriorityLamports(built) : priorityLamports(built);
  return {
    route,
    priorityLevel: priority.level,
    computeUnitPrice: String(built.computeUnitPrice),
    computeUnitLimit: built.computeUnitLimit,
    priorityFeeLamports: String(lamports),
    tipLamports: String(tip?.lamports ?? 0n),
    tipService: tip?.service ?? null,
  };
}

function refusedField(field: string, message: string): Problem {
  const error: FieldError = { path: `/body/${field}`, code: 'out_of_range', message };
  return new Problem('validation_failed', { errors: [error] });
}
