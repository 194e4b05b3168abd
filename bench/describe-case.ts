import { type CaseResult, TOO_FEW_SAMPLES } from './cases/case.ts';
import { describeDoubts } from './report/doubts.ts';
import { ratioTexts } from './report/ratio-texts.ts';

/**
 * One case on the console: figures by variant, then its ratios with their spread. `doubts` are the reasons why they may
 * not be quoted.
 */
export function describeCase(
  name: string,
  result: CaseResult,
  { tookSeconds, doubts }: { tookSeconds: number; doubts: readonly string[] },
): string {
  const { name: title, figures } = result;
  const rounds = Math.max(...figures.map((variant) => variant.rounds.length));
  const rows = figures.map(({ name: variant, median }) => [
    variant,
    Object.fromEntries(
      Object.entries(median).map(([figure, value]) => {
        // A round shorter than a tick of the CPU clock measures none.
        const isBelowTick = figure.startsWith('cpu') && value === 0;
        return [figure, isBelowTick ? TOO_FEW_SAMPLES : Number(value.toPrecision(4))];
      }),
    ),
  ]);
  return [
    `\n${name}: ${title} (${rounds === 1 ? '1 round' : `medians of ${rounds} rounds`}; ${tookSeconds.toFixed(0)} s)`,
    Bun.inspect.table(Object.fromEntries(rows), { colors: false }).trimEnd(),
    ...ratioTexts(result).map(
      ({ ratio, median, rounds: spread }) => `  ${ratio}: ${median}${spread === '' ? '' : `  [${spread}]`}`,
    ),
    ...(doubts.length === 0 ? [] : [`  ${describeDoubts(doubts)}`]),
  ].join('\n');
}
