import type { BenchCase } from '../cases/case.ts';
import { simulateDay } from './simulated-day.ts';

const SECONDS = 5;

/**
 * How much the caches of the api load for the reads of four times the day, while loads are fast and while they take about
 * as long as the changes of a token are apart.
 */
export const reads: BenchCase = async () => {
  const figures = [];
  for (const loadMs of [10, 80]) {
    const day = await simulateDay({ rate: 4, seconds: SECONDS, loadMs, seed: 1 });
    const figure = { loadsPerRead: day.loads / day.reads, hitShare: day.hits / day.reads };
    figures.push({ name: `loads of ${loadMs} ms`, median: figure, rounds: [figure] });
  }
  return {
    name: 'reads of four times the day, in simulated time',
    figures,
    ratios: Object.fromEntries(
      figures.map(({ name, median }) => [`loads per read, ${name}`, median.loadsPerRead]),
    ),
  };
};
