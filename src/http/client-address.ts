import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { RequestContext } from './request-context.ts';

/**
 * The client behind a request, as a rate limit subject (contract/rate-limits#subject): the TCP peer, or with
 * `trustedProxyHops` the entry of `X-Forwarded-For` that the outermost trusted proxy wrote. IPv6 addresses are grouped
 * by /64.
 */
export function clientSubject(context: RequestContext, trustedProxyHops: number): string {
  const peerAddress = context.peerAddress();
  if (trustedProxyHops === 0) return addressGroup(peerAddress);
  const forwarded = context.request.headers.get('x-forwarded-for');
  const hops = [...(forwarded?.split(',') ?? []), peerAddress];
  const entry = withoutPort((hops[Math.max(0, hops.length - 1 - trustedProxyHops)] ?? '').trim());
  // What is no address (`unknown`, or a text of the client's own) must not make a budget of its own.
  return addressGroup(isIP(entry) === 0 ? peerAddress : entry);
}

/** Some proxies write `192.0.2.1:4711` and `[2001:db8::1]:4711`: each connection would be a client of its own. */
function withoutPort(entry: string): string {
  if (entry.startsWith('[')) return entry.slice(1, entry.indexOf(']'));
  const colon = entry.indexOf(':');
  return colon !== -1 && colon === entry.lastIndexOf(':') ? entry.slice(0, colon) : entry;
}

/** True for a peer on this machine. */
export function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
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
