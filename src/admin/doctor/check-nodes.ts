import { clusterOf } from '../../chain/cluster.ts';
import { getGenesisHash, getPosition } from '../../chain/rpc/position-calls.ts';
import type { ChainRpc } from '../../chain/rpc.ts';
import { type Finding, failed, ok, skipped } from './finding.ts';

const TIMEOUT_MS = 5_000;
/** As far apart as two healthy nodes may be (docs/operations/administration.md, "Nodes"). */
const SLOTS_APART_MAX = 32n;

interface Node {
  name: string;
  slot: bigint;
  genesis: string;
}

/** Whether each node of SOLANA_RPC_URL is reached, keeps up with the others, and is of the same cluster. */
export async function checkNodes(rpcs: readonly ChainRpc[]): Promise<Finding[]> {
  if (rpcs.length === 0) return [skipped('nodes', 'needs SOLANA_RPC_URL')];
  const asked = await Promise.all(rpcs.map(ask));
  const nodes = asked.flatMap((one) => ('slot' in one ? [one] : []));
  const newest = nodes.map(({ slot }) => slot).sort((one, other) => Number(other - one))[0] ?? 0n;
  const expected = nodes[0]?.genesis ?? '';
  return asked.map((one) => ('slot' in one ? judge(one, newest, expected) : one));
}

function judge({ name, slot, genesis }: Node, newest: bigint, expected: string): Finding {
  const check = `node ${name}`;
  if (genesis !== expected)
    return failed(check, 'is of another cluster than the first node: SOLANA_RPC_URL must name one cluster');
  if (newest - slot > SLOTS_APART_MAX)
    return failed(check, `is ${newest - slot} slots behind the newest node`);
  return ok(check, `${clusterOf(genesis)}, slot ${slot}`);
}

async function ask(rpc: ChainRpc): Promise<Node | Finding> {
  const [position, genesis] = await Promise.all([
    getPosition(rpc, TIMEOUT_MS),
    getGenesisHash(rpc, TIMEOUT_MS),
  ]);
  if (!position.ok) return failed(`node ${rpc.name}`, position.failure.message);
  if (!genesis.ok) return failed(`node ${rpc.name}`, genesis.failure.message);
  return { name: rpc.name, slot: position.value.slot, genesis: genesis.value };
}
