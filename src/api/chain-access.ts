import { createChainHead } from '../chain/head.ts';
import { createTokenBalanceSources } from '../chain/holdings/wallet-balances.ts';
import { createCurveConfigSource } from '../chain/pools/curve/config-source.ts';
import { createSendOnlyTargets } from '../chain/rpc/send-target.ts';
import { keepWarm } from '../chain/rpc/send-transaction.ts';
import { createChainRpcs } from '../chain/rpc.ts';
import { createBlockhashSource } from '../chain/transactions/latest-blockhash.ts';
import { createPriorityPriceSource } from '../chain/transactions/priority-price.ts';
import { createTipSource } from '../chain/transactions/tip.ts';
import type { ConfigOf } from '../config/load.ts';
import type { Clock } from '../shared/clock.ts';
import type { Logger } from '../shared/log.ts';

/** A response depends on the height of the chain only where a transaction is about to expire anyway. */
const HEAD_POLL_MS = 1_000;

/**
 * Wires the api's connections to the chain. `run` maintains the head and the connections until the signal
 * aborts.
 */
export function createChainAccess(config: ConfigOf<'api'>, clock: Clock, log: Logger) {
  const rpcs = createChainRpcs(config.solanaNodes, config.solanaSendAddresses.length);
  const sendTargets = [...rpcs, ...createSendOnlyTargets(config, rpcs.length)];
  const chainHead = createChainHead(rpcs, clock, log, HEAD_POLL_MS);
  return {
    sources: {
      rpcs,
      chainHead,
      blockhashes: createBlockhashSource({ rpcs, chainHead, clock }),
      priorityPrices: createPriorityPriceSource(rpcs),
      maxComputeUnitPrice: BigInt(config.maxComputeUnitPrice),
      tips: createTipSource(config.tipAccounts, BigInt(config.tipLamports)),
      balanceSources: createTokenBalanceSources(config.solanaNodes),
      launchConfig:
        config.launchCurveConfig === undefined
          ? null
          : createCurveConfigSource(rpcs, config.launchCurveConfig),
    },
    sendTargets,
    run: async (signal: AbortSignal) => {
      await Promise.all([chainHead.run(signal), keepWarm(sendTargets, { clock, log }, signal)]);
    },
  };
}
