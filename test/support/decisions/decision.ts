import type { ChainRpc } from '../../../src/chain/rpc.ts';
import type { Answer, LastAnswer, Stance } from './stance-nodes.ts';

/** Something irreversible about which nodes decide. */
export interface Decision {
  name: string;
  /** The last answer of a node before it is made. */
  last: LastAnswer;
  /** The rule of the contract: whether it may be decided by these nodes. */
  isAllowed(nodes: readonly Stance[]): boolean;
  /** A new case of it. */
  begin(): Promise<DecisionCase>;
}

export interface DecisionCase {
  answer: Answer;
  decide(rpcs: readonly ChainRpc[]): Promise<unknown>;
  isDecided(): Promise<boolean>;
}

const count = (nodes: readonly Stance[], stance: Stance) => nodes.filter((one) => one === stance).length;

/** contract/intents#never-expired-if-landed: two nodes prove it, or one where all others are gone. */
export function provenByTwo(nodes: readonly Stance[]): boolean {
  const needed = Math.max(1, Math.min(2, nodes.length - count(nodes, 'gone')));
  return count(nodes, 'over') >= needed;
}

/** As `provenByTwo`, and no node shows the opposite. */
export function provenByTwoAgainstNone(nodes: readonly Stance[]): boolean {
  return provenByTwo(nodes) && count(nodes, 'open') === 0;
}

/** contract/orders: two nodes show it (one where one is configured, whatever became of the others), and none the opposite. */
export function shownByTwoAgainstNone(nodes: readonly Stance[]): boolean {
  return count(nodes, 'over') >= Math.min(2, nodes.length) && count(nodes, 'open') === 0;
}
