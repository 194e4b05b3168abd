import { FIRST_SLOT } from '../commitment.ts';
import { type RpcContext, type RpcMethods, withContext } from '../rpc-context.ts';
import { invalidParams } from '../rpc-errors.ts';
import { addressOf, configAt, contextSlotOf, integerOf } from '../rpc-params.ts';
import { NOMINAL_SLOT_MS } from '../slot-clock.ts';

export const SLOTS_PER_EPOCH = 432_000n;
const SAMPLE_SECONDS = 60;
const SAMPLES_MAX = 720;
const LARGEST_ACCOUNTS = 20;
const LEADERS_MAX = 5_000;
const SYSTEM_PROGRAM = '11111111111111111111111111111111';

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

/** One sample for each minute of slots at the present pace, newest first, back to the first slot. */
function performanceSamples(context: RpcContext, limit: number): object[] {
  const { history, clock } = context.ledger;
  const slotMs = clock.newest.slotMs || NOMINAL_SLOT_MS;
  const numSlots = BigInt(Math.max(1, Math.round((SAMPLE_SECONDS * 1_000) / slotMs)));
  const samples: object[] = [];
  let slot = context.view.slotAt('finalized');
  while (samples.length < limit && slot - numSlots >= FIRST_SLOT) {
    const numTransactions = history.countUpTo(slot) - history.countUpTo(slot - numSlots);
    samples.push({
      slot,
      numSlots,
      numTransactions,
      numNonVoteTransactions: numTransactions,
      samplePeriodSecs: SAMPLE_SECONDS,
    });
    slot -= numSlots;
  }
  return samples;
}
