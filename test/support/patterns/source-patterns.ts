import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

/** A regular expression of the sources. */
export interface SourcePattern {
  /** File and line. */
  at: string;
  pattern: RegExp;
}

const ROOT = join(import.meta.dir, '../../..');

/**
 * Every regular expression of the folders: literals, and texts of a schema's `pattern`. Throws for an
 * expression that is built at run time, because this cannot check it.
 */
export function sourcePatterns(folders: readonly string[]): SourcePattern[] {
  return folders.flatMap((folder) =>
    [...new Bun.Glob('**/*.ts').scanSync({ cwd: join(ROOT, folder), absolute: true })]
      .sort()
      .flatMap((file) => patternsOf(relative(ROOT, file), readFileSync(file, 'utf8'))),
  );
}

/** Every regular expression of one source text. */
export function patternsOf(file: string, text: string): SourcePattern[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: SourcePattern[] = [];
  const visit = (node: ts.Node): void => {
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
    const pattern = patternOf(node, `${file}:${line}`);
    if (pattern !== undefined) found.push({ at: `${file}:${line}`, pattern });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function patternOf(node: ts.Node, at: string): RegExp | undefined {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf('/');
    return new RegExp(node.text.slice(1, end), node.text.slice(end + 1));
  }
  if (ts.isPropertyAssignment(node) && node.name.getText() === 'pattern') {
    return ts.isStringLiteralLike(node.initializer) ? new RegExp(node.initializer.text) : undefined;
  }
  if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp')
    throw new Error(`${at}: a pattern that is put together at run time`);
  return undefined;
}
