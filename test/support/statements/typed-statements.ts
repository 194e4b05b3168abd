import { readFileSync } from 'node:fs';
import ts from 'typescript';

const root = new URL('../../../', import.meta.url).pathname;

/** A statement of the product with the type of its rows beside it: db<Row[]>`select …`. */
export interface TypedStatement {
  /** File and line. */
  place: string;
  template: ts.TemplateLiteral;
  /** The type of a row; of a union its members. */
  rows: readonly ts.Type[];
}

export interface CheckedProgram {
  checker: ts.TypeChecker;
  statements: TypedStatement[];
}

/** Reads the product with its types. It takes 10 s of CPU. */
export function readTypedStatements(): CheckedProgram {
  const { config } = ts.parseConfigFileTextToJson(
    'tsconfig.json',
    readFileSync(`${root}tsconfig.json`, 'utf8'),
  );
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const files = fileNames.filter((name) => /^(src|relay)\//.test(name.slice(root.length)));
  const program = ts.createProgram(files, { ...options, noEmit: true, skipLibCheck: true });
  const checker = program.getTypeChecker();
  const statements = files.flatMap((name) => {
    const source = program.getSourceFile(name);
    return source === undefined
      ? []
      : typedTemplates(source).map((node) => statementOf(checker, source, node));
  });
  return { checker, statements };
}

function typedTemplates(source: ts.SourceFile): ts.TaggedTemplateExpression[] {
  const found: ts.TaggedTemplateExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && node.typeArguments !== undefined) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function statementOf(
  checker: ts.TypeChecker,
  source: ts.SourceFile,
  node: ts.TaggedTemplateExpression,
): TypedStatement {
  const { line } = source.getLineAndCharacterOfPosition(node.getStart());
  const place = `${source.fileName.slice(root.length)}:${line + 1}`;
  const [list] = node.typeArguments ?? [];
  const row = list && checker.getIndexTypeOfType(checker.getTypeFromTypeNode(list), ts.IndexKind.Number);
  if (row === undefined) throw new Error(`${place}: the type of the result is no list`);
  return { place, template: node.template, rows: row.isUnion() ? row.types : [row] };
}
