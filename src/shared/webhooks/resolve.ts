import { LookupFailure } from '../dns/query.ts';
import type { LookupOwner, Resolver } from '../dns/resolver.ts';
import type { ReasonOf } from './attempt-reasons.ts';
import {
  judgeAddresses,
  judgeUrl,
  notAdmitted,
  type UrlDenial,
  type UrlPolicy,
  type UrlTarget,
} from './url-policy.ts';

/** A destination whose addresses were all checked: dial one of these, never the name. */
export interface Destination extends UrlTarget {
  addresses: readonly string[];
}

/** The name did not resolve: creating an endpoint accepts that, an attempt fails with `dns_error`. */
export interface Unresolved {
  allowed: 'unresolved';
  target: UrlTarget;
  reason: ReasonOf<'dns_error'>;
  /** Set when nothing may leave the admitted ranges: creating an endpoint then refuses an unknown name. */
  denial: UrlDenial | null;
  detail: string;
}

type Resolved = Destination | UrlDenial | Unresolved;

/**
 * Judges a URL and every current address of its host (contract/url-policy#addresses). Never rejects. The
 * result is valid only for the connection made from it: judge again for every attempt and hop. Returns a promise only
 * when a name must be looked up.
 */
export function resolveDestination(
  text: string,
  policy: UrlPolicy,
  resolve: Resolver,
  owner: LookupOwner,
): Resolved | Promise<Resolved> {
  const target = judgeUrl(text, policy);
  if (!target.allowed) return target;
  if (target.isAddress) return { ...target, addresses: [target.hostname] };
  if (target.loopback !== undefined) return { ...target, addresses: target.loopback };
  return resolveName(target, policy, resolve, owner);
}

async function resolveName(
  target: UrlTarget,
  policy: UrlPolicy,
  resolve: Resolver,
  owner: LookupOwner,
): Promise<Resolved> {
  let addresses: readonly string[];
  try {
    addresses = await resolve(target.hostname, owner);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    const denial = policy.onlyAllowedCidrs === true ? notAdmitted(policy) : null;
    return { allowed: 'unresolved', target, reason: reasonOf(error), denial, detail };
  }
  return judgeAddresses(addresses, policy) ?? { ...target, addresses };
}

const lookupReasons: Readonly<Record<LookupFailure['kind'], ReasonOf<'dns_error'>>> = {
  no_address: 'no_address',
  timed_out: 'look_up_timed_out',
  no_turn: 'look_up_not_made',
};

function reasonOf(error: unknown): ReasonOf<'dns_error'> {
  return error instanceof LookupFailure ? lookupReasons[error.kind] : 'no_address';
}
