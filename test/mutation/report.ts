import { areaOf } from './areas.ts';
import type { Judgement, Verdict } from './judge-mutant.ts';
import { changedLines, lineOf, type Mutant } from './mutant.ts';
import { parseSource } from './source-blocks.ts';

export type Outcome =
  | Judgement
  | { readonly mutant: Judgement['mutant']; readonly verdict: 'equivalent'; readonly reason: string };

const TESTS_SHOWN = 8;

/** A survivor for the reader: its place, the line before and after, and the tests that did not notice. */
export function describeSurvivor(text: string, { mutant, ran, leftOut }: Judgement): string {
  const { original, mutated } = changedLines(text, mutant);
  const shown = ran.slice(0, TESTS_SHOWN).join(', ') || 'none executes it';
  const others = ran.length > TESTS_SHOWN ? ` and ${ran.length - TESTS_SHOWN} others` : '';
  const missing = leftOut > 0 ? `; ${leftOut} covering test files had no time` : '';
  return [
    placeOf(text, mutant),
    `  - ${original}`,
    `  + ${mutated}`,
    `  tests: ${shown}${others}${missing}`,
  ].join('\n');
}

/** A mutant that was noticed, in a line with the test that did. */
export function describeNoticed(text: string, { mutant, verdict, ran }: Judgement): string {
  return `${verdict} in ${ran.at(-1)}: ${placeOf(text, mutant)}`;
}

function placeOf(text: string, mutant: Mutant): string {
  return `${mutant.file}:${lineOf(parseSource(mutant.file, text), mutant)} (${mutant.kind})`;
}

/** A table with a row for each area and one for all. */
export function reportByArea(outcomes: readonly Outcome[]): string {
  const areas = Map.groupBy(outcomes, ({ mutant }) => areaOf(mutant.file));
  const rows = [...areas].sort(([a], [b]) => (a < b ? -1 : 1)).map(([area, own]) => row(area, own));
  const head = ['area', 'killed', 'timed out', 'survived', 'equivalent', 'noticed'];
  return table([head, ...rows, row('all', outcomes)]);
}

/** Killed and timed out of all that are not equivalent, in percent. */
export function noticedPercent(outcomes: readonly Outcome[]): number | undefined {
  const count = (verdict: Verdict) => outcomes.filter((outcome) => outcome.verdict === verdict).length;
  const noticed = count('killed') + count('timed out');
  const judged = noticed + count('survived');
  return judged === 0 ? undefined : (100 * noticed) / judged;
}

function row(area: string, outcomes: readonly Outcome[]): string[] {
  const count = (verdict: Outcome['verdict']) =>
    String(outcomes.filter((outcome) => outcome.verdict === verdict).length);
  const percent = noticedPercent(outcomes);
  const noticed = percent === undefined ? '-' : `${percent.toFixed(0)} %`;
  return [area, count('killed'), count('timed out'), count('survived'), count('equivalent'), noticed];
}

function table(rows: readonly string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ');
  return rows.map(line).join('\n');
}
