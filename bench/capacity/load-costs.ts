import { type CostFile, checkCosts } from './cost-figures.ts';

/** Reads a file of `npm run capacity:costs`. Throws when a cost is missing in it. */
export async function loadCosts(path: string | URL): Promise<CostFile> {
  const file = (await Bun.file(path).json()) as CostFile;
  return { ...file, costs: checkCosts(file.costs) };
}
