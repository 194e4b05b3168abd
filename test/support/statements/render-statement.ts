import { createRequire } from 'node:module';
import type { PendingQuery, Row } from 'postgres';
import ts from 'typescript';
import type { Database } from '../../../src/db/client.ts';

type Fragment = PendingQuery<Row[]>;

/** Not `import`: a promise that resolves to a statement sends it. */
const load = createRequire(import.meta.url);

/** Names under which functions have the connection. */
const CONNECTIONS = /^(?:db|database|sql|transaction|savepoint)$/;
const FRAGMENT = /^(?:postgres\.)?PendingQuery<|^ReturnType<Database>$|^Sql$/;

/**
 * Builds statements of the product from their source, without calling the functions that send them: parameters are
 * null, or of their type where Postgres needs one, and of two fragments it takes the one for the other case.
 */
export class StatementRenderer {
  readonly #checker: ts.TypeChecker;
  readonly #db: Database;

  constructor(checker: ts.TypeChecker, db: Database) {
    this.#checker = checker;
    this.#db = db;
  }

  /** Null for a statement with a fragment that depends on more than the connection and other fragments. */
  render(template: ts.TemplateLiteral): Fragment | null {
    if (ts.isNoSubstitutionTemplateLiteral(template)) return this.#tagged([template.text], []);
    const values: unknown[] = [];
    for (const { expression } of template.templateSpans) {
      const value = this.#value(expression);
      if (value === undefined) return null;
      values.push(value);
    }
    return this.#tagged(
      [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)],
      values,
    );
  }

  #tagged(strings: string[], values: unknown[]): Fragment {
    const template: TemplateStringsArray = Object.assign(strings, { raw: strings });
    return this.#db(template, ...(values as Fragment[]));
  }

  #typeOf(expression: ts.Expression): string {
    return this.#checker.typeToString(this.#checker.getTypeAtLocation(expression));
  }

  /** Undefined where it cannot be known. */
  #value(expression: ts.Expression): unknown {
    const type = this.#typeOf(expression);
    if (FRAGMENT.test(type)) return this.#fragment(expression) ?? undefined;
    // Columns or rows of a variable list.
    if (/\bHelper<|\bIdentifier\b/.test(type)) return undefined;
    if (/^Date\b/.test(type)) return new Date(0);
    if (/^bigint\b/.test(type)) return 0n;
    if (/^boolean\b/.test(type)) return false;
    return null;
  }

  #fragment(expression: ts.Expression): Fragment | null {
    if (ts.isParenthesizedExpression(expression)) return this.#fragment(expression.expression);
    if (ts.isTaggedTemplateExpression(expression)) return this.render(expression.template);
    if (ts.isConditionalExpression(expression))
      return this.#fragment(expression.whenFalse) ?? this.#fragment(expression.whenTrue);
    if (ts.isIdentifier(expression)) {
      const declaration = this.#checker.getSymbolAtLocation(expression)?.valueDeclaration;
      const initializer =
        declaration && ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
      return initializer === undefined ? null : this.#fragment(initializer);
    }
    return ts.isCallExpression(expression) ? this.#called(expression) : null;
  }

  /** Calls an exported function that makes a fragment; of any other it renders the fragment that it returns. */
  #called({ expression, arguments: given }: ts.CallExpression): Fragment | null {
    const named = this.#checker.getSymbolAtLocation(expression);
    const symbol =
      named && named.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(named) : named;
    const declaration = symbol?.valueDeclaration;
    if (symbol === undefined || declaration === undefined) return null;
    const values: unknown[] = [];
    for (const argument of given) {
      const value = this.#argument(argument);
      if (value === undefined) return null;
      values.push(value);
    }
    const module = load(declaration.getSourceFile().fileName) as Record<string, unknown>;
    const made = module[symbol.name];
    if (typeof made === 'function') return made(...values) as Fragment;
    if (given.length > 1 || !ts.isFunctionDeclaration(declaration)) return null;
    const last = declaration.body?.statements.at(-1);
    return last && ts.isReturnStatement(last) && last.expression ? this.#fragment(last.expression) : null;
  }

  #argument(argument: ts.Expression): unknown {
    if (ts.isIdentifier(argument) && CONNECTIONS.test(argument.text)) return this.#db;
    if (ts.isStringLiteral(argument)) return argument.text;
    return FRAGMENT.test(this.#typeOf(argument)) ? (this.#fragment(argument) ?? undefined) : undefined;
  }
}
