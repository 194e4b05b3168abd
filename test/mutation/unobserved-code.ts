import ts from 'typescript';

const LOG_METHODS = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal']);
const METRIC_METHODS = new Set(['counter', 'gauge', 'histogram']);
/** Properties whose value is read by people. */
const DOCUMENTING = new Set([
  'description',
  'summary',
  'title',
  'example',
  'examples',
  'exampleBody',
  'help',
]);

/** Types, imports, log lines, descriptions of metrics and of schemas: what they say is no behaviour. */
export function isUnobserved(node: ts.Node): boolean {
  if (ts.isTypeNode(node) || ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node)) return true;
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true;
  if (ts.isPropertyAssignment(node)) return DOCUMENTING.has(node.name.getText());
  if (ts.isExpressionStatement(node)) return isReport(withoutOperators(node.expression));
  return isReport(node);
}

function withoutOperators(expression: ts.Expression): ts.Expression {
  if (ts.isVoidExpression(expression) || ts.isAwaitExpression(expression))
    return withoutOperators(expression.expression);
  return expression;
}

function isReport(node: ts.Node): boolean {
  return ts.isCallExpression(node) && (isLogCall(node) || isMetricDeclaration(node));
}

function isLogCall({ expression }: ts.CallExpression): boolean {
  if (!ts.isPropertyAccessExpression(expression)) return false;
  const { name, expression: logger } = expression;
  return LOG_METHODS.has(name.text) && /(^|[.#])(log|logger)$/i.test(logger.getText());
}

function isMetricDeclaration({ expression }: ts.CallExpression): boolean {
  return (
    ts.isPropertyAccessExpression(expression) &&
    METRIC_METHODS.has(expression.name.text) &&
    /metrics|registry/i.test(expression.expression.getText())
  );
}
