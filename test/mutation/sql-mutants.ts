import ts from 'typescript';
import type { Mutant } from './mutant.ts';
import { type SqlToken, sqlTokens } from './sql-tokens.ts';

type Change = Pick<Mutant, 'start' | 'end' | 'replacement' | 'kind'>;
type Tokens = readonly SqlToken[];

const COMPARISONS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '=': '<>',
  '<>': '=',
};
/** Words that end a condition at the same depth. */
const AFTER_CONDITION = new Set(
  'and or order group limit offset returning for on union intersect except window having where join left right inner cross when then else end select insert update delete set from with'.split(
    ' ',
  ),
);
const AFTER_ORDER = new Set('limit offset for union returning rows range on window'.split(' '));
const LOCK_MODES = new Set(['update', 'share', 'no', 'key']);

/** Mutants of the SQL in tagged templates: conditions, comparisons, locks, order, conflicts and limits. */
export function sqlMutants(source: ts.SourceFile): Mutant[] {
  const mutants: Mutant[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node))
      for (const change of templateChanges(sqlTokens(node, source) ?? []))
        mutants.push({ file: source.fileName, ...change });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return mutants;
}

function templateChanges(tokens: Tokens): Change[] {
  return tokens.flatMap((token, at) => {
    if (Object.hasOwn(COMPARISONS, token.text)) return comparison(tokens, at);
    switch (token.text) {
      case 'and':
        return isOfBetween(tokens, at) ? [] : droppedCondition(tokens, at);
      case 'or':
        return droppedCondition(tokens, at);
      case 'where':
        return firstCondition(tokens, at);
      case 'not':
        return negation(tokens, at);
      case 'for':
        return lock(tokens, at);
      case 'order':
        return order(tokens, at);
      case 'on':
        return conflict(tokens, at);
      case 'limit':
        return limit(tokens, at);
      default:
        return [];
    }
  });
}

function change(tokens: Tokens, from: number, to: number, replacement: string, kind: string): Change[] {
  const [first, last] = [tokens[from], tokens[to]];
  if (first === undefined || last === undefined || to < from) return [];
  return [{ start: first.start, end: last.end, replacement, kind: `sql ${kind}` }];
}

/** The last token of what begins at `from` and ends before one of the words at its depth, or with its parentheses. */
function lastBefore(tokens: Tokens, from: number, words: ReadonlySet<string>): number {
  const depth = tokens[from]?.depth ?? 0;
  const ends = ({ text, depth: at }: SqlToken) =>
    at < depth || (at === depth && (words.has(text) || text === ';'));
  const goesOn = (at: number) => isOfBetween(tokens, at) || tokens[at - 1]?.text === 'distinct';
  const end = tokens.findIndex((token, at) => at >= from && ends(token) && !goesOn(at));
  return (end < 0 ? tokens.length : end) - 1;
}

function droppedCondition(tokens: Tokens, at: number): Change[] {
  return change(tokens, at, lastBefore(tokens, at + 1, AFTER_CONDITION), '', 'dropped condition');
}

function firstCondition(tokens: Tokens, at: number): Change[] {
  return change(tokens, at + 1, lastBefore(tokens, at + 1, AFTER_CONDITION), 'true', 'dropped condition');
}

/** Whether the `and` belongs to a `between`. */
function isOfBetween(tokens: Tokens, at: number): boolean {
  if (tokens[at]?.text !== 'and') return false;
  const { depth } = tokens[at];
  const before = tokens.slice(0, at).findLast((token) => token.depth === depth && isJunction(token.text));
  return before?.text === 'between';
}

function isJunction(word: string): boolean {
  return word === 'between' || AFTER_CONDITION.has(word);
}

/** `=` compares everywhere but in the assignments of a `set` and of a named argument. */
function comparison(tokens: Tokens, at: number): Change[] {
  const token = tokens[at];
  if (token === undefined) return [];
  if (token.text === '=' && isAssignment(tokens, at)) return [];
  return change(tokens, at, at, COMPARISONS[token.text] ?? '', 'comparison');
}

/** Whether the `=` follows `set` or a comma of its list. An unknown beginning, in a part of a statement, is a comparison. */
function isAssignment(tokens: Tokens, at: number): boolean {
  const depth = tokens[at]?.depth ?? 0;
  const before = tokens.slice(0, at).filter((token) => token.depth === depth);
  const starts = before.findLastIndex(({ text }) => AFTER_CONDITION.has(text) || text === ',');
  const start = before[starts]?.text;
  if (start === 'set') return true;
  if (start !== ',') return false;
  return (
    before.findLast(({ text }) => /^(set|where|from|on|select|returning|by)$/.test(text))?.text === 'set'
  );
}

/** `not exists`, `not (…)`, `is not null`, and `is null` through its own `not`. */
function negation(tokens: Tokens, at: number): Change[] {
  const next = tokens[at + 1]?.text ?? '';
  // `if not exists` and `not materialized` are no conditions.
  const isCondition = next !== 'materialized' && tokens[at - 1]?.text !== 'if';
  return isCondition ? change(tokens, at, at, '', 'negation') : [];
}

function lock(tokens: Tokens, at: number): Change[] {
  if (!LOCK_MODES.has(tokens[at + 1]?.text ?? '')) return [];
  const depth = tokens[at]?.depth ?? 0;
  const end = tokens.findIndex((token, index) => index > at && token.depth < depth);
  const last = (end < 0 ? tokens.length : end) - 1;
  const skip = tokens.findIndex(({ text }, index) => index > at && index <= last && text === 'skip');
  const whole = change(tokens, at, last, '', 'dropped lock');
  return skip < 0 ? whole : [...whole, ...change(tokens, skip, last, '', 'waiting lock')];
}

/** Turns the direction of the first key. */
function order(tokens: Tokens, at: number): Change[] {
  if (tokens[at + 1]?.text !== 'by') return [];
  const depth = tokens[at]?.depth ?? 0;
  const last = lastBefore(tokens, at + 2, AFTER_ORDER);
  const comma = tokens.findIndex(
    (token, index) => index > at && index <= last && token.depth === depth && token.text === ',',
  );
  const end = comma < 0 ? last : comma - 1;
  const direction = tokens.findIndex(
    ({ text }, index) => index > at && index <= end && (text === 'asc' || text === 'desc'),
  );
  if (direction >= 0)
    return change(tokens, direction, direction, tokens[direction]?.text === 'asc' ? 'desc' : 'asc', 'order');
  const key = tokens[end];
  return key === undefined || end < at + 2
    ? []
    : [{ start: key.end, end: key.end, replacement: ' desc', kind: 'sql order' }];
}

function conflict(tokens: Tokens, at: number): Change[] {
  if (tokens[at + 1]?.text !== 'conflict') return [];
  const depth = tokens[at]?.depth ?? 0;
  const action = tokens.findIndex(
    (token, index) => index > at && token.depth === depth && token.text === 'do',
  );
  if (tokens[action + 1]?.text === 'nothing')
    return change(tokens, at, action + 1, '', 'dropped on conflict');
  const last = lastBefore(tokens, action + 2, new Set(['returning']));
  return change(tokens, action, last, 'do nothing', 'on conflict');
}

function limit(tokens: Tokens, at: number): Change[] {
  const last = lastBefore(tokens, at + 1, new Set(['offset', 'for', 'union', 'returning', 'on']));
  return change(tokens, at, last, '', 'dropped limit');
}
