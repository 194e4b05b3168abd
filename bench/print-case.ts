import { type CaseResult, TOO_FEW_SAMPLES } from './cases/case.ts';

/** One case on the console: figures by variant, then its ratios with their spread. */
export function printCase(
  name: string,
  { name: title, figures, ratios }: CaseResult,
  tookSeconds: number,
): void {
  const rounds = Math.max(...figures.map((variant) => variant.rounds.length));
  console.log(`\n${name}: ${title} (medians of ${rounds} rounds; ${tookSeconds.toFixed(0)} s)`);
  const rows = figures.map(({ name: variant, median }) => [
    variant,
    Object.fromEntries(
      Object.entries(median).map(([figure, value]) => [figure, Number(value.toPrecision(4))]),
    ),
  ]);
  console.table(Object.fromEntries(rows));
  for (const [meaning, value] of Object.entries(ratios)) {
    console.log(`  ${meaning}: ${describeRatio(value)}`);
  }
}

function describeRatio(value: CaseResult['ratios'][string]): string {
  if (value === null) return TOO_FEW_SAMPLES;
  if (typeof value === 'number') return value.toFixed(3);
  return `${value.median.toFixed(3)}  [${value.min.toFixed(3)} to ${value.max.toFixed(3)}]`;
}
