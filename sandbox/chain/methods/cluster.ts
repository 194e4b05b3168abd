import { SYSTEM_PROGRAM } from '../../../src/chain/accounts/programs.ts';
import { FIRST_SLOT } from '../commitment.ts';
import { type RpcContext, type RpcMethods, withContext } from '../rpc-context.ts';
import { invalidParams } from '../rpc-errors.ts';
import { addressOf, configAt, contextSlotOf, integerOf } from '../rpc-params.ts';
import { SLOTS_PER_EPOCH } from '../vm.ts';

const SECOND_MS = 1_000;
const SAMPLE_MS = 60_000;
const SAMPLES_MAX = 720;
const LARGEST_ACCOUNTS = 20;
const LEADERS_MAX = 5_000;

/** Answers of a cluster of one node without votes, stake and inflation. */
export const clusterMethods: RpcMethods = {
  getEpochSchedule: () => ({
    slotsPerEpoch: SLOTS_PER_EPOCH,
    leaderScheduleSlotOffset: SLOTS_PER_EPOCH,
    warmup: false,
    firstNormalEpoch: 0,
    firstNormalSlot: 0,
  }),
  getTransactionCount: (context, params) => {
    const slot = contextSlotOf(context, configAt(params, 0));
    return context.ledger.history.countUpTo(slot);
  },
  getSlotLeader: (context, params) => {
    contextSlotOf(context, configAt(params, 0));
    return identityOf(context);
  },
  getSlotLeaders: (context, params) => {
    integerOf(params[0], 'start slot');
    const limit = integerOf(params[1], 'limit');
    if (limit < 1 || limit > LEADERS_MAX) throw invalidParams(`Invalid limit; max ${LEADERS_MAX}`);
    return new Array<string>(limit).fill(identityOf(context));
  },
  getLeaderSchedule: (context, params) => {
    const { identity } = configAt(params, typeof params[0] === 'object' ? 0 : 1);
    const leader = identityOf(context);
    if (identity !== undefined && identity !== null && addressOf(identity) !== leader) return {};
    return { [leader]: Array.from({ length: Number(SLOTS_PER_EPOCH) }, (_, slot) => slot) };
  },
  getBlockProduction: (context, params) => {
    const slot = contextSlotOf(context, configAt(params, 0));
    const firstSlot = slot - (slot % SLOTS_PER_EPOCH);
    const produced = slot - firstSlot + 1n;
    return withContext(slot, {
      byIdentity: { [identityOf(context)]: [produced, produced] },
      range: { firstSlot, lastSlot: slot },
    });
  },
  /** No certificate: consensus of one node never changes over. */
  getAgGenesisCert: () => null,
  getBlockCommitment: () => ({ commitment: null, totalStake: 0 }),
  getClusterNodes: (context) => [
    {
      pubkey: identityOf(context),
      gossip: null,
      tpu: null,
      tpuQuic: null,
      rpc: null,
      pubsub: null,
      version: null,
      featureSet: null,
      shredVersion: 1,
    },
  ],
  getVoteAccounts: () => ({ current: [], delinquent: [] }),
  getInflationGovernor: () => ({ initial: 0, terminal: 0, taper: 0, foundation: 0, foundationTerm: 0 }),
  getInflationRate: (context) => ({
    epoch: context.view.slotAt('finalized') / SLOTS_PER_EPOCH,
    total: 0,
    validator: 0,
    foundation: 0,
  }),
  getInflationReward: (_context, params) => {
    const addresses = params[0];
    if (!Array.isArray(addresses)) throw invalidParams('Invalid params: expected an array of addresses.');
    return addresses.map(addressOf).map(() => null);
  },
  getStakeMinimumDelegation: (context, params) =>
    withContext(contextSlotOf(context, configAt(params, 0)), 1_000_000_000n),
  getRecentPerformanceSamples: (context, params) => {
    const limit = params[0] === undefined || params[0] === null ? SAMPLES_MAX : integerOf(params[0], 'limit');
    if (limit > SAMPLES_MAX) throw invalidParams(`Invalid limit; max ${SAMPLES_MAX}`);
    return performanceSamples(context, limit);
  },
  getHighestSnapshotSlot: (context) => ({ full: context.view.slotAt('finalized'), incremental: null }),
  getMaxRetransmitSlot: (context) => context.view.headSlot,
  getMaxShredInsertSlot: (context) => context.view.headSlot,
  /** All lamports circulate: no program of the chain withholds any. */
  getSupply: (context, params) => {
    const slot = contextSlotOf(context, configAt(params, 0));
    const total = systemAccounts(context, slot).reduce((sum, { lamports }) => sum + lamports, 0n);
    return withContext(slot, {
      total,
      circulating: total,
      nonCirculating: 0,
      nonCirculatingAccounts: [],
    });
  },
  getLargestAccounts: (context, params) => {
    const config = configAt(params, 0);
    const slot = contextSlotOf(context, config);
    if (config.filter === 'nonCirculating') return withContext(slot, []);
    const value = systemAccounts(context, slot)
      .sort((one, other) => (one.lamports < other.lamports ? 1 : -1))
      .slice(0, LARGEST_ACCOUNTS);
    return withContext(slot, value);
  },
};

function identityOf({ ledger }: RpcContext): string {
  return ledger.faucet.address;
}

function systemAccounts(context: RpcContext, slot: bigint): { address: string; lamports: bigint }[] {
  return context.ledger
    .programAccountsAt(SYSTEM_PROGRAM, slot)
    .map(({ address, account }) => ({ address, lamports: account.lamports }));
}

/**
 * How many slots began in each minute of the clock, newest first, back to the first slot. Sandbox chains are young: the
 * minute in which one began counts from its first whole second, and before that minute ends its seconds are a sample.
 */
function performanceSamples({ ledger, view }: RpcContext, limit: number): object[] {
  const { history, clock } = ledger;
  const nowMs = clock.unixMsOf(view.headSlot);
  const startMs = Math.ceil(clock.unixMsOf(FIRST_SLOT) / SECOND_MS) * SECOND_MS;
  const samples: object[] = [];
  let endMs = nowMs - (nowMs % SAMPLE_MS);
  if (endMs <= startMs) endMs = nowMs - (nowMs % SECOND_MS);
  while (samples.length < limit && endMs > startMs) {
    const beginMs = Math.max(startMs, Math.ceil(endMs / SAMPLE_MS) * SAMPLE_MS - SAMPLE_MS);
    const [first, slot] = [clock.slotThen(beginMs), clock.slotThen(endMs)];
    const numTransactions = history.countUpTo(slot) - history.countUpTo(first);
    samples.push({
      slot,
      numSlots: slot - first,
      numTransactions,
      numNonVoteTransactions: numTransactions,
      samplePeriodSecs: (endMs - beginMs) / SECOND_MS,
    });
    endMs = beginMs;
  }
  return samples;
}
