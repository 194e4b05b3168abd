import ipaddr from 'ipaddr.js';
import type { RequestContext } from './request-context.ts';

/**
 * The client behind a request, as a rate limit subject (contract/rate-limits#subject): the TCP peer, or with `trustedProxyHops` the entry
 * of `X-Forwarded-For` that the outermost trusted proxy wrote. IPv6 addresses are grouped by /64.
 */
export function clientSubject(context: RequestContext, trustedProxyHops: number): string {
  if (trustedProxyHops === 0) return addressGroup(context.peerAddress());
  const peerAddress = context.peerAddress();
  const forwarded = context.request.headers.get('x-forwarded-for');
  const hops = [...(forwarded?.split(',') ?? []).map((part) => part.trim()), peerAddress];
  return addressGroup(hops[Math.max(0, hops.length - 1 - trustedProxyHops)] ?? peerAddress);
}

function addressGroup(address: string): string {
  if (!address.includes(':') || !ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6
    ? `${parsed.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`
    : parsed.toString();
}
