import { describe, expect, test } from 'bun:test';
import { createRedactor, redactForms, redactPath } from '../../src/shared/redact.ts';

describe('secrets are cut out of a text', () => {
  test.each([
    ['a key lw_test_abc_DEF here', 'a key lw_[redacted] here'],
    ['"whsec_abc+/=" stays a string', '"whsec_[redacted]" stays a string'],
    ['Authorization: Bearer abc.def, next', 'Authorization: Bearer [redacted], next'],
    ['postgres://user:pa:ss@db/launchwire', 'postgres://[redacted]@db/launchwire'],
    ['https://node.example/v1?api-key=1 failed', 'https://node.example/v1?[redacted] failed'],
    ['nats://u:p@host/a?b=c#d', 'nats://[redacted]@host/a?[redacted]'],
    ['two http://a@b http://c@d', 'two http://[redacted]@b http://[redacted]@d'],
  ])('%s', (text, redacted) => {
    expect(redactForms(text)).toBe(redacted);
  });

  test('an address without credentials stays, and so does a question mark', () => {
    for (const text of ['see https://docs.example/a/b#c', 'a@b.example? yes', '//host/path?query'])
      expect(redactForms(text)).toBe(text);
  });

  test('secrets by value, in every spelling', () => {
    const redact = createRedactor(['p"ss word/1']);
    expect(redact('p"ss word/1 p\\"ss word/1 p%22ss%20word%2F1')).toBe('[redacted] [redacted] [redacted]');
  });
});

describe('a path that is logged or sent back', () => {
  test('shows no credential, encoded or not, and is otherwise as it was sent', () => {
    expect(redactPath('/api/v2/tokens/a%2Fb')).toBe('/api/v2/tokens/a%2Fb');
    expect(redactPath('/x/http%3A%2F%2Fuser%3Apass%40host')).toBe('/x/http://[redacted]@host');
    expect(redactPath('/x/whsec_abc%zz')).toBe('/x/whsec_[redacted]%zz');
  });

  test('is bounded, and a user name that the bound cuts through is not shown', () => {
    expect(redactPath(`/${'a'.repeat(20_000)}`)).toHaveLength(512);
    expect(redactPath(`/${'a'.repeat(510)}%41`)).toBe(`/${'a'.repeat(510)}`);
    const shown = redactPath(`/${'a'.repeat(480)}/http://hunter2${'b'.repeat(600)}@host`);
    expect(shown).not.toContain('hunter2');
    expect(shown.length).toBeLessThanOrEqual(512);
  });
});
