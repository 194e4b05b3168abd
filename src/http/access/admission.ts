import { accountClient } from '../../shared/gate.ts';
import { Problem } from '../../shared/problem.ts';
import {
  authenticationFailures,
  type RateLimit,
  type RatePolicyName,
  unmatchedPolicy,
} from '../../shared/rate-policies.ts';
import { requireScopes } from '../../shared/require-scopes.ts';
import type { AnyExchange, Exchange } from '../exchange.ts';
import type { RateDecision } from '../limits/gcra.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import { rememberQueries } from '../remember-queries.ts';
import type { RequestContext } from '../request-context.ts';
import type { RouteDefinition } from '../route.ts';
import {
  type AuthenticationDependencies,
  authenticate,
  type GuessLimit,
  type Principal,
  recognise,
} from './authentication.ts';
import { clientSubject } from './client-address.ts';

export interface AdmissionDependencies extends AuthenticationDependencies {
  limiter: RateLimiter;
  rateLimits: Readonly<Record<RatePolicyName, RateLimit>>;
  trustedProxyHops: number;
}

/**
 * Rate-limits an anonymous request by its client address. Throws `rate_limit_exceeded`. Returns a promise
 * only when the limiter is remote: a cached read then needs none.
 */
export function admitAnonymous(
  exchange: Exchange,
  dependencies: AdmissionDependencies,
): RateDecision | Promise<RateDecision> {
  const subject = clientSubject(exchange.context, dependencies.trustedProxyHops);
  exchange.client = { name: subject, isKeyed: false };
  return takeFromBudget(exchange, exchange.definition.ratePolicy, subject, dependencies);
}

/**
 * Rate-limits an anonymous read: by its key when it carries a valid one, otherwise by its client address
 * (contract/rate-limits#keys-on-public-reads). No key refuses such a read.
 */
export function admitReader(
  exchange: Exchange,
  dependencies: AdmissionDependencies,
): RateDecision | Promise<RateDecision> {
  const { context, definition } = exchange;
  const header = context.request.headers.get('authorization');
  if (header === null) return admitAnonymous(exchange, dependencies);
  const admit = (key: Principal | null) => {
    if (key === null) return admitAnonymous(exchange, dependencies);
    exchange.principal = key;
    exchange.client = accountClient(key.accountId);
    dependencies.keys.noteUse?.(key.id);
    return takeFromBudget(exchange, definition.ratePolicy, key.id, dependencies);
  };
  const key = recognise(header, guessLimit(context, dependencies), dependencies);
  return key instanceof Promise ? key.then(admit) : admit(key);
}

/** Rate-limits a request that matches no operation by its client address (contract/rate-limits#unmatched). */
export function admitUnmatched(
  exchange: AnyExchange,
  dependencies: AdmissionDependencies,
): RateDecision | Promise<RateDecision> {
  const subject = clientSubject(exchange.context, dependencies.trustedProxyHops);
  exchange.ratePolicy = unmatchedPolicy;
  return takeFromBudget(exchange, unmatchedPolicy, subject, dependencies);
}

/**
 * Authenticates, checks scopes, then rate-limits by key (contract/requests#order-authentication). Returns a
 * promise only when the key is not known or the limiter is remote.
 */
export function admitKey(
  exchange: Exchange,
  dependencies: AdmissionDependencies,
): Principal | Promise<Principal> {
  const { context } = exchange;
  const header = context.request.headers.get('authorization');
  const principal = authenticate(header, guessLimit(context, dependencies), dependencies);
  return principal instanceof Promise
    ? principal.then((known) => admitPrincipal(exchange, known, dependencies))
    : admitPrincipal(exchange, principal, dependencies);
}

function admitPrincipal(
  exchange: Exchange,
  principal: Principal,
  dependencies: AdmissionDependencies,
): Principal | Promise<Principal> {
  const { definition } = exchange;
  exchange.principal = principal;
  exchange.client = accountClient(principal.accountId);
  dependencies.keys.noteUse?.(principal.id);
  if (Array.isArray(definition.auth)) requireScopes(principal.scopes, definition.auth);
  const decision = takeFromBudget(exchange, definition.ratePolicy, principal.id, dependencies);
  return decision instanceof Promise ? decision.then(() => principal) : principal;
}

/** Counts an admitted anonymous request as more requests, by what it costs. Throws `rate_limit_exceeded`. */
export async function admitMore(
  exchange: Exchange,
  cost: number,
  { limiter, rateLimits }: AdmissionDependencies,
): Promise<RateDecision> {
  const { ratePolicy } = exchange.definition;
  return applyDecision(
    exchange,
    await limiter.take(ratePolicy, exchange.client.name, rateLimits[ratePolicy], cost),
  );
}

/** Authenticates a key that was not sent in a header. Failures count as those of requests do. */
export async function authenticatePresented(
  authorization: string,
  context: RequestContext,
  dependencies: AdmissionDependencies,
): Promise<Principal> {
  const principal = await authenticate(authorization, guessLimit(context, dependencies), dependencies);
  dependencies.keys.noteUse?.(principal.id);
  return principal;
}

/** Counts a message of an open connection against a budget. Throws `rate_limit_exceeded`. */
export async function drawForMessage(
  policy: RatePolicyName,
  { subject, cost }: { subject: string; cost: number },
  { limiter, rateLimits }: AdmissionDependencies,
): Promise<void> {
  const { allowed, retryAfterSeconds } = await limiter.take(policy, subject, rateLimits[policy], cost);
  if (allowed) return;
  throw new Problem('rate_limit_exceeded', {
    detail: `The policy ${policy} admits the request in ${retryAfterSeconds} seconds.`,
    retryAfterSeconds,
  });
}

function takeFromBudget(
  exchange: AnyExchange,
  policy: RatePolicyName,
  subject: string,
  dependencies: AdmissionDependencies,
): RateDecision | Promise<RateDecision> {
  const decision = dependencies.limiter.take(
    policy,
    subject,
    dependencies.rateLimits[policy],
    costOf(exchange),
  );
  return decision instanceof Promise
    ? decision.then((late) => applyDecision(exchange, late))
    : applyDecision(exchange, decision);
}

/** By operation: parsing a query for its cost takes a cached read a microsecond. */
const costReaders = new WeakMap<RouteDefinition, (request: Request) => number>();

function costOf({ definition, context: { request } }: AnyExchange): number {
  if (definition?.rateCost === undefined) return 1;
  let read = costReaders.get(definition);
  if (read === undefined) {
    const rateCost = definition.rateCost.bind(definition);
    read = rememberQueries((query) => rateCost(new URLSearchParams(query)));
    costReaders.set(definition, read);
  }
  return read(request);
}

function applyDecision(exchange: AnyExchange, decision: RateDecision): RateDecision {
  exchange.rate = decision;
  if (!decision.allowed) {
    throw new Problem('rate_limit_exceeded', { retryAfterSeconds: decision.retryAfterSeconds });
  }
  return decision;
}

function guessLimit(
  context: RequestContext,
  { limiter, trustedProxyHops }: AdmissionDependencies,
): GuessLimit {
  const bucket = 'authentication-failures';
  const subject = () => clientSubject(context, trustedProxyHops);
  return {
    take: () => limiter.take(bucket, subject(), authenticationFailures),
    giveBack: () => limiter.giveBack(bucket, subject(), authenticationFailures),
  };
}
