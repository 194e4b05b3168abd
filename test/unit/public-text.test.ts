import { describe, expect, test } from 'bun:test';
import { hasHidden, publicTextFault } from '../../src/shared/public-text.ts';

const line = (text: string) => publicTextFault(text, { isLine: true });
const paragraphs = (text: string) => publicTextFault(text, { isLine: false });
const HIDDEN = 'characters that are invisible or reverse the direction of text';

describe('hidden characters in a public text are found', () => {
  test.each([
    ['soft hyphen', '\u00ad'],
    ['grapheme joiner', '\u034f'],
    ['Arabic letter mark', '\u061c'],
    ['Hangul filler', '\u3164'],
    ['Mongolian vowel separator', '\u180e'],
    ['zero width space', '\u200b'],
    ['joiner between letters', '\u200d'],
    ['left-to-right mark', '\u200e'],
    ['right-to-left override', '\u202e'],
    ['first strong isolate', '\u2068'],
    ['word joiner', '\u2060'],
    ['byte order mark', '\ufeff'],
    ['half-width filler', '\uffa0'],
    ['annotation', '\ufff9'],
    ['selector without its emoji', '\ufe0f'],
    ['tag', '\u{e0041}'],
    ['supplementary selector', '\u{e0100}'],
  ])('%s', (_name, character) => {
    for (const text of [character, `a${character}`, `${character}b`, `a${character}b`, `❤️${character}`]) {
      expect(line(text)).toBe(HIDDEN);
      expect(paragraphs(text)).toBe(HIDDEN);
      expect(hasHidden(text)).toBe(true);
    }
  });

  test('the flags that are made of tags', () => {
    expect(line('\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}')).toBe(HIDDEN);
  });
});

test.each([
  'Copper 2049',
  'Ünïcode ЖЖЖ 東京 한국어 हिन्दी ไทย',
  'العربية עברית',
  '🚀 ❤️ ☀️ 👍🏽 👨‍👩‍👧 🏳️‍🌈 1️⃣ 🇩🇪',
])('%s passes unchanged', (text) => {
  expect(line(text)).toBeNull();
  expect(paragraphs(`${text}\r\n\t${text}\n`)).toBeNull();
});

test('a line has no line ends, and no text control characters or broken pairs', () => {
  for (const end of ['\n', '\r', '\t', '\u2028', '\u2029', '\u0085'])
    expect(line(`a${end}b`)).toBe('control characters');
  for (const control of ['\u0000', '\u001b', '\u007f', '\u009b']) {
    expect(line(control)).toBe('control characters');
    expect(paragraphs(control)).toBe('control characters');
  }
  expect(line('a\ud800')).toBe('broken text');
  expect(paragraphs('\udc00b')).toBe('broken text');
});
