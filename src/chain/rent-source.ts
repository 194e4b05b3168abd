import { SingleFlight } from '../shared/single-flight.ts';
import {
  EPOCH_SCHEDULE_SYSVAR,
  RENT_SYSVAR,
  type RentOf,
  readNextEpochSlot,
  readRent,
} from './accounts/sysvars.ts';
import type { ChainHeadSource } from './head.ts';
import { type CurrentReadDependencies, firstCurrentResponse } from './node-trust/first-current-response.ts';
import { getAccounts } from './rpc/account-calls.ts';

/** The rent of the cluster. Null when no node returns it: nothing replaces it. */
export type RentSource = () => Promise<RentOf | null>;

/** The rent, and the first slot in which it may be another one. */
interface ReadRent {
  rentOf: RentOf;
  /** Null when the node does not return the schedule of epochs. */
  untilSlot: bigint | null;
}

const TIMEOUT_MS = 3_000;
/** The rent is read again after this time in case a node returned a wrong one. Within an epoch it does not change. */
const KEPT_MS = 10 * 60_000;

/**
 * Reads the rent of the cluster once an epoch, and once in ten minutes at most. It changes with an epoch only
 * (reference/solana#rent), which begins when the head reaches its first slot.
 */
export function createRentSource(
  nodes: CurrentReadDependencies,
  chainHead: Pick<ChainHeadSource, 'current'>,
): RentSource {
  const readings = new SingleFlight<RentOf | null>();
  let known: (ReadRent & { atMs: number }) | null = null;
  async function read(): Promise<RentOf | null> {
    const rent = await readClusterRent(nodes);
    known = rent && { ...rent, atMs: nodes.clock.now().getTime() };
    return rent?.rentOf ?? null;
  }
  return async () => {
    const isCurrent =
      known !== null &&
      nodes.clock.now().getTime() - known.atMs < KEPT_MS &&
      (known.untilSlot === null || (chainHead.current()?.slot ?? 0n) < known.untilSlot);
    return known !== null && isCurrent ? known.rentOf : readings.run(RENT_SYSVAR, read);
  };
}

async function readClusterRent(nodes: CurrentReadDependencies): Promise<ReadRent | null> {
  const response = await firstCurrentResponse(nodes, (rpc, minContextSlot) =>
    getAccounts(rpc, [RENT_SYSVAR, EPOCH_SCHEDULE_SYSVAR], TIMEOUT_MS, minContextSlot),
  );
  if (!response.ok) return null;
  const { slot, accounts } = response.value;
  const rentOf = readRent(accounts.get(RENT_SYSVAR) ?? null);
  return (
    rentOf && { rentOf, untilSlot: readNextEpochSlot(accounts.get(EPOCH_SCHEDULE_SYSVAR) ?? null, slot) }
  );
}
