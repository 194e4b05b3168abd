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

test('an image is a public URL or a content address, in one form', () => {
  const published = {
    'ipfs://bafy/1.png': 'ipfs://bafy/1.png',
    'IPFS://QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG/a b': null,
    'ipfs://QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG/ä.png':
      'ipfs://QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG/%C3%A4.png',
    'AR://Sd-_x4wEzlR8sDvGd5hAAqEhzNWzv4_eqa2nBXnAS3k': 'ar://Sd-_x4wEzlR8sDvGd5hAAqEhzNWzv4_eqa2nBXnAS3k',
    'https://cdn.dev/1.png': 'https://cdn.dev/1.png',
    ' HTTPS://CDN.dev:443/a/../1.png?x=❤️ ': 'https://cdn.dev/1.png?x=%E2%9D%A4%EF%B8%8F',
    'http://cdn.dev/1.png': 'https://cdn.dev/1.png',
    'https://bücher.dev/1.png': 'https://xn--bcher-kva.dev/1.png',
  };
  for (const [given, expected] of Object.entries(published)) {
    expect([given, normaliseImageUrl(given)]).toEqual([given, expected]);
    if (expected !== null) expect(normaliseImageUrl(expected)).toBe(expected);
  }
});

test.each([
  '',
  'javascript:alert(1)',
  'data:image/svg+xml,<svg/>',
  'picture.png',
  'cdn.dev:8443/1.png',
  'ftp://cdn.dev/1.png',
  'https://user@cdn.dev/1.png',
  'https://user:secret@cdn.dev/1.png',
  'ipfs://user:secret@bafy/1.png',
  'https://localhost/1.png',
  'https://10.0.0.7/1.png',
  'https://1.1.1.1/1.png',
  'https://[fd00::1]/1.png',
  'https://0x7f.1/1.png',
  'https://router.lan/1.png',
  'https://a.svc/1.png',
  'https://vault.corp/1.png',
  'https://metadata.google.internal/1.png',
  'ipfs://127.0.0.1/1.png',
  'ipfs:bafy/1.png',
  'ar:///1.png',
  'https://cdn.dev/\u202e1.png',
  'https://cd\u00adn.dev/1.png',
  'ipfs://bafy/\u200b',
  'https://cdn.dev/\u{e0041}',
  'https:\\\\cdn.dev',
  'https://cdn.\tdev/1.png',
  `https://cdn.dev/${'a'.repeat(2_048)}`,
  `ipfs://bafy/${'ä'.repeat(2_000)}`,
])('no image is %p', (text) => {
  expect(normaliseImageUrl(text)).toBeNull();
});

test('a link with invisible characters or characters that turn text around is refused', () => {
  for (const hidden of ['\u00ad', '\u200b', '\u202e', '\u2066', '\ufeff', '\u{e0061}', '\u3164'])
    for (const text of [`launchwire.dev/a${hidden}b`, `launch${hidden}wire.dev`])
      expect(normaliseWebsite(text)).toBeNull();
});

test.each([
  'https://printer.lan/',
  'https://a.corp/',
  'https://wiki.intranet/',
  'https://db.svc/',
  'https://x.home/',
])('the private name %s is no website', (text) => expect(normaliseWebsite(text)).toBeNull());
