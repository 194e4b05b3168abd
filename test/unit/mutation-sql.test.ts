import { expect, test } from 'bun:test';
import { mutatedText } from '../mutation/mutant.ts';
import { parseSource } from '../mutation/source-blocks.ts';
import { sqlMutants } from '../mutation/sql-mutants.ts';

/** The mutated statements of one statement, by kind; runs of white space are one space. */
function mutantsOf(statement: string, kind?: string): string[] {
  const code = `sql\`${statement}\``;
  return sqlMutants(parseSource('src/example.ts', code))
    .filter((mutant) => kind === undefined || mutant.kind === `sql ${kind}`)
    .map((mutant) => mutatedText(code, mutant).slice(4, -1).replace(/\s+/g, ' ').trim());
}
const value = (name: string) => ['$', '{', name, '}'].join('');

test('every condition is dropped with its values, and nothing else', () => {
  const statement = `select a from t where id = ${value('id')} and (b or c) and d in (${value('d')}) order by a`;
  expect(mutantsOf(statement, 'dropped condition')).toEqual([
    `select a from t where true and (b or c) and d in (${value('d')}) order by a`,
    `select a from t where id = ${value('id')} and d in (${value('d')}) order by a`,
    `select a from t where id = ${value('id')} and (b ) and d in (${value('d')}) order by a`,
    `select a from t where id = ${value('id')} and (b or c) order by a`,
  ]);
});

test('a part of a statement has mutants, too', () => {
  expect(mutantsOf(`and created_at >= ${value('after')}`)).toEqual([
    '',
    `and created_at > ${value('after')}`,
  ]);
});

test('the and of a between is no condition, and distinct from is one condition', () => {
  expect(mutantsOf('where a between 1 and 2 and b', 'dropped condition')).toEqual([
    'where true and b',
    'where a between 1 and 2',
  ]);
  expect(mutantsOf('where a and b is distinct from c', 'dropped condition')).toEqual([
    'where true and b is distinct from c',
    'where a',
  ]);
});

test('an assignment is no comparison', () => {
  const statement = 'update t set a = b, c = (d = e) from x where t.id = x.id';
  expect(mutantsOf(statement, 'comparison')).toEqual([
    'update t set a = b, c = (d <> e) from x where t.id = x.id',
    'update t set a = b, c = (d = e) from x where t.id <> x.id',
  ]);
  expect(mutantsOf("select a -> 'b', c <@ d, e => f where true", 'comparison')).toEqual([]);
});

test('locks are dropped, and wait instead of skipping', () => {
  expect(mutantsOf('select a from t for update of t skip locked', 'dropped lock')).toEqual([
    'select a from t',
  ]);
  expect(mutantsOf('select a from t for update of t skip locked', 'waiting lock')).toEqual([
    'select a from t for update of t',
  ]);
  expect(mutantsOf('with a as (select b from t for update) select b from a', 'dropped lock')).toEqual([
    'with a as (select b from t ) select b from a',
  ]);
});

test('the order of the first key is turned and limits are dropped', () => {
  const statement = `select a from t order by a desc, b limit ${value('n')} + 1 offset 3`;
  expect(mutantsOf(statement)).toEqual([
    `select a from t order by a asc, b limit ${value('n')} + 1 offset 3`,
    'select a from t order by a desc, b offset 3',
  ]);
  expect(mutantsOf('select array_agg(a order by b) from t')).toEqual([
    'select array_agg(a order by b desc) from t',
  ]);
});

test('a conflict fails instead of doing nothing, and does nothing instead of an update', () => {
  expect(mutantsOf('insert into t select a from b on conflict (a) do nothing returning a')).toEqual([
    'insert into t select a from b returning a',
  ]);
  expect(mutantsOf('insert into t select a from b on conflict (a) do update set b = 1 returning a')).toEqual([
    'insert into t select a from b on conflict (a) do nothing returning a',
  ]);
});

test('negations are dropped', () => {
  expect(mutantsOf('select where not exists (select)', 'negation')).toEqual(['select where exists (select)']);
  expect(mutantsOf('select where a is not null', 'negation')).toEqual(['select where a is null']);
  expect(mutantsOf('create table if not exists a (b int)', 'negation')).toEqual([]);
});

test('texts, comments and templates of other languages have no mutants', () => {
  expect(mutantsOf("select 'a and b = c' -- where x = y")).toEqual([]);
  expect(mutantsOf('a < b')).toEqual([]);
});
