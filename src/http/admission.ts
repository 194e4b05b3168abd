import type { RateLimit } from '../shared/configuration-values.ts';
import { Problem } from '../shared/problem.ts';
import {
  type AuthenticatorOptions,
  authenticate,
  type GuessLimit,
  type Principal,
  requireScopes,
} from './authentication.ts';
import { clientSubject } from './client-address.ts';
import type { RateDecision } from './gcra.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { authenticationFailures, type RatePolicyName, unmatchedPolicy } from './rate-policies.ts';
import type { RequestContext } from './request-context.ts';
import type { Exchange } from './responses.ts';

export interface AdmissionOptions extends AuthenticatorOptions {
  limiter: RateLimiter;
  rateLimits: Readonly<Record<RatePolicyName, RateLimit>>;
  trustedProxyHops: number;
}

/**
 * Rate-limits an anonymous request by its client address. Throws `rate_limit_exceeded`. A promise only when the
 * limiter is remote: cached reads are answered without waiting for anything.
 */
export function admitAnonymous(
  exchange: Exchange,
  options: AdmissionOptions,
): RateDecision | Promise<RateDecision> {
  const subject = clientSubject(exchange.context, options.trustedProxyHops);
  return takeFromBudget(exchange, exchange.operation.ratePolicy, subject, options);
}

/** Rate-limits a request that no route matched by its client address. */
export function admitUnmatched(
  exchange: Omit<Exchange, 'operation'>,
  options: AdmissionOptions,
): RateDecision | Promise<RateDecision> {
  const subject = clientSubject(exchange.context, options.trustedProxyHops);
  return takeFromBudget(exchange, unmatchedPolicy, subject, options);
}

/** Authenticates, checks scopes, then rate-limits by key (contract/requests#order-authentication). */
export async function admitKey(exchange: Exchange, options: AdmissionOptions): Promise<Principal> {
  const { context, operation } = exchange;
  const header = context.request.headers.get('authorization');
  const principal = await authenticate(header, guessLimit(context, options), options);
  exchange.principal = principal;
  if (Array.isArray(operation.auth)) requireScopes(principal.scopes, operation.auth);
  await takeFromBudget(exchange, operation.ratePolicy, principal.id, options);
  return principal;
}

function takeFromBudget(
  exchange: Omit<Exchange, 'operation'>,
  policy: RatePolicyName,
  subject: string,
  options: AdmissionOptions,
): RateDecision | Promise<RateDecision> {
  const decision = options.limiter.take(policy, subject, options.rateLimits[policy]);
  return decision instanceof Promise
    ? decision.then((late) => applyDecision(exchange, late))
    : applyDecision(exchange, decision);
}

function applyDecision(exchange: Omit<Exchange, 'operation'>, decision: RateDecision): RateDecision {
  exchange.rate = decision;
  if (!decision.allowed) {
    throw new Problem('rate_limit_exceeded', { retryAfterSeconds: decision.retryAfterSeconds });
  }
  return decision;
}

function guessLimit(context: RequestContext, { limiter, trustedProxyHops }: AdmissionOptions): GuessLimit {
  const bucket = 'authentication-failures';
  const subject = () => clientSubject(context, trustedProxyHops);
  return {
    take: () => limiter.take(bucket, subject(), authenticationFailures),
    giveBack: () => limiter.giveBack(bucket, subject(), authenticationFailures),
  };
}
