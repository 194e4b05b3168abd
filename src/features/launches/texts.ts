import type { FieldError } from '../../shared/problem.ts';
import { publicTextFault } from '../../shared/public-text.ts';
import {
  normaliseImageUrl,
  normaliseTelegram,
  normaliseTwitter,
  normaliseWebsite,
  type TokenLinks,
} from '../../shared/token-links.ts';

/** Bytes in UTF-8 that the metadata of a mint has room for (contract/launches#texts). */
export const NAME_BYTES_MAX = 32;
export const SYMBOL_BYTES_MAX = 10;

/** The creator's texts about a token. */
export interface RequestedTexts {
  name: string;
  symbol: string;
  description?: string | null;
  imageUrl?: string | null;
  links?: { telegram?: string | null; twitter?: string | null; website?: string | null };
}

/** The published texts of a token. */
export interface LaunchTexts {
  name: string;
  symbol: string;
  description: string | null;
  imageUrl: string | null;
  links: TokenLinks;
}

/**
 * The texts in their published form, or an error for every invalid field: nothing is dropped or cut silently.
 */
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
    ...(description === null ? [] : characterErrors('/body/description', description, false)),
    ...linkErrors(
      '/body/imageUrl',
      requested.imageUrl,
      imageUrl,
      'the https address of a picture on a public host, an ipfs or ar address, or image: and the hash of an uploaded picture',
    ),
    ...linkErrors('/body/links/telegram', given.telegram, links.telegram, 'a Telegram name or link'),
    ...linkErrors('/body/links/twitter', given.twitter, links.twitter, 'a handle or link on X'),
    ...linkErrors('/body/links/website', given.website, links.website, 'the address of a public website'),
  ];
  return errors.length > 0 ? { errors } : { name, symbol, description, imageUrl, links };
}

function textErrors(path: string, text: string, bytesMax: number): FieldError[] {
  const byteLength = Buffer.byteLength(text);
  if (byteLength > bytesMax) {
    const message = `must have at most ${bytesMax} bytes in UTF-8, not ${byteLength}`;
    return [{ path, code: 'too_long', message }];
  }
  if (text.trim() !== text || text === '')
    return [{ path, code: 'invalid_value', message: 'must neither begin nor end with white space' }];
  return characterErrors(path, text, true);
}

function characterErrors(path: string, text: string, isLine: boolean): FieldError[] {
  const fault = publicTextFault(text, { isLine });
  return fault === null ? [] : [{ path, code: 'invalid_value', message: `must not contain ${fault}` }];
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
