import { describe, expect, test } from 'bun:test';
import { createOutput } from '../../packages/client/src/cli/kit/output.ts';
import { recordText } from '../../packages/client/src/cli/kit/table.ts';
import { visible, visibleJson, visibleLines } from '../../packages/client/src/cli/kit/visible.ts';

/** Controls, a mark of each kind that turns text around or hides in it, line ends, and a tag character. */
const HOSTILE = [
  '\u0000',
  '\u0007',
  '\u001b',
  '\u007f',
  '\u009b',
  '\r',
  '\n',
  '\t',
  '\u00ad',
  '\u061c',
  '\u180e',
  '\u200b',
  '\u200d',
  '\u200e',
  '\u200f',
  '\u202a',
  '\u202e',
  '\u2028',
  '\u2029',
  '\u2060',
  '\u2066',
  '\u2069',
  '\ufeff',
  '\ufff9',
  '\u{e0041}',
  '\u{e007f}',
];
const record = { name: `a${HOSTILE.join('b')}c`, [`k${HOSTILE.join('')}`]: 1, nested: { list: HOSTILE } };
const STEERS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const withoutLineEnds = (text: string) => text.replaceAll('\n', '');

function written(isJson: boolean): { out: string; err: string; print: ReturnType<typeof createOutput> } {
  const shown = { out: '', err: '' };
  const sink = (name: 'out' | 'err') => ({
    write(text: string) {
      shown[name] += text;
    },
  });
  return Object.assign(shown, { print: createOutput(isJson, { out: sink('out'), err: sink('err') }) });
}

describe('a terminal obeys nothing that a stranger wrote', () => {
  test.each(HOSTILE)('%j is escaped', (character) => {
    const text = visible(`a${character}b`);
    expect(text).toMatch(/^a(?:\\u[0-9a-f]{4}){1,2}b$/);
    expect(JSON.parse(`"${text}"`)).toBe(`a${character}b`);
  });

  test('of the admin command line: tables, JSON, and lines of an error', () => {
    for (const result of [record, { rows: [record] }])
      expect(withoutLineEnds(recordText(result, 80))).not.toMatch(STEERS);
    expect(visibleJson(record)).not.toMatch(STEERS);
    expect(JSON.parse(visibleJson(record))).toEqual(record);
    expect(visibleLines('one\n\u001b[2Jtwo\n')).toBe('one\n\\u001b[2Jtwo\n');
  });

  test('of the npm package: records, tables, lines, notes and JSON', () => {
    const people = written(false);
    people.print.record(record);
    people.print.table([record], ['name', 'nested']);
    people.print.line(record, record.name);
    people.print.note(record.name);
    expect(withoutLineEnds(people.out + people.err)).not.toMatch(STEERS);
    const programs = written(true);
    programs.print.record(record);
    expect(JSON.parse(programs.out)).toEqual(record);
    expect(withoutLineEnds(programs.out)).not.toMatch(STEERS);
  });

  test('ordinary text of any script stays as it is', () => {
    const text = 'Æther “Zürich” 東京 العربية עברית ไทย 🚀';
    expect(visible(text)).toBe(text);
    expect(visibleJson({ text })).toBe(JSON.stringify({ text }));
  });
});
