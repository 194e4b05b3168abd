import ts from 'typescript';

/** A part of a file that is executed as a whole: the file (block 0), the body of a function, a branch. */
interface SourceBlock {
  readonly start: number;
  readonly end: number;
}

interface Insertion {
  readonly position: number;
  readonly text: string;
  /** Insertions at one position keep this order: what was opened last is closed first. */
  readonly order: number;
}

export function parseSource(file: string, text: string): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
}

/** The number of the innermost block that holds the position. */
export function blockAt(source: ts.SourceFile, position: number): number {
  return blocksOf(source).blocks.findLastIndex(({ start, end }) => start <= position && position < end);
}

/**
 * The text with a call of the recorder at the beginning of every block. Lines stay where they are.
 * @param recorder specifier of the module `hit-recorder.ts`, seen from the file
 */
export function recordBlocks(source: ts.SourceFile, recorder: string): string {
  const { insertions } = blocksOf(source);
  let text = source.text;
  const fromTheEnd = insertions.toSorted((a, b) => b.position - a.position || b.order - a.order);
  for (const { position, text: inserted } of fromTheEnd)
    text = text.slice(0, position) + inserted + text.slice(position);
  const name = JSON.stringify(source.fileName);
  return `import { recorderOf as __recorderOf } from '${recorder}'; const __hit = __recorderOf(${name}); ${text}`;
}

/** Blocks stand in the order in which they begin, so the innermost of several is the last one. */
function blocksOf(source: ts.SourceFile): { blocks: SourceBlock[]; insertions: Insertion[] } {
  const blocks: SourceBlock[] = [{ start: 0, end: source.text.length }];
  const insertions: Insertion[] = [];
  const add = (range: SourceBlock, before: string, after: string, at = range.start) => {
    const number = blocks.push(range) - 1;
    insertions.push({ position: at, text: before.replace('#', String(number)), order: number });
    if (after !== '') insertions.push({ position: range.end, text: after, order: -number });
  };
  const visit = (node: ts.Node): void => {
    const range = { start: node.getStart(source), end: node.end };
    if (ts.isBlock(node)) add(range, '__hit(#);', '', range.start + 1);
    else if (isBareBranch(node)) add(range, '{__hit(#);', '}');
    else if (isExpressionBody(node)) add(range, '(__hit(#), ', ')');
    else if (ts.isCaseOrDefaultClause(node) && node.statements[0] !== undefined)
      add({ start: node.statements[0].getStart(source), end: node.end }, '__hit(#);', '');
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  return { blocks, insertions };
}

/** The statement of an `if` or a loop that has no braces. */
function isBareBranch(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isIfStatement(parent))
    return (
      (node === parent.thenStatement || node === parent.elseStatement) &&
      !ts.isBlock(node) &&
      !ts.isIfStatement(node)
    );
  return ts.isIterationStatement(parent, false) && node === parent.statement && !ts.isBlock(node);
}

function isExpressionBody(node: ts.Node): boolean {
  return ts.isArrowFunction(node.parent) && node.parent.body === node && !ts.isBlock(node);
}
