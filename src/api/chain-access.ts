import { createFeatureSource } from '../chain/feature-gates.ts';
import { createFinalizedSlotSource } from '../chain/finalized-slot.ts';
import { createChainHead } from '../chain/head.ts';
import { createTokenBalanceSources } from '../chain/holdings/wallet-balances.ts';
import { createNftSources } from '../chain/holdings/wallet-nfts.ts';
import { paceBounds } from '../chain/pace/protocol.ts';
import { createCurveConfigSource } from '../chain/pools/curve/config-source.ts';
import { createRentSource } from '../chain/rent-source.ts';
import { createSendOnlyTargets } from '../chain/rpc/send-target.ts';
import { keepWarm } from '../chain/rpc/send-transaction.ts';
import { createChainRpcs } from '../chain/rpc.ts';
import { createBlockhashSource } from '../chain/transactions/latest-blockhash.ts';
import { createPriorityFeeSource } from '../chain/transactions/priority-levels.ts';
import { createTipSource, type TipTerms } from '../chain/transactions/tip.ts';
import type { ConfigOf } from '../config/load.ts';
import { DEFAULT_MAX_TIP_LAMPORTS } from '../config/rules.ts';
import type { Clock } from '../shared/clock.ts';
import type { Logger } from '../shared/log.ts';

/** A response depends on the height of the chain only where a transaction is about to expire anyway. */
const HEAD_POLL_MS = 1_000;
/** Prices for swaps move slowly: a request to a node for each slot would buy nothing. */
const SWAP_PRICES_KEPT_SLOTS = 10;

/**
 * Wires the api's connections to the chain. `run` maintains the head and the connections until the signal
 * aborts.
 */
export function createChainAccess(config: ConfigOf<'api'>, clock: Clock, log: Logger) {
  const rpcs = createChainRpcs(config.solanaNodes, config.solanaSendAddresses.length, paceBounds(config));
  const sendTargets = [...rpcs, ...createSendOnlyTargets(config, rpcs.length)];
  const chainHead = createChainHead(rpcs, clock, log, HEAD_POLL_MS);
  const slots = (count: number) => () => count * chainHead.pace().slotMs;
  const features = createFeatureSource(
    { rpcs, clock },
    config.nonceGates.map(({ address }) => address),
    log,
  );
  return {
    features,
    sources: {
      rpcs,
      chainHead,
      blockhashes: createBlockhashSource({ rpcs, chainHead, clock }),
      priorityPrices: createPriorityFeeSource(rpcs, slots(SWAP_PRICES_KEPT_SLOTS)),
      shownPriorityFees: createPriorityFeeSource(rpcs, slots(1)),
      maxComputeUnitPrice: BigInt(config.maxComputeUnitPrice),
      tips: createTipSource(tipTerms(config)),
      hasProtectedAddress: config.solanaSendAddresses.some(({ isProtected }) => isProtected),
      balanceSources: createTokenBalanceSources(config.solanaNodes),
      nftSources: createNftSources(config.solanaNodes),
      launchConfigs: config.launchCurveConfigs.map(({ name, address }) => ({
        name,
        address,
        read: createCurveConfigSource(rpcs, address),
      })),
      readRent: createRentSource({ rpcs, clock }, chainHead),
      newestFinalizedSlot: createFinalizedSlotSource({ rpcs, chainHead, clock }),
    },
    sendTargets,
    run: async (signal: AbortSignal) => {
      await Promise.all([
        chainHead.run(signal),
        features.run(signal),
        keepWarm(sendTargets, { clock, log }, signal),
      ]);
    },
  };
}

/** An account without a name belongs to the only address for sending, if there is just one. */
function tipTerms({
  tipAccounts,
  tipLamports,
  minTipLamports,
  maxTipLamports,
  solanaSendAddresses,
}: ConfigOf<'api'>): TipTerms {
  const [only = null, ...others] = solanaSendAddresses;
  const unnamed = only !== null && others.length === 0 ? only.name : null;
  return {
    accounts: tipAccounts.map(({ address, service }) => ({ address, service: service ?? unnamed })),
    protectedServices: solanaSendAddresses.flatMap(({ name, isProtected }) => (isProtected ? [name] : [])),
    defaultLamports: BigInt(tipLamports),
    leastLamports: BigInt(minTipLamports),
    mostLamports: BigInt(maxTipLamports ?? Math.max(tipLamports, DEFAULT_MAX_TIP_LAMPORTS)),
  };
}
