import ts from 'typescript';
import type { Mutant } from './mutant.ts';
import { isUnobserved } from './unobserved-code.ts';

type Change = Pick<Mutant, 'start' | 'end' | 'replacement' | 'kind'>;

const K = ts.SyntaxKind;
const OPERATORS: ReadonlyMap<ts.SyntaxKind, readonly [replacement: string, kind: string]> = new Map([
  [K.LessThanToken, ['<=', 'boundary']],
  [K.LessThanEqualsToken, ['<', 'boundary']],
  [K.GreaterThanToken, ['>=', 'boundary']],
  [K.GreaterThanEqualsToken, ['>', 'boundary']],
  [K.EqualsEqualsEqualsToken, ['!==', 'equality']],
  [K.ExclamationEqualsEqualsToken, ['===', 'equality']],
  [K.AmpersandAmpersandToken, ['||', 'logic']],
  [K.BarBarToken, ['&&', 'logic']],
  [K.PlusToken, ['-', 'arithmetic']],
  [K.MinusToken, ['+', 'arithmetic']],
  [K.AsteriskToken, ['/', 'arithmetic']],
  [K.SlashToken, ['*', 'arithmetic']],
  [K.PercentToken, ['*', 'arithmetic']],
  [K.PlusEqualsToken, ['-=', 'arithmetic']],
  [K.MinusEqualsToken, ['+=', 'arithmetic']],
]);
const CONDITIONAL_CALLS = new Set(['startsWith', 'endsWith', 'includes', 'has']);
/** One millisecond more changes nothing that a test may pin. */
const DURATION_NAME = /(_MS|_S|Ms|_SECONDS|Seconds)$/;
/** Larger numbers are sizes and periods that were chosen. A test that pins one of them says nothing about the code. */
const NUMBER_MAX = 9;

/** Mutants of the code itself, without those of SQL. Not all of them compile. */
export function codeMutants(source: ts.SourceFile): Mutant[] {
  const mutants: Mutant[] = [];
  const visit = (node: ts.Node): void => {
    if (isUnobserved(node)) return;
    for (const change of changesOf(node, source)) mutants.push({ file: source.fileName, ...change });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return mutants;
}

function changesOf(node: ts.Node, source: ts.SourceFile): Change[] {
  if (ts.isBinaryExpression(node)) return operatorChange(node, source);
  if (ts.isIfStatement(node)) return conditionChanges(node.expression, source);
  if (ts.isConditionalExpression(node)) return conditionChanges(node.condition, source);
  if (ts.isWhileStatement(node)) return conditionChanges(node.expression, source).slice(1);
  if (ts.isPrefixUnaryExpression(node) && node.operator === K.ExclamationToken)
    return [replace(node, node.operand.getText(source), 'negation', source)];
  if (node.kind === K.TrueKeyword) return [replace(node, 'false', 'constant', source)];
  if (node.kind === K.FalseKeyword) return [replace(node, 'true', 'constant', source)];
  if (ts.isNumericLiteral(node) || ts.isBigIntLiteral(node)) return numberChange(node, source);
  if (ts.isStringLiteral(node)) return stringChange(node, source);
  if (ts.isExpressionStatement(node) && isDroppable(node.expression))
    return [replace(node, ';', 'dropped statement', source)];
  if (isEarlyExit(node)) return [replace(node, ';', 'dropped exit', source)];
  return [];
}

function replace(node: ts.Node, replacement: string, kind: string, source: ts.SourceFile): Change {
  return { start: node.getStart(source), end: node.end, replacement, kind };
}

function operatorChange(
  { operatorToken, left, right }: ts.BinaryExpression,
  source: ts.SourceFile,
): Change[] {
  const change = OPERATORS.get(operatorToken.kind);
  const isText = [left, right].some((side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side));
  if (change === undefined || (change[1] === 'arithmetic' && isText)) return [];
  return [replace(operatorToken, change[0], change[1], source)];
}

function conditionChanges(condition: ts.Expression, source: ts.SourceFile): Change[] {
  if (condition.kind === K.TrueKeyword || condition.kind === K.FalseKeyword) return [];
  return ['true', 'false'].map((value) => replace(condition, value, 'condition', source));
}

function numberChange(node: ts.NumericLiteral | ts.BigIntLiteral, source: ts.SourceFile): Change[] {
  const isBig = ts.isBigIntLiteral(node);
  const value = isBig ? BigInt(node.text.slice(0, -1)) : Number(node.text);
  if (value > NUMBER_MAX || !Number.isInteger(Number(value))) return [];
  const { parent } = node;
  if (ts.isPropertyAssignment(parent) && parent.name === node) return [];
  const isNamed = ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent);
  if (isNamed && DURATION_NAME.test(parent.name.getText(source))) return [];
  return [replace(node, isBig ? `${BigInt(value) + 1n}n` : String(Number(value) + 1), 'number', source)];
}

/** Texts that decide something, as arguments of `startsWith` and its like. */
function stringChange(node: ts.StringLiteral, source: ts.SourceFile): Change[] {
  const call = node.parent;
  const decides =
    ts.isCallExpression(call) &&
    call.arguments[0] === node &&
    ts.isPropertyAccessExpression(call.expression) &&
    CONDITIONAL_CALLS.has(call.expression.name.text);
  return decides && node.text !== '' ? [replace(node, "''", 'text', source)] : [];
}

/** Statements that are awaited are left: without them most often nothing works at all. */
function isDroppable(expression: ts.Expression): boolean {
  if (ts.isVoidExpression(expression)) return isDroppable(expression.expression);
  if (ts.isCallExpression(expression)) return expression.expression.kind !== K.SuperKeyword;
  if (ts.isDeleteExpression(expression) || ts.isPostfixUnaryExpression(expression)) return true;
  if (ts.isPrefixUnaryExpression(expression)) return true;
  return (
    ts.isBinaryExpression(expression) &&
    expression.operatorToken.kind >= K.FirstAssignment &&
    expression.operatorToken.kind <= K.LastAssignment
  );
}

/** A return, throw, break or continue in a branch of an `if`. */
function isEarlyExit(node: ts.Node): boolean {
  const isExit =
    ts.isReturnStatement(node) ||
    ts.isThrowStatement(node) ||
    ts.isContinueStatement(node) ||
    ts.isBreakStatement(node);
  if (!isExit) return false;
  const branch = ts.isBlock(node.parent) ? node.parent : node;
  return ts.isIfStatement(branch.parent);
}
