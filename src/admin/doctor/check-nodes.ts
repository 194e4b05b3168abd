import { clusterOf } from '../../chain/cluster.ts';
import { believedPosition, readPosition, type Witness } from '../../chain/node-trust/believed-position.ts';
import { leastCurrentSlot, nearSlots } from '../../chain/node-trust/chain-reach.ts';
import { type ChainPosition, PositionHistory } from '../../chain/node-trust/position-history.ts';
import { Quarantine } from '../../chain/node-trust/quarantine.ts';
import { fastestOf, mostIn } from '../../chain/pace/chain-pace.ts';
import { paceOf } from '../../chain/pace/measured-pace.ts';
import { type PaceBounds, protocolBounds } from '../../chain/pace/protocol.ts';
import { getGenesisHash } from '../../chain/rpc/position-calls.ts';
import type { ChainRpc } from '../../chain/rpc.ts';
import type { Database } from '../../db/client.ts';
import type { Clock } from '../../shared/clock.ts';
import { hostOf, type NodeAddress } from '../../shared/node-address.ts';
import { type Finding, failed, ok, skipped } from './finding.ts';

const TIMEOUT_MS = 5_000;

interface NodeReading {
  rpc: ChainRpc;
  reading: ChainPosition;
  genesis: string;
}

/** Reading progress of the chain indexer: slots of nodes that the worker accepted in the past. */
export interface ReadSlot {
  slot: bigint;
  at: Date;
}

/** Returns the newest slot that the workers have read; null before the first. */
export async function readNewestSlot(database: Database): Promise<ReadSlot | null> {
  const [row] = await database<ReadSlot[]>`
    select last_slot as slot, updated_at as at from indexer_cursors order by last_slot desc limit 1`;
  return row ?? null;
}

/**
 * Checks that each node of SOLANA_RPC_URL responds, belongs to the cluster of the majority, and agrees with
 * the other nodes and the past on the height of the chain, by the worker's rules (decisions/0024 and 0044): a
 * node that is far ahead is not believed and changes no other result.
 */
export async function checkNodes(
  rpcs: readonly ChainRpc[],
  clock: Clock,
  { read, sharedHosts: shared }: { read: ReadSlot | null; sharedHosts: ReadonlySet<string> },
): Promise<Finding[]> {
  if (rpcs.length === 0) return [skipped('nodes', 'needs SOLANA_RPC_URL')];
  const asked = await Promise.all(rpcs.map((rpc) => ask(rpc, clock)));
  const answered = asked.flatMap((one) => ('reading' in one ? [one] : []));
  const genesis = mostFrequent(answered.map((one) => one.genesis));
  const nodes = answered.filter((one) => one.genesis === genesis);
  const judge = judgeOf(nodes, clock.now(), read);
  return asked.map((one) => {
    if (!('reading' in one)) return one;
    if (one.genesis === genesis) return withHost(judge(one), shared.has(one.rpc.name));
    return failed(`node ${one.rpc.name}`, 'belongs to another cluster: SOLANA_RPC_URL must name one cluster');
  });
}

/** Names of the nodes that are at the host of another one, with another path, key or login. */
export function sharedHosts(nodes: readonly NodeAddress[]): ReadonlySet<string> {
  const byHost = Map.groupBy(nodes, ({ url }) => hostOf(url));
  return new Set([...byHost.values()].flatMap((own) => (own.length > 1 ? own.map(({ name }) => name) : [])));
}

/** A warning: such nodes may be several, but whoever runs the host speaks for all of them. */
function withHost(finding: Finding, isShared: boolean): Finding {
  if (!isShared) return finding;
  return {
    ...finding,
    detail: `${finding.detail}; several entries of SOLANA_RPC_URL are at its host, and each counts as a witness: name nodes of other operators`,
  };
}

async function ask(rpc: ChainRpc, clock: Clock): Promise<NodeReading | Finding> {
  const [position, genesis] = await Promise.all([
    readPosition(rpc, TIMEOUT_MS, clock),
    getGenesisHash(rpc, TIMEOUT_MS),
  ]);
  if (!position.ok) return failed(`node ${rpc.name}`, position.failure.message);
  if (!genesis.ok) return failed(`node ${rpc.name}`, genesis.failure.message);
  return { rpc, reading: position.value, genesis: genesis.value };
}

/** In a tie the first one wins. */
function mostFrequent(values: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0];
}

function judgeOf(
  nodes: readonly NodeReading[],
  now: Date,
  read: ReadSlot | null,
): (node: NodeReading) => Finding {
  const rpcs = nodes.map(({ rpc }) => rpc);
  const past = read === null ? [] : [witnessOf(read, rpcs[0]?.positions.bounds ?? protocolBounds, now)];
  // Read all nodes before judging one: the readings corroborate each other.
  const believed = new Set(
    nodes.filter(({ rpc, reading }) => believedPosition(rpc, reading, [...rpcs, ...past], now) !== null),
  );
  const top = [...believed].reduce((most, { reading }) => (reading.slot > most ? reading.slot : most), 0n);
  const least = leastCurrentSlot(rpcs, now);
  const near = nearSlots(paceOf(rpcs));
  const leastRead = read === null ? 0n : read.slot - near;
  return (node) => {
    const check = `node ${node.rpc.name}`;
    const { slot } = node.reading;
    if (!believed.has(node)) return failed(check, doubt(slot, top, nodes.length, read));
    if (slot < least) return failed(check, `is ${least + near - slot} slots behind the others`);
    if (read !== null && slot < leastRead)
      return failed(check, `is ${read.slot - slot} slots behind the newest slot that the worker has read`);
    return ok(check, `${clusterOf(node.genesis)}, slot ${slot}`);
  };
}

function doubt(slot: bigint, top: bigint, nodes: number, read: ReadSlot | null): string {
  const reports = `reports slot ${slot}`;
  if (top === 0n) return `${reports}, which the chain cannot have reached since slot ${read?.slot} was read`;
  const ahead = `${reports}, ${slot - top} ahead of the others, and is not believed`;
  return nodes === 2 && read === null
    ? `${ahead}: one of the two is wrong, and a third node would show which`
    : ahead;
}

/**
 * The highest possible slot of the chain now, as if a node had reported it. A block is never higher than its
 * slot.
 */
function witnessOf({ slot, at }: ReadSlot, bounds: PaceBounds, now: Date): Witness {
  const reach = slot + mostIn(now.getTime() - at.getTime(), fastestOf(bounds));
  const positions = new PositionHistory(bounds);
  positions.record({ slot: reach, blockHeight: reach }, now);
  return { positions, quarantine: new Quarantine() };
}
