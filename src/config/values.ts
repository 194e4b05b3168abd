import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type Address, isAddress } from '../shared/address.ts';
import { splitAddresses } from '../shared/bus/addresses.ts';
import type { Variable } from '../shared/configuration.ts';
import { instantFault, parseInstant } from '../shared/instant.ts';
import { postgresHosts, urlTls } from '../shared/postgres-url.ts';

export function required<Value>(name: string, parse: (text: string) => Value): Variable<Value> {
  return {
    name,
    parse(text) {
      if (text === undefined) throw new Error('is required');
      return parse(text);
    },
  };
}

export function withDefault<Value, Default extends Value>(
  variable: Variable<Value>,
  value: Default,
  description: string,
): Variable<Value> {
  return {
    ...variable,
    description,
    default: value,
    parse: (text) => (text === undefined ? value : variable.parse(text)),
  };
}

export function optional<Value>(variable: Variable<Value>, description: string): Variable<Value | undefined> {
  return {
    ...variable,
    description,
    default: undefined,
    parse: (text) => (text === undefined ? undefined : variable.parse(text)),
  };
}

export function text(name: string): Variable<string> {
  return required(name, (value) => value);
}

/** Base58 text of 32 bytes. */
export function address(name: string): Variable<Address> {
  return required(name, (value) => {
    if (!isAddress(value)) throw new Error('must be a Solana address');
    return value;
  });
}

export function integer(name: string, least: number, most: number): Variable<number> {
  return required(name, (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= least && number <= most))
      throw new Error(`must be a whole number from ${least} to ${most}`);
    return number;
  });
}

/** A fraction from 0 to 1. */
export function ratio(name: string): Variable<number> {
  return required(name, (value) => {
    const number = /^\d(\.\d{1,9})?$/.test(value) ? Number(value) : Number.NaN;
    if (!(number <= 1)) throw new Error('must be a number from 0 to 1');
    return number;
  });
}

export function flag(name: string): Variable<boolean> {
  return required(name, (value) => {
    if (value !== 'true' && value !== 'false') throw new Error('must be true or false');
    return value === 'true';
  });
}

export function oneOf<const Choice extends string>(
  name: string,
  choices: readonly Choice[],
): Variable<Choice> {
  return required(name, (value) => {
    const choice = choices.find((candidate) => candidate === value);
    if (choice === undefined) throw new Error(`must be one of ${choices.join(', ')}`);
    return choice;
  });
}

/** An absolute URL with one of the protocols and a host, without a trailing slash. */
export function url(name: string, protocols: readonly string[]): Variable<string> {
  return required(name, (value) => parseUrl(value, protocols));
}

export function urls(
  name: string,
  protocols: readonly string[] = ['http:', 'https:'],
): Variable<readonly string[]> {
  return required(name, (value) => value.split(',').map((part) => parseUrl(part.trim(), protocols)));
}

/** One address of NATS, or several nodes of one cluster, comma-separated. */
export function natsUrls(name: string): Variable<readonly string[]> {
  return required(name, (value) =>
    splitAddresses(value).map((part) => {
      const address = parseUrl(part.trim(), ['nats:', 'tls:']);
      if (new URL(address).hostname.includes(','))
        throw new Error('must begin each of its addresses with nats:// or tls://');
      return address;
    }),
  );
}

/** An even number of replicas survives no more lost nodes than the odd one below it. */
export function streamReplicas(name: string): Variable<number> {
  return required(name, (value) => {
    if (!['1', '3', '5'].includes(value)) throw new Error('must be 1, 3 or 5');
    return Number(value);
  });
}

/** As `urls`, or the word `off` for a deliberate empty list. */
export function urlsOrOff(name: string, protocols: readonly string[]): Variable<readonly string[]> {
  return required(name, (value) => (value === 'off' ? [] : urls(name, protocols).parse(value)));
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

/**
 * Refuses what the driver would guess or fail on at the first statement: the URL must name its hosts, one
 * database and its encryption.
 */
export function databaseUrl(name: string): Variable<string> {
  const expectation =
    'must be postgres://user:password@host:port/database, with a host (or several, host:port,host:port) and the name of a database';
  return required(name, (value) => {
    try {
      const { url: first } = postgresHosts(value);
      const { pathname, username, password } = new URL(parseUrl(first.href, ['postgres:', 'postgresql:']));
      for (const part of [username, password]) decodeURIComponent(part);
      if (!/^\/[^/]+$/.test(pathname) || /\s/.test(value)) throw new Error(expectation);
    } catch {
      throw new Error(expectation);
    }
    urlTls(value);
    return value;
  });
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

export function base64Key(name: string, byteLength: number): Variable<Uint8Array> {
  return required(name, (value) => {
    const bytes = Buffer.from(value, 'base64');
    if (bytes.byteLength !== byteLength || bytes.toString('base64') !== value) {
      throw new Error(`must be base64 of ${byteLength} bytes`);
    }
    return bytes;
  });
}

/** Comma-separated keys of `byteLength` bytes each, in base64. */
export function base64Keys(name: string, byteLength: number): Variable<readonly Uint8Array[]> {
  const { parse } = base64Key(name, byteLength);
  return required(name, (value) => value.split(',').map((part) => parse(part.trim())));
}

export function cidrs(name: string): Variable<readonly string[]> {
  return required(name, (value) => {
    const ranges = value.split(',').map((part) => part.trim());
    if (!ranges.every((range) => ipaddr.isValidCIDR(range)))
      throw new Error('must be comma-separated CIDR ranges');
    return ranges;
  });
}

/** Comma-separated name servers: an address, or an address and a port (`10.0.0.2:53`, `[fd00::2]:53`). */
export function dnsServers(name: string): Variable<readonly string[]> {
  return required(name, (value) => {
    const servers = value.split(',').map((part) => part.trim());
    if (!servers.every(isSocketAddress))
      throw new Error('must be comma-separated IP addresses or address:port');
    return servers;
  });
}

function isSocketAddress(text: string): boolean {
  if (isIP(text) !== 0) return true;
  const [, bracketed, bare = '', port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const isAddress = bracketed === undefined ? isIP(bare) === 4 : isIP(bracketed) === 6;
  return isAddress && Number(port) >= 1 && Number(port) <= 65_535;
}

export function time(name: string): Variable<Date> {
  return required(name, (value) => {
    const fault = instantFault(value);
    if (fault !== null) throw new Error(`${fault}, e.g. 2027-06-01T00:00:00Z`);
    return parseInstant(value);
  });
}

/** Comma-separated seconds, as milliseconds. */
export function durations(name: string): Variable<readonly number[]> {
  return required(name, (value) => {
    const parts = value.split(',').map((part) => part.trim());
    if (!parts.every((part) => /^\d{1,7}(\.\d{1,3})?$/.test(part))) {
      throw new Error('must be comma-separated seconds');
    }
    return parts.map((part) => Math.round(Number(part) * 1000));
  });
}
