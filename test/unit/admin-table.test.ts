import { describe, expect, test } from 'bun:test';
import { recordText } from '../../packages/client/src/cli/kit/table.ts';
import { progressText } from '../../src/admin/terminal.ts';

const ID = '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e';

describe('a result for people', () => {
  test('is a table when it is a list, without empty columns', () => {
    const keys = [
      { id: 'a', scopes: ['x', 'y'], revokedAt: null, counts: { ok: 1, lost: 20 } },
      { id: 'bcd', scopes: [], revokedAt: null, counts: { ok: 10, lost: 2 } },
    ];
    expect(recordText({ keys, next: null }, 0)).toBe(
      ['ID   SCOPES  COUNTS.OK  COUNTS.LOST', 'a    x, y    1          20', 'bcd  -       10         2'].join(
        '\n',
      ),
    );
  });

  test('shows the fields beside a list, and says when the list is empty', () => {
    expect(recordText({ keys: [] }, 0)).toBe('no keys');
    const shown = recordText({ id: ID, deliveredAt: null, attempts: [{ attemptNumber: 1 }] }, 0);
    expect(shown).toBe(`id           ${ID}\ndeliveredAt  -\n\nattempts:\nATTEMPT NUMBER\n1`);
  });

  test('cuts the widest column for a terminal, and never an id', () => {
    const rows = [{ id: ID, url: `https://${'x'.repeat(200)}.example`, status: 'enabled' }];
    const lines = recordText({ rows }, 100).split('\n');
    expect(Math.max(...lines.map((line) => Bun.stringWidth(line)))).toBeLessThanOrEqual(100);
    expect(lines[1]).toContain(ID);
    expect(lines[1]).toEndWith('enabled');
    expect(recordText({ rows }, 0)).toContain('x'.repeat(200));
  });

  test('shows the lines of a text as lines below its field, and as one line in a table', () => {
    const text = 'first\nid: forged\r\nlast\n';
    expect(recordText({ id: ID, text }, 0)).toBe(`id    ${ID}\ntext  first\n      id: forged\n      last`);
    expect(recordText({ rows: [{ text }] }, 0)).toBe('TEXT\nfirst id: forged last');
    expect(recordText({ body: { text: '\n' } }, 0)).toBe('body.text  ');
    for (const result of [{ text }, { rows: [{ text }] }])
      expect(recordText(result, 80)).not.toMatch(/\\u000[ad]/);
  });

  test('contains no control sequence, whoever chose the text', () => {
    const hostile = '\u001b]0;owned\u0007\u001b[2J\r\n\u009b31m\u202eevil';
    for (const result of [{ url: hostile }, { rows: [{ url: hostile }] }, { nested: { url: [hostile] } }]) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
      expect(recordText(result, 80).replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
      expect(recordText(result, 80)).toContain('\\u001b');
    }
  });
});

test('progress is a bar with a total, and a count without', () => {
  expect(progressText(50, 200, 'secrets')).toBe('[######..................] 25 %  50 of 200 secrets');
  expect(progressText(0, 0, 'secrets')).toStartWith('[########################] 100 %');
  expect(progressText(7, null, 'deliveries')).toBe('7 deliveries');
});
