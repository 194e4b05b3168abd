import type { ChainFacts, DatabaseFacts, DocumentedOperation } from './facts.ts';
import type { Histories } from './histories.ts';

/** Everything that a walk leaves for its judge. */
export interface Evidence {
  /** Whether anything was broken in the walk. */
  readonly wasDisturbed: boolean;
  /** Each time that the broker's disk was full until a worker said so. */
  readonly fullBrokers: readonly { readonly fromMs: number; readonly isNamed: boolean }[];
  readonly histories: Histories;
  readonly database: DatabaseFacts;
  readonly chain: ChainFacts;
  readonly documented: readonly DocumentedOperation[];
}
