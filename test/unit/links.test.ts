import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  normaliseImageUrl,
  normaliseLinks,
  normaliseTelegram,
  normaliseTwitter,
  normaliseWebsite,
} from '../../src/shared/token-links.ts';

describe('telegram links become https://t.me', () => {
  test.each([
    ['@launchwire', 'https://t.me/launchwire'],
    ['launchwire', 'https://t.me/launchwire'],
    ['t.me/launchwire', 'https://t.me/launchwire'],
    ['http://t.me/launchwire/', 'https://t.me/launchwire'],
    ['https://telegram.me/launchwire', 'https://t.me/launchwire'],
    ['https://www.t.me/launchwire?start=1', 'https://t.me/launchwire'],
    ['https://t.me/+AbCd_ef-GH12', 'https://t.me/+AbCd_ef-GH12'],
    ['https://t.me/joinchat/AbCdefGH12', 'https://t.me/joinchat/AbCdefGH12'],
    ['https://t.me/launchwire/42', 'https://t.me/launchwire/42'],
  ])('%s', (text, expected) => expect(normaliseTelegram(text)).toBe(expected));

  test.each([
    '',
    'abc',
    '@1abc',
    'https://x.com/launchwire',
    'https://t.me.evil.com/a',
    'https://t.me:8443/abcd',
  ])('but not %p', (text) => expect(normaliseTelegram(text)).toBeNull());
});

describe('twitter links become https://x.com', () => {
  test.each([
    ['@launchwire', 'https://x.com/launchwire'],
    ['launchwire', 'https://x.com/launchwire'],
    ['x.com/launchwire', 'https://x.com/launchwire'],
    ['https://twitter.com/@launchwire', 'https://x.com/launchwire'],
    ['https://mobile.twitter.com/launchwire?s=20', 'https://x.com/launchwire'],
    ['https://x.com/launchwire/status/1234567890', 'https://x.com/launchwire/status/1234567890'],
    ['https://x.com/i/communities/1234567890', 'https://x.com/i/communities/1234567890'],
  ])('%s', (text, expected) => expect(normaliseTwitter(text)).toBe(expected));

  test.each([
    '',
    'sixteen_letters_',
    'https://x.com/',
    'https://x.com/a/b/c',
    'https://notx.com/a',
    'ftp://x.com/a',
  ])('but not %p', (text) => expect(normaliseTwitter(text)).toBeNull());
});

describe('websites become https', () => {
  test.each([
    ['https://launchwire.dev', 'https://launchwire.dev/'],
    ['http://launchwire.dev/a?b=c#d', 'https://launchwire.dev/a?b=c#d'],
    ['launchwire.dev/docs', 'https://launchwire.dev/docs'],
    ['launchwire.dev:8443/docs', 'https://launchwire.dev:8443/docs'],
    ['  https://münchen.de ', 'https://xn--mnchen-3ya.de/'],
  ])('%s', (text, expected) => expect(normaliseWebsite(text)).toBe(expected));

  test.each([
    '',
    'not a link',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://user:secret@launchwire.dev',
    'https://localhost/',
    'https://intranet/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://0x7f.1/',
    'https://router.local/',
    'http://launchwire.dev:8080/',
    'https://launch\twire.dev',
    'https:\\\\launchwire.dev',
  ])('but not %p', (text) => expect(normaliseWebsite(text)).toBeNull());
});

test('whatever a creator writes, a link is null or an https URL that stays the same when normalised again', () => {
  const text = fc.oneof(fc.string(), fc.webUrl(), fc.string({ unit: 'grapheme' }), fc.domain());
  fc.assert(
    fc.property(text, (given) => {
      const links = normaliseLinks({ telegram: given, twitter: given, website: given });
      for (const link of Object.values(links)) if (link !== null) expect(link).toStartWith('https://');
      expect(normaliseLinks(links)).toEqual(links);
    }),
  );
});

test('a link longer than 2,048 characters is null', () => {
  expect(normaliseWebsite(`https://launchwire.dev/${'a'.repeat(2_048)}`)).toBeNull();
});

test('an image is a reference to a picture, never script', () => {
  expect(normaliseImageUrl('ipfs://bafy/1.png')).toBe('ipfs://bafy/1.png');
  expect(normaliseImageUrl('https://cdn.dev/1.png')).toBe('https://cdn.dev/1.png');
  for (const text of ['', 'javascript:alert(1)', 'data:image/svg+xml,<svg/>', 'picture.png']) {
    expect(normaliseImageUrl(text)).toBeNull();
  }
});
