import type ts from 'typescript';

/** One change of one place in a file. */
export interface Mutant {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** What kind of change it is, for the reader. */
  readonly kind: string;
}

export function mutatedText(text: string, { start, end, replacement }: Mutant): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

export function lineOf(source: ts.SourceFile, { start }: Mutant): number {
  return source.getLineAndCharacterOfPosition(start).line + 1;
}

/** The lines that the mutant changes, before and after, in one line each: their key where lines move. */
export function changedLines(text: string, mutant: Mutant): { original: string; mutated: string } {
  const from = text.lastIndexOf('\n', mutant.start - 1) + 1;
  const newline = text.indexOf('\n', mutant.end);
  const to = newline < 0 ? text.length : newline;
  const oneLine = (lines: string) => lines.trim().replace(/\s+/g, ' ');
  return {
    original: oneLine(text.slice(from, to)),
    mutated: oneLine(text.slice(from, mutant.start) + mutant.replacement + text.slice(mutant.end, to)),
  };
}
