import ts from 'typescript';

export interface SqlToken {
  /** In lower case. A value `${…}` is one token, and so is a quoted text. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Parentheses around it. A parenthesis has the depth of what is outside. */
  readonly depth: number;
}

const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|[a-z_][\w$]*|\d[\w.]*|[<>=!@&|#?*/+~%^-]+|\S/gi;
const KEYWORD =
  /\b(select|insert|update|delete|from|where|and|or|on|order by|with|join|limit|set|case|exists|returning|for)\b/i;

/** The tokens of a tagged template that holds SQL; undefined when it holds something else. */
export function sqlTokens(
  node: ts.TaggedTemplateExpression,
  source: ts.SourceFile,
): readonly SqlToken[] | undefined {
  const pieces = piecesOf(node.template, source);
  const texts = pieces
    .filter(({ isValue }) => !isValue)
    .map(({ start, end }) => source.text.slice(start, end));
  if (/\bString\.raw$/.test(node.tag.getText(source)) || !texts.some((text) => KEYWORD.test(text)))
    return undefined;
  const tokens: SqlToken[] = [];
  let depth = 0;
  const add = (text: string, start: number, end: number) => {
    if (text === ')') depth--;
    tokens.push({ text, start, end, depth });
    if (text === '(') depth++;
  };
  for (const { start, end, isValue } of pieces) {
    if (isValue) add('?', start, end);
    else
      for (const match of source.text.slice(start, end).matchAll(TOKEN)) {
        const [text] = match;
        const isComment = text.startsWith('--') || text.startsWith('/*');
        if (!isComment) add(text.toLowerCase(), start + match.index, start + match.index + text.length);
      }
  }
  return tokens;
}

/** The template's text and values in turn, without backticks. A value holds its `${` and `}`. */
function piecesOf(template: ts.TemplateLiteral, source: ts.SourceFile) {
  const start = template.getStart(source);
  if (ts.isNoSubstitutionTemplateLiteral(template))
    return [{ start: start + 1, end: template.end - 1, isValue: false }];
  const pieces: { start: number; end: number; isValue: boolean }[] = [];
  // A head and a middle end with `${`, a middle and a tail begin with `}`.
  let textStart = start + 1;
  let textEnd = template.head.end - 2;
  for (const { literal } of template.templateSpans) {
    const literalStart = literal.getStart(source);
    pieces.push({ start: textStart, end: textEnd, isValue: false });
    pieces.push({ start: textEnd, end: literalStart + 1, isValue: true });
    textStart = literalStart + 1;
    textEnd = literal.end - (literal.kind === ts.SyntaxKind.TemplateTail ? 1 : 2);
  }
  pieces.push({ start: textStart, end: textEnd, isValue: false });
  return pieces;
}
