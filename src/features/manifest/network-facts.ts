import type { RentOf } from '../../chain/accounts/sysvars.ts';
import type { ChainHeadSource } from '../../chain/head.ts';
import { WINDOW_BLOCKS } from '../../chain/pace/protocol.ts';
import type { Clock } from '../../shared/clock.ts';
import { KeyedLoads } from '../../shared/keyed-loads.ts';
import type { NetworkFacts } from './schema.ts';

export interface NetworkFactsDependencies {
  chainHead: Pick<ChainHeadSource, 'pace'>;
  readRent(): Promise<RentOf | null>;
  clock: Clock;
}

/** As long as responses with them may be cached. */
const KEPT_MS = 60_000;
const KEY = 'network';

/** What the chain is like now, read once a minute: the pace that this process measured, and the rent of the cluster. */
export function createNetworkFacts({
  chainHead,
  readRent,
  clock,
}: NetworkFactsDependencies): () => Promise<NetworkFacts> {
  const kept = new KeyedLoads<NetworkFacts>({
    maxAgeMs: KEPT_MS,
    entriesMax: 1,
    nowMs: () => clock.now().getTime(),
    // The first minute of a process knows more with each second.
    isCurrent: ({ slotMs, rentLamportsPerByte }) => slotMs !== null && rentLamportsPerByte !== null,
  });
  return () =>
    kept.get(KEY, async () => {
      const rentOf = await readRent();
      const { slotMs, blocksPerSecond, isMeasured } = chainHead.pace();
      return {
        slotMs: isMeasured ? Math.round(slotMs) : null,
        blocksPerSecond: isMeasured ? Math.round(blocksPerSecond * 100) / 100 : null,
        blockhashBlocks: Number(WINDOW_BLOCKS),
        rentLamportsPerByte: rentOf === null ? null : String(rentOf(1) - rentOf(0)),
        asOf: clock.now().toISOString(),
      };
    });
}
