import type { Transaction } from '../../db/client.ts';

/** The proof of a token's source: every trade with a block time before `through` is stored. */
export interface SourceProof {
  mintAddress: string;
  through: string;
  slot: string;
}

/** One message's proof for several tokens. */
export interface SourceProofClaim {
  mintAddresses: readonly string[];
  through: string;
  slot: string;
}

/** The latest proof of each token in the claims. */
export function newestProofs(claims: readonly SourceProofClaim[]): SourceProof[] {
  const newest = new Map<string, SourceProof>();
  for (const { mintAddresses, through, slot } of claims)
    for (const mintAddress of mintAddresses) {
      const known = newest.get(mintAddress);
      if (known === undefined || Date.parse(through) > Date.parse(known.through))
        newest.set(mintAddress, { mintAddress, through, slot });
    }
  return [...newest.values()];
}

/**
 * Stores proofs that reach further than the stored ones, at most one for each token. Unknown tokens are left
 * out. Rows are written in one order, so that batches of several workers never deadlock.
 */
export async function storeSourceProofs(
  transaction: Transaction,
  proofs: readonly SourceProof[],
): Promise<void> {
  const column = <Key extends keyof SourceProof>(key: Key) => proofs.map((proof) => proof[key]);
  await transaction`
    insert into source_proofs as s (mint_address, through, slot)
    select p.*
    from unnest(${column('mintAddress')}::text[], ${column('through')}::timestamptz[], ${column('slot')}::int8[])
      as p (mint_address, through, slot)
    join tokens using (mint_address) order by mint_address
    on conflict (mint_address) do update set through = excluded.through, slot = excluded.slot
    where excluded.through > s.through`;
}
