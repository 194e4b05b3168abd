import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { holderProvenances } from '../../../db/schema/indexer.ts';
import { storeHolderCounts } from '../../store/holder-counts.ts';
import { applyTokenFacts } from '../apply-token-facts.ts';
import type { KindDependencies } from '../kind-dependencies.ts';
import { Address, Count, contentError, firstSchemaError, IntString, Timestamp } from '../shapes.ts';
import type { Checked, Verdict } from '../verdict.ts';

/** `ingest.holder_count` (contract/ingest#holder-counts). Unknown fields are ignored. */
const schema = Type.Object({
  mintAddress: Address,
  holderCount: Count,
  provenance: Type.Union(holderProvenances.map((provenance) => Type.Literal(provenance))),
  slot: IntString,
  asOf: Timestamp,
});
const compiled = TypeCompiler.Compile(schema);

type HolderCountMessage = Static<typeof schema>;

export function checkHolderCount(value: unknown): Checked<HolderCountMessage> {
  if (!compiled.Check(value)) return { ok: false, detail: firstSchemaError(compiled.Errors(value)) };
  const detail = contentError({ mintAddress: value.mintAddress }, { asOf: value.asOf });
  return detail === null ? { ok: true, message: value } : { ok: false, detail };
}

/** Applies holder counts of any number of tokens in one transaction; of one token the newest slot wins. */
export function applyHolderCounts(
  dependencies: KindDependencies,
  messages: readonly HolderCountMessage[],
): Promise<Verdict[]> {
  return applyTokenFacts(dependencies, messages, storeHolderCounts);
}
