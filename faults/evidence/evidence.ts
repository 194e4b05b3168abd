import type { ChainFacts, DatabaseFacts, DocumentedOperation } from './facts.ts';
import type { Histories } from './histories.ts';

/** Everything that a walk leaves for its judge. */
export interface Evidence {
  /** Whether anything was broken in the walk. */
  readonly wasDisturbed: boolean;
  readonly histories: Histories;
  readonly database: DatabaseFacts;
  readonly chain: ChainFacts;
  readonly documented: readonly DocumentedOperation[];
}
