const WITNESSES = 2;

/**
 * Nodes that must report a fact that no transaction of the service confirms (decisions/0024); one where only one is
 * configured.
 * @param nodes number of configured nodes
 */
export function witnessesOf(nodes: number): number {
  return Math.min(WITNESSES, nodes);
}
