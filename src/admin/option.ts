import { type Facts, type Option, required, text } from '../../packages/client/src/cli/kit/option.ts';
import { isAddress } from '../shared/address.ts';
import { decodeCanonicalBase64 } from '../shared/bytes.ts';
import { isUuid } from '../shared/field-schemas.ts';
import { instantFault } from '../shared/instant.ts';
import { publicTextFault } from '../shared/public-text.ts';

/** A name for people, under the rule of all names (contract/tokens#public-texts). */
export function label(help: string, facts: Facts = {}): Option {
  const check = (value: string) => {
    const fault = publicTextFault(value, { isLine: true });
    return fault === null ? null : `must not contain ${fault}`;
  };
  return { ...text(help, facts), check };
}

/** A path; `-` is standard input. */
export function jsonFile(help: string): Option {
  return text(`${help}; - reads standard input`, { ...required, format: 'path' });
}

/** @param or a word that is valid too */
export function uuid(help: string, { or, ...facts }: Facts & { or?: string } = {}): Option {
  const expectation = or === undefined ? 'must be a UUID' : `must be a UUID or ${or}`;
  return {
    ...text(help, { ...facts, format: or === undefined ? 'uuid' : `uuid|${or}` }),
    check: (value) => (isUuid(value) || value === or ? null : expectation),
  };
}

/** The address of a wallet, mint or account. */
export function address(help: string, facts: Facts = {}): Option {
  return {
    ...text(help, { ...facts, format: 'address' }),
    check: (value) => (isAddress(value) ? null : 'must be a base58 address of 32 bytes'),
  };
}

export function time(help: string, facts: Facts = {}): Option {
  return {
    ...text(help, { ...facts, format: 'RFC 3339 time' }),
    check(value) {
      const fault = instantFault(value);
      return fault === null ? null : `${fault}, e.g. 2026-11-20T10:00:00Z`;
    },
  };
}

export function json(help: string, facts: Facts = {}): Option {
  return {
    ...text(help, { ...facts, format: 'json' }),
    check(value) {
      try {
        JSON.parse(value);
        return null;
      } catch {
        return 'must be valid JSON';
      }
    },
  };
}

export function base64(help: string, facts: Facts = {}): Option {
  return {
    ...text(help, { ...facts, format: 'base64' }),
    check: (value) => (decodeCanonicalBase64(value) === null ? 'must be canonical base64' : null),
  };
}
