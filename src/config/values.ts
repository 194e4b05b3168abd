import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type Address, isAddress } from '../shared/address.ts';
import { splitAddresses } from '../shared/bus/addresses.ts';
import { instantFault, parseInstant } from '../shared/instant.ts';
import { postgresHosts, urlTls } from '../shared/postgres-url.ts';
import type { Rule } from './variable.ts';

export const text: Rule<string> = (value) => value;

/** Comma-separated values, each by the rule. */
export function list<Value>(rule: Rule<Value>): Rule<readonly Value[]> {
  return (value) => value.split(',').map((part) => rule(part.trim()));
}

/** Base58 text of 32 bytes. */
export function address(value: string): Address {
  if (!isAddress(value)) throw new Error('must be a Solana address');
  return value;
}

export function integer(least: number, most: number): Rule<number> {
  return (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= least && number <= most))
      throw new Error(`must be a whole number from ${least} to ${most}`);
    return number;
  };
}

/** A fraction from 0 to 1. */
export function ratio(value: string): number {
  const number = /^\d(\.\d{1,9})?$/.test(value) ? Number(value) : Number.NaN;
  if (!(number <= 1)) throw new Error('must be a number from 0 to 1');
  return number;
}

export function flag(value: string): boolean {
  if (value !== 'true' && value !== 'false') throw new Error('must be true or false');
  return value === 'true';
}

export function oneOf<const Choice extends string>(...choices: readonly Choice[]): Rule<Choice> {
  return (value) => {
    const choice = choices.find((candidate) => candidate === value);
    if (choice === undefined) throw new Error(`must be one of ${choices.join(', ')}`);
    return choice;
  };
}

/** An absolute URL with one of the protocols and a host, without a trailing slash. */
export function url(...protocols: readonly string[]): Rule<string> {
  return (value) => parseUrl(value, protocols);
}

/** One address of NATS, or several nodes of one cluster, comma-separated. */
export function natsUrls(value: string): readonly string[] {
  return splitAddresses(value).map((part) => {
    const address = parseUrl(part.trim(), ['nats:', 'tls:']);
    if (new URL(address).hostname.includes(','))
      throw new Error('must begin each of its addresses with nats:// or tls://');
    return address;
  });
}

/** An even number of replicas survives no more lost nodes than the odd one below it. */
export function streamReplicas(value: string): number {
  if (!['1', '3', '5'].includes(value)) throw new Error('must be 1, 3 or 5');
  return Number(value);
}

/** The word `off` is a deliberate empty list. */
export function listOrOff<Value>(rule: Rule<Value>): Rule<readonly Value[]> {
  return (value) => (value === 'off' ? [] : list(rule)(value));
}

function parseUrl(value: string, protocols: readonly string[]): string {
  const schemes = protocols.map((protocol) => `${protocol}//`);
  const isOfScheme = schemes.some((scheme) => value.toLowerCase().startsWith(scheme));
  if (!isOfScheme || !URL.canParse(value) || new URL(value).hostname === '' || /\s/.test(value)) {
    throw new Error(`must be a URL with a host (${schemes.join(' or ')})`);
  }
  const { username, password } = new URL(value);
  if (!isPercentEncoded(username + password)) throw new Error('must name user and password percent-encoded');
  return value.replace(/\/$/, '');
}

const DATABASE_URL_FORM =
  'must be postgres://user:password@host:port/database, with a host (or several, host:port,host:port) and the name of a database';

/**
 * Refuses what the driver would guess or fail on at the first statement: the URL must name its hosts, one
 * database and its encryption.
 */
export function databaseUrl(value: string): string {
  try {
    const { url: first } = postgresHosts(value);
    const { pathname, username, password } = new URL(parseUrl(first.href, ['postgres:', 'postgresql:']));
    for (const part of [username, password]) decodeURIComponent(part);
    if (!/^\/[^/]+$/.test(pathname) || /\s/.test(value)) throw new Error(DATABASE_URL_FORM);
  } catch {
    throw new Error(DATABASE_URL_FORM);
  }
  urlTls(value);
  return value;
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

export function base64Key(byteLength: number): Rule<Uint8Array> {
  return (value) => {
    const bytes = Buffer.from(value, 'base64');
    if (bytes.byteLength !== byteLength || bytes.toString('base64') !== value) {
      throw new Error(`must be base64 of ${byteLength} bytes`);
    }
    return bytes;
  };
}

export function cidr(value: string): string {
  if (!ipaddr.isValidCIDR(value)) throw new Error('must be comma-separated CIDR ranges');
  return value;
}

/** A name server: an address, or an address and a port (`10.0.0.2:53`, `[fd00::2]:53`). */
export function dnsServer(value: string): string {
  if (!isSocketAddress(value)) throw new Error('must be comma-separated IP addresses or address:port');
  return value;
}

function isSocketAddress(text: string): boolean {
  if (isIP(text) !== 0) return true;
  const [, bracketed, bare = '', port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const isAddress = bracketed === undefined ? isIP(bare) === 4 : isIP(bracketed) === 6;
  return isAddress && Number(port) >= 1 && Number(port) <= 65_535;
}

export function time(value: string): Date {
  const fault = instantFault(value);
  if (fault !== null) throw new Error(`${fault}, e.g. 2027-06-01T00:00:00Z`);
  return parseInstant(value);
}

/** Seconds, as milliseconds. */
export function duration(value: string): number {
  if (!/^\d{1,7}(\.\d{1,3})?$/.test(value)) throw new Error('must be comma-separated seconds');
  return Math.round(Number(value) * 1000);
}
