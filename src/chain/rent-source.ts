import { SingleFlight } from '../shared/single-flight.ts';
import { RENT_SYSVAR, type RentOf, readRent } from './accounts/sysvars.ts';
import { type CurrentReadDependencies, firstCurrentResponse } from './node-trust/first-current-response.ts';
import { getAccounts } from './rpc/account-calls.ts';

const TIMEOUT_MS = 3_000;
/** Rent has not changed in the life of a cluster so far. */
const KEPT_MS = 60_000;

/** Reads the rent of the cluster once a minute at most. Null when no node returns it. */
export function createRentSource(nodes: CurrentReadDependencies): () => Promise<RentOf | null> {
  const readings = new SingleFlight<RentOf | null>();
  let known: { rentOf: RentOf; atMs: number } | undefined;
  async function read(): Promise<RentOf | null> {
    const response = await firstCurrentResponse(nodes, (rpc, minContextSlot) =>
      getAccounts(rpc, [RENT_SYSVAR], TIMEOUT_MS, minContextSlot),
    );
    const rentOf = response.ok ? readRent(response.value.accounts.get(RENT_SYSVAR) ?? null) : null;
    if (rentOf !== null) known = { rentOf, atMs: nodes.clock.now().getTime() };
    return rentOf;
  }
  return async () => {
    const isFresh = known !== undefined && nodes.clock.now().getTime() - known.atMs < KEPT_MS;
    return isFresh && known !== undefined ? known.rentOf : readings.run(RENT_SYSVAR, read);
  };
}
