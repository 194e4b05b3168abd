import { hasHidden } from './public-text.ts';
import { isPrivateSuffix } from './webhooks/private-names.ts';

/** Links of a token (contract/tokens#links): https URLs, or null where the creator's text is no valid link. */
export interface TokenLinks {
  telegram: string | null;
  twitter: string | null;
  website: string | null;
}

/** Links as a creator wrote them. */
export interface CreatorLinks {
  telegram?: string | null | undefined;
  twitter?: string | null | undefined;
  website?: string | null | undefined;
}

const LINK_LENGTH_MAX = 2_048;
const TELEGRAM_HOSTS: readonly string[] = ['t.me', 'telegram.me', 'telegram.dog'];
const TWITTER_HOSTS: readonly string[] = ['x.com', 'twitter.com'];
/** Telegram: usernames of 4 to 32 characters, invitations (`+code`, `joinchat/code`), optionally a message. */
const TELEGRAM_PATH = /^(?:s\/)?(?:[A-Za-z]\w{3,31}|\+[\w-]{5,64}|joinchat\/[\w-]{5,64})(?:\/\d{1,12})?$/;
const TELEGRAM_HANDLE = /^@?([A-Za-z]\w{3,31})$/;
/** X: handles of 1 to 15 characters, optionally one post of theirs, or a community. */
const TWITTER_PATH = /^(?:\w{1,15}(?:\/status\/\d{1,20})?|i\/communities\/\d{1,20})$/;
const TWITTER_HANDLE = /^@?(\w{1,15})$/;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
/** A public DNS name; ports and addresses are checked after parsing. */
const PUBLIC_NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{2,59})$/;
/** Names that are reserved for documentation and tests (RFC 6761); private names have their own list. */
const NOBODYS: readonly string[] = ['example', 'invalid'];

/** Normalises all three links; a missing one is null. */
export function normaliseLinks(links: CreatorLinks): TokenLinks {
  return {
    telegram: normaliseTelegram(links.telegram ?? ''),
    twitter: normaliseTwitter(links.twitter ?? ''),
    website: normaliseWebsite(links.website ?? ''),
  };
}

/** `@name`, `name`, `t.me/name`, `https://telegram.me/name`, invitations → `https://t.me/…`. */
export function normaliseTelegram(text: string): string | null {
  return normaliseProfile(text, 'https://t.me/', TELEGRAM_HANDLE, TELEGRAM_HOSTS, TELEGRAM_PATH);
}

/** `@name`, `name`, `x.com/name`, `https://twitter.com/name`, a post or community → `https://x.com/…`. */
export function normaliseTwitter(text: string): string | null {
  return normaliseProfile(text, 'https://x.com/', TWITTER_HANDLE, TWITTER_HOSTS, TWITTER_PATH);
}

/** `https://…`, `http://…` or a bare public host name with an optional path → an https URL. */
export function normaliseWebsite(text: string): string | null {
  const url = parsePublicUrl(text);
  return url === null ? null : url.href;
}

/**
 * `ipfs://<content id>/…` and `ar://<transaction id>/…`: the host part is an id, never a name or an address.
 */
const CONTENT_ADDRESS = /^(?:ipfs:\/\/[A-Za-z0-9]{4,128}|ar:\/\/[\w-]{4,128})(?:[/?#]|$)/i;

/**
 * Returns an https URL of a public host, or an ipfs or ar address, in the parser's canonical form; null for
 * any other text.
 */
export function normaliseImageUrl(text: string): string | null {
  const trimmed = text.trim();
  if (/^https?:/i.test(trimmed)) return normaliseWebsite(trimmed);
  if (!CONTENT_ADDRESS.test(trimmed) || isDisguised(trimmed) || !URL.canParse(trimmed)) return null;
  const { href } = new URL(trimmed);
  return href.length <= LINK_LENGTH_MAX ? href : null;
}

/**
 * URL parsing drops tabs, line ends and invisible characters, and reads `\` as `/`: the stored URL would
 * differ from the visible one.
 */
function isDisguised(text: string): boolean {
  return text.length > LINK_LENGTH_MAX || /[\s\p{Cc}\\]/u.test(text) || hasHidden(text);
}

function normaliseProfile(
  text: string,
  origin: string,
  handlePattern: RegExp,
  hosts: readonly string[],
  pathPattern: RegExp,
): string | null {
  const handle = handlePattern.exec(text.trim())?.[1];
  if (handle !== undefined) return origin + handle;
  const url = parsePublicUrl(text);
  if (url === null || url.port !== '') return null;
  if (!hosts.includes(url.hostname.replace(/^(?:www|m|mobile)\./, ''))) return null;
  const path = url.pathname.replace(/^\/(?:@|#!\/)?|\/$/g, '');
  return pathPattern.test(path) ? origin + path : null;
}

/** Parses a link to a public place and changes it to https; null for any other text. */
function parsePublicUrl(text: string): URL | null {
  const trimmed = text.trim();
  if (trimmed === '' || isDisguised(trimmed)) return null;
  const address = SCHEME.test(trimmed) && !/^[\w.-]+:\d/.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.username !== '' || url.password !== '') return null;
  if (!isPublicName(url.hostname)) return null;
  if (url.protocol === 'http:') {
    // A port that serves http does not serve https.
    if (url.port !== '') return null;
    url.protocol = 'https:';
  }
  return url.href.length <= LINK_LENGTH_MAX ? url : null;
}

function isPublicName(hostname: string): boolean {
  const suffix = hostname.slice(hostname.lastIndexOf('.') + 1);
  return PUBLIC_NAME.test(hostname) && !isPrivateSuffix(suffix, false) && !NOBODYS.includes(suffix);
}
