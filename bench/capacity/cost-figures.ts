import type { Machine } from '../measurement/machine.ts';

/**
 * Names of the costs of one item, which `scale/costs` measures: microseconds of CPU (`Us`), bytes, calls of a node,
 * kilobytes (`Kb`).
 */
export const costNames = [
  'readCachedApiUs',
  'readCachedBytes',
  'readUncachedApiUs',
  'readUncachedPostgresUs',
  'swapApiUs',
  'swapPostgresUs',
  'swapNodeCalls',
  'submissionApiUs',
  'submissionWorkerUs',
  'submissionRelayUs',
  'submissionPostgresUs',
  'submissionNatsUs',
  'submissionWalBytes',
  'submissionKeptBytes',
  'submissionNodeCalls',
  'tradeWorkerUs',
  'tradeReadWorkerUs',
  'tradeFollowApiUs',
  'tradePostgresUs',
  'tradeNatsUs',
  'tradeWalBytes',
  'tradeKeptBytes',
  'tradeNodeCalls',
  'deliveryRelayUs',
  'deliveryWorkerUs',
  'deliveryPostgresUs',
  'deliveryNatsUs',
  'deliveryWalBytes',
  'deliveryKeptBytes',
  'streamMessageApiUs',
  'streamReaderKb',
  'endpointRelayKb',
  'apiMb',
  'workerMb',
  'relayMb',
] as const;
export type CostName = (typeof costNames)[number];
export type Costs = Readonly<Record<CostName, number>>;

/** `bench/costs.json`. */
export interface CostFile {
  machine: Machine;
  /** Load average of the minute before the end, and busy cores while it was measured, its own work included. */
  load: { after: number; busyCores: number };
  costs: Costs;
  /** Lowest and highest round. */
  spread: Readonly<Record<string, readonly [number, number]>>;
}

/** Throws with the name of a cost that is missing or no amount. */
export function checkCosts(given: Readonly<Record<string, unknown>>): Costs {
  const costs = new Map<CostName, number>();
  for (const name of costNames) {
    const value = given[name];
    if (typeof value !== 'number' || !Number.isFinite(value) || value < 0)
      throw new Error(
        `the cost ${name} is ${String(value)}, not an amount: measure again with npm run capacity:costs`,
      );
    costs.set(name, value);
  }
  return Object.fromEntries(costs) as Record<CostName, number>;
}

/** Reads a file of `npm run capacity:costs`. Throws when a cost is missing in it. */
export async function loadCosts(path: string | URL): Promise<CostFile> {
  const file = (await Bun.file(path).json()) as CostFile;
  return { ...file, costs: checkCosts(file.costs) };
}
