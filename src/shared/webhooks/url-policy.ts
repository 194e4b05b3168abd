import ipaddr from 'ipaddr.js';
import { addressDenial, isAdmitted } from './address-policy.ts';
import { portOwner } from './blocked-ports.ts';
import { isPrivateSuffix } from './private-names.ts';
import { rememberVerdicts } from './remember-verdicts.ts';

/** Additional destinations that an operator admits (contract/url-policy#openings); none by default. */
export interface UrlPolicy {
  allowHttp: boolean;
  /** CIDR ranges besides global unicast. */
  allowedCidrs: readonly string[];
  /** Only these ranges and no public address, so that nothing leaves a sandbox. */
  onlyAllowedCidrs?: boolean;
}

export function urlPolicyOf(config: {
  webhookAllowHttp: boolean;
  webhookAllowedCidrs: readonly string[];
  webhookOnlyAllowedCidrs: boolean;
}): UrlPolicy {
  return {
    allowHttp: config.webhookAllowHttp,
    allowedCidrs: config.webhookAllowedCidrs,
    onlyAllowedCidrs: config.webhookOnlyAllowedCidrs,
  };
}

/** Stable codes for `context.reason`, attempts and logs. */
export const urlDenialReasons = [
  'url_invalid',
  'url_too_long',
  'scheme_not_allowed',
  'userinfo_not_allowed',
  'fragment_not_allowed',
  'port_not_allowed',
  'host_not_public',
  'address_not_public',
  'address_not_admitted',
] as const;

export type UrlDenialReason = (typeof urlDenialReasons)[number];

export interface UrlDenial {
  allowed: false;
  reason: UrlDenialReason;
  /** One sentence for people, safe to show to the caller who sent the URL. */
  detail: string;
  /** The resolved addresses, for operators only: they would map the internal network for the caller. */
  operatorDetail?: string;
}

/** A URL that may be dialled once its addresses are judged too. */
export interface UrlTarget {
  allowed: true;
  /** In the parser's canonical form, which is stored and dialled. */
  url: URL;
  /** Host name, or the address without brackets. */
  hostname: string;
  /** True when the host is an address, which is already judged and needs no resolver. */
  isAddress: boolean;
  /** Addresses of `localhost`, which needs no resolver either. */
  loopback?: readonly string[];
  port: number;
}

export type UrlVerdict = UrlTarget | UrlDenial;

export const URL_LENGTH_MAX = 2_048;
const HOSTNAME_LENGTH_MAX = 253;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * Judges the text of a destination without I/O (contract/url-policy#same-code). The same code runs at create,
 * at update and for every hop of every attempt. The addresses of a name still need `judgeAddresses`.
 */
export const judgeUrl = rememberVerdicts(judge);

function judge(text: string, policy: UrlPolicy): UrlVerdict {
  if (text.length > URL_LENGTH_MAX) return denied('url_too_long', `longer than ${URL_LENGTH_MAX} characters`);
  // The WHATWG parser silently drops tabs and line ends, trims spaces, and reads `\` as `/`.
  if (hasDisguise(text) || !URL.canParse(text)) return denied('url_invalid', 'not an absolute URL');
  const url = new URL(text);
  if (url.href.length > URL_LENGTH_MAX)
    return denied('url_too_long', `longer than ${URL_LENGTH_MAX} characters`);
  if (url.protocol !== 'https:' && !(policy.allowHttp && url.protocol === 'http:')) {
    return denied('scheme_not_allowed', policy.allowHttp ? 'only https and http' : 'only https');
  }
  if (!/^https?:\/\/[^/]/i.test(text)) return denied('url_invalid', 'not an absolute URL');
  const authority = text.slice(text.indexOf('//') + 2).split(/[/?#]/, 1)[0] ?? '';
  if (authority.includes('@')) return denied('userinfo_not_allowed', 'no user name or password');
  if (text.includes('#')) return denied('fragment_not_allowed', 'no fragment');
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  const owner = portOwner(port);
  if (owner !== null) return denied('port_not_allowed', `port ${port} belongs to ${owner}`);
  return judgeHost(url, port, policy);
}

/**
 * Judges the addresses of a name: one denied address denies the target, and so does an empty list. Returns
 * null when every address may be dialled.
 */
export function judgeAddresses(addresses: readonly string[], policy: UrlPolicy): UrlDenial | null {
  if (addresses.length === 0) return denied('address_not_public', 'resolves to no address');
  for (const address of addresses) {
    const operatorDetail = addressDenial(address, policy.allowedCidrs);
    if (operatorDetail === null && isOutside(address, policy))
      return { ...notAdmitted(policy), operatorDetail: `${address} is not admitted` };
    if (operatorDetail !== null)
      return { ...denied('address_not_public', 'the name resolves to a non-public address'), operatorDetail };
  }
  return null;
}

function judgeHost(url: URL, port: number, policy: UrlPolicy): UrlVerdict {
  const bare = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (ipaddr.isValid(bare)) {
    const denial = addressDenial(bare, policy.allowedCidrs);
    if (denial !== null) return denied('address_not_public', denial);
    if (isOutside(bare, policy)) return notAdmitted(policy);
    return { allowed: true, url, hostname: bare, isAddress: true, port };
  }
  if (bare === 'localhost') {
    const loopback = LOOPBACK.filter((address) => isAdmitted(address, policy.allowedCidrs));
    if (loopback.length === 0) return denied('host_not_public', 'localhost is not a public name');
    return { allowed: true, url, hostname: bare, isAddress: false, loopback, port };
  }
  // A name of the DNS, in its absolute form, but certificates and receivers know it without the dot.
  if (bare.endsWith('.'))
    return denied('host_not_public', `${bare} ends in a dot: write the name without it`);
  const labels = bare.split('.');
  if (bare.length > HOSTNAME_LENGTH_MAX || !labels.every((label) => LABEL.test(label))) {
    return denied('host_not_public', `${bare} is not a DNS name`);
  }
  if (labels.length < 2) return denied('host_not_public', `${bare} has a single label`);
  const suffix = labels.at(-1) ?? '';
  if (isPrivateSuffix(suffix, policy.allowedCidrs.length > 0))
    return denied('host_not_public', `.${suffix} names are private`);
  return { allowed: true, url, hostname: bare, isAddress: false, port };
}

/** The addresses of `localhost`, whatever a resolver returns (RFC 6761 section 6.3). */
const LOOPBACK = ['127.0.0.1', '::1'];

function isOutside(address: string, { allowedCidrs, onlyAllowedCidrs = false }: UrlPolicy): boolean {
  return onlyAllowedCidrs && !isAdmitted(address, allowedCidrs);
}

/** The denial of a target outside the admitted ranges; in a sandbox it names an admitted address. */
export function notAdmitted({ allowedCidrs }: UrlPolicy): UrlDenial {
  const [local] = LOOPBACK.filter((address) => isAdmitted(address, allowedCidrs));
  const instead =
    local === undefined ? '' : ': use an address of this machine, such as http://127.0.0.1:4100';
  return denied(
    'address_not_admitted',
    `webhooks of this deployment go only to addresses that its operator admits${instead}`,
  );
}

function hasDisguise(text: string): boolean {
  return /[\p{Cc}\p{Cf}\p{Zs}\p{Zl}\p{Zp}\\]/u.test(text);
}

function denied(reason: UrlDenialReason, detail: string): UrlDenial {
  return { allowed: false, reason, detail };
}
