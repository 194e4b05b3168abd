import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { RequestContext } from '../request-context.ts';

/**
 * The client of a request as a rate limit subject (contract/rate-limits#subject): the TCP peer, or with
 * `trustedProxyHops` the entry of `X-Forwarded-For` that the outermost trusted proxy wrote. IPv6 addresses
 * are grouped by /64.
 */
export function clientSubject(context: RequestContext, trustedProxyHops: number): string {
  const address = clientAddress(context, trustedProxyHops);
  const parsed = parseIpv6(address);
  if (parsed === null) return address;
  return parsed instanceof ipaddr.IPv6 ? networkOf(parsed, 4) : parsed.toString();
}

/**
 * The IPv6 /48 of a client, the largest block that a provider usually assigns to one customer; null for IPv4.
 */
export function clientNetwork(context: RequestContext, trustedProxyHops: number): string | null {
  const parsed = parseIpv6(clientAddress(context, trustedProxyHops));
  return parsed instanceof ipaddr.IPv6 ? networkOf(parsed, 3) : null;
}

function clientAddress(context: RequestContext, trustedProxyHops: number): string {
  const peerAddress = context.peerAddress;
  if (trustedProxyHops === 0) return peerAddress;
  const forwarded = context.request.headers.get('x-forwarded-for');
  const hops = [...(forwarded?.split(',') ?? []), peerAddress];
  const entry = withoutPort((hops[Math.max(0, hops.length - 1 - trustedProxyHops)] ?? '').trim());
  // Texts that are no address (`unknown`, or one that the client made up) must not get budgets of their own.
  return isIP(entry) === 0 ? peerAddress : entry;
}

/**
 * Some proxies write `192.0.2.1:4711` and `[2001:db8::1]:4711`: with the port, each connection would count as
 * a client.
 */
function withoutPort(entry: string): string {
  if (entry.startsWith('[')) return entry.slice(1, entry.indexOf(']'));
  const colon = entry.indexOf(':');
  return colon !== -1 && colon === entry.lastIndexOf(':') ? entry.slice(0, colon) : entry;
}

/** Parses an IPv6 address, or the IPv4 address inside one; null for any other text. */
function parseIpv6(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  return address.includes(':') && ipaddr.isValid(address) ? ipaddr.process(address) : null;
}

/** The network that the first `groups` of 16 bits name. */
function networkOf({ parts }: ipaddr.IPv6, groups: number): string {
  const kept = parts.slice(0, groups).map((part) => part.toString(16));
  return `${kept.join(':')}::/${groups * 16}`;
}
