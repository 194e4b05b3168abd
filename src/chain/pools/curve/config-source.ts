import { SingleFlight } from '../../../shared/single-flight.ts';
import { getAccounts } from '../../rpc/account-calls.ts';
import type { ChainRpc } from '../../rpc.ts';
import { type CurveConfig, readCurveConfig, readCurveConfigKeys } from './config-account.ts';

export interface KnownCurveConfig {
  address: string;
  quoteMint: string;
  config: CurveConfig;
}

/** `unreachable`: no node responds. `absent`: there is no config of a curve at the address. */
export type CurveConfigReading = KnownCurveConfig | 'unreachable' | 'absent';

const TIMEOUT_MS = 3_000;

/** Reads each config once, because configs never change. Concurrent readers share one reading. */
export function createCurveConfigSource(
  rpcs: readonly ChainRpc[],
  address: string,
): () => Promise<CurveConfigReading> {
  let known: KnownCurveConfig | undefined;
  const readings = new SingleFlight<CurveConfigReading>();
  async function read(): Promise<CurveConfigReading> {
    let reading: CurveConfigReading = 'unreachable';
    for (const rpc of rpcs) {
      const response = await getAccounts(rpc, [address], TIMEOUT_MS);
      if (!response.ok) continue;
      const account = response.value.accounts.get(address) ?? null;
      const config = readCurveConfig(account);
      const keys = readCurveConfigKeys(account);
      if (config === null || keys === null) {
        // The config may be too new for a node that lags.
        reading = 'absent';
        continue;
      }
      known = { address, quoteMint: keys.quoteMint, config };
      return known;
    }
    return reading;
  }
  return async () => known ?? readings.run(address, read);
}
