import ipaddr from 'ipaddr.js';
import { rememberVerdicts } from './remember-verdicts.ts';
import {
  GLOBAL_UNICAST_IPV6,
  ipv4Carriers,
  specialIpv4Ranges,
  specialIpv6Ranges,
} from './special-addresses.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

const ipv4Ranges = specialIpv4Ranges.map(([cidr, name]) => ({ range: parseRange(cidr), name }));
const ipv6Ranges = specialIpv6Ranges.map(([cidr, name]) => ({ range: parseRange(cidr), name }));
const carriers = ipv4Carriers.map((carrier) => ({ ...carrier, range: parseRange(carrier.cidr) }));
const globalUnicast = parseRange(GLOBAL_UNICAST_IPV6);

/**
 * Returns the reason why webhooks may not reach an address, or null when they may
 * (contract/url-policy#addresses).
 *
 * @param text an address as a resolver returns it; a zone id or any other addition is refused
 * @param allowedCidrs ranges the operator admits besides global unicast (`WEBHOOK_ALLOWED_CIDRS`)
 */
export const addressDenial = rememberVerdicts(findDenial);

function findDenial(text: string, allowedCidrs: readonly string[]): string | null {
  if (text.includes('%') || !ipaddr.isValid(text)) return `${text} is not an IP address`;
  // `process` unwraps IPv4-mapped IPv6: the kernel dials the IPv4 address, so that one is judged.
  const address = ipaddr.process(text);
  if (isWithinAny(address, allowedCidrs)) return null;
  const range = specialRange(address);
  return range === null ? null : `${text} is not a public address (${range})`;
}

/** True when one of the operator's ranges contains the address. */
export function isAdmitted(text: string, allowedCidrs: readonly string[]): boolean {
  return isWithinAny(ipaddr.process(text), allowedCidrs);
}

function isWithinAny(address: Address, cidrs: readonly string[]): boolean {
  return cidrs.some((cidr) => isWithin(address, allowedRange(cidr)));
}

function specialRange(address: Address): string | null {
  if (address.kind() === 'ipv4') return rangeName(address, ipv4Ranges);
  const carrier = carriers.find(({ range }) => isWithin(address, range));
  const name = rangeName(address, ipv6Ranges);
  if (carrier !== undefined) return describeCarried(address, carrier) ?? name;
  return name ?? (isWithin(address, globalUnicast) ? null : 'not global unicast');
}

function describeCarried(address: Address, carrier: (typeof carriers)[number]): string | null {
  const bytes = address.toByteArray().slice(carrier.offset, carrier.offset + 4);
  const hidden = new ipaddr.IPv4(bytes.map((byte) => (carrier.inverted ? byte ^ 0xff : byte)));
  const name = rangeName(hidden, ipv4Ranges);
  // `::` and `::1` carry no IPv4 address: their own names are clearer.
  return name === null || name === 'this network' ? null : `${carrier.name}, hides ${hidden} (${name})`;
}

function rangeName(address: Address, ranges: readonly { range: Range; name: string }[]): string | null {
  return ranges.find(({ range }) => isWithin(address, range))?.name ?? null;
}

function isWithin(address: Address, [base, prefixLength]: Range): boolean {
  if (address instanceof ipaddr.IPv4) return base instanceof ipaddr.IPv4 && address.match(base, prefixLength);
  return base instanceof ipaddr.IPv6 && address.match(base, prefixLength);
}

function parseRange(cidr: string): Range {
  return ipaddr.parseCIDR(cidr);
}

/** The configuration has few ranges; parsing one again costs more than all the comparisons. */
const allowedRanges = new Map<string, Range>();

function allowedRange(cidr: string): Range {
  const range = allowedRanges.get(cidr) ?? parseRange(cidr);
  allowedRanges.set(cidr, range);
  return range;
}
