import type { FieldError } from '../../shared/problem.ts';
import {
  normaliseImageUrl,
  normaliseTelegram,
  normaliseTwitter,
  normaliseWebsite,
  type TokenLinks,
} from '../../shared/token-links.ts';

/** Bytes in UTF-8 that the metadata of a mint has room for (contract/launches#texts). */
const NAME_BYTES_MAX = 32;
const SYMBOL_BYTES_MAX = 10;

/** What a creator says about a token. */
export interface RequestedTexts {
  name: string;
  symbol: string;
  description?: string | null;
  imageUrl?: string | null;
  links?: { telegram?: string | null; twitter?: string | null; website?: string | null };
}

/** The same, as it is published. */
export interface LaunchTexts {
  name: string;
  symbol: string;
  description: string | null;
  imageUrl: string | null;
  links: TokenLinks;
}

/** The texts as they are published, or every field that cannot be: nothing is left out or cut off in silence. */
export function readTexts(requested: RequestedTexts): LaunchTexts | { errors: FieldError[] } {
  const { name, symbol, links: given = {} } = requested;
  const description = requested.description || null;
  const links = {
    telegram: given.telegram ? normaliseTelegram(given.telegram) : null,
    twitter: given.twitter ? normaliseTwitter(given.twitter) : null,
    website: given.website ? normaliseWebsite(given.website) : null,
  };
  const imageUrl = requested.imageUrl ? normaliseImageUrl(requested.imageUrl) : null;
  const errors = [
    ...textErrors('/body/name', name, NAME_BYTES_MAX),
    ...textErrors('/body/symbol', symbol, SYMBOL_BYTES_MAX),
    ...(description === null ? [] : characterErrors('/body/description', description, DESCRIPTION_REFUSED)),
    ...linkErrors(
      '/body/imageUrl',
      requested.imageUrl,
      imageUrl,
      'an https, ipfs or ar address of a picture',
    ),
    ...linkErrors('/body/links/telegram', given.telegram, links.telegram, 'a Telegram name or link'),
    ...linkErrors('/body/links/twitter', given.twitter, links.twitter, 'a handle or link on X'),
    ...linkErrors('/body/links/website', given.website, links.website, 'the address of a public website'),
  ];
  return errors.length > 0 ? { errors } : { name, symbol, description, imageUrl, links };
}

/** Wallets show both on one line; what cannot be seen there, or turns it around, only serves to deceive. */
const LINE_REFUSED = /[\p{Cc}\p{Zl}\p{Zp}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;
/** Line breaks and tabs are text here. */
const DESCRIPTION_REFUSED = /(?![\n\r\t])\p{Cc}/u;

function textErrors(path: string, text: string, bytesMax: number): FieldError[] {
  const byteLength = Buffer.byteLength(text);
  if (byteLength > bytesMax) {
    const message = `must have at most ${bytesMax} bytes in UTF-8, not ${byteLength}`;
    return [{ path, code: 'too_long', message }];
  }
  if (text.trim() !== text || text === '')
    return [{ path, code: 'invalid_value', message: 'must neither begin nor end with white space' }];
  return characterErrors(path, text, LINE_REFUSED);
}

function characterErrors(path: string, text: string, refused: RegExp): FieldError[] {
  if (text.isWellFormed() && !refused.test(text)) return [];
  return [{ path, code: 'invalid_value', message: 'must not contain control characters or broken text' }];
}

function linkErrors(
  path: string,
  given: string | null | undefined,
  normalised: string | null,
  expected: string,
): FieldError[] {
  if (!given || normalised !== null) return [];
  return [{ path, code: 'invalid_format', message: `must be ${expected}` }];
}
