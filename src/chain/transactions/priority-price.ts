import { KeyedLoads } from '../../shared/keyed-loads.ts';
import { getRecentPrices } from '../rpc/blockhash-calls.ts';
import { firstResponse } from '../rpc/first-response.ts';
import type { ChainRpc } from '../rpc.ts';

/** The current price of priority for transactions that write to these accounts. */
export type PriorityPriceSource = (writtenAccounts: readonly string[]) => Promise<bigint>;

const TIMEOUT_MS = 1_000;
const KEPT_MS = 2_000;
const KEPT_MAX = 2_000;
/** A transaction pays at least the lowest price of three out of four recent blocks. */
const PERCENTILE = 75;

/**
 * Micro-lamports per compute unit that recent blocks asked of transactions writing to these accounts. 0 when
 * no node responds: priority is never required, and a transaction without it still lands.
 */
export function createPriorityPriceSource(rpcs: readonly ChainRpc[]): PriorityPriceSource {
  const kept = new KeyedLoads<bigint>({ maxAgeMs: KEPT_MS, entriesMax: KEPT_MAX });
  return (accounts) =>
    kept.get(accounts.join(), async () => {
      const prices = await firstResponse(rpcs, (rpc) => getRecentPrices(rpc, accounts, TIMEOUT_MS));
      return prices.ok ? percentile(prices.value) : 0n;
    });
}

/** The nearest-rank percentile. */
function percentile(prices: readonly bigint[]): bigint {
  const ascending = [...prices].sort((one, other) => (one < other ? -1 : Number(one > other)));
  return ascending[Math.ceil((ascending.length * PERCENTILE) / 100) - 1] ?? 0n;
}
