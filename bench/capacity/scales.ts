import type { CostFile } from './cost-figures.ts';
import { planFor } from './plan.ts';
import type { Prices } from './prices.ts';
import {
  costSource,
  costTable,
  demandTable,
  deploymentTable,
  exhaustedTable,
  priceLine,
  type Scale,
  saturationTable,
  workloadTable,
} from './tables.ts';
import { assumptions, baseline, times } from './workload.ts';

/** The scales of docs/scaling.md. */
const FACTORS = [1, 10, 100, 1_000] as const;

/** The generated parts of docs/scaling.md, by the name of their place in it. */
export function generatedTables(file: CostFile, prices: Prices): Readonly<Record<string, string>> {
  const scales: Scale[] = [
    ...FACTORS.map((factor) => ({ factor, suffix: '', assumed: assumptions })),
    { factor: 1_000, suffix: ', feed', assumed: { ...assumptions, hasFeed: true } },
  ].map(({ factor, suffix, assumed }) => ({
    title: `${factor.toLocaleString('en')}×${suffix}`,
    plan: planFor(times(baseline, factor), file.costs, assumed, prices),
  }));
  return {
    workload: workloadTable(scales),
    saturation: saturationTable(scales),
    demand: demandTable(scales),
    deployment: `${deploymentTable(scales, prices)}\n\n${priceLine(prices)}`,
    exhausted: exhaustedTable(scales),
    costs: `${costTable(file.costs)}\n\n${costSource(file)}`,
  };
}

const PLACE = /(<!-- capacity: ([a-z]+) -->\n)(?:[\s\S]*?\n)??(<!-- end -->)/g;

/** The page with its generated parts replaced. Throws for a place that nothing fills. */
export function fillTables(page: string, tables: Readonly<Record<string, string>>): string {
  return page.replaceAll(PLACE, (_, begin: string, name: string, end: string) => {
    const table = tables[name];
    if (table === undefined) throw new Error(`nothing fills "${name}"`);
    return `${begin}\n${table}\n\n${end}`;
  });
}
