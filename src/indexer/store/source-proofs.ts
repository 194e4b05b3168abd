import type { Transaction } from '../../db/client.ts';

/** How far the source of a token is proven: every trade with a block time before `through` is stored. */
export interface SourceProof {
  mintAddress: string;
  through: string;
  slot: string;
}

/** The latest proof of each token that messages speak of. */
export function newestProofs(
  messages: readonly { mintAddresses: readonly string[]; through: string; slot: string }[],
): SourceProof[] {
  const newest = new Map<string, SourceProof>();
  for (const { mintAddresses, through, slot } of messages)
    for (const mintAddress of mintAddresses) {
      const known = newest.get(mintAddress);
      if (known === undefined || Date.parse(through) > Date.parse(known.through))
        newest.set(mintAddress, { mintAddress, through, slot });
    }
  return [...newest.values()];
}

/**
 * Stores proofs that reach further than the stored ones, at most one a token. Returns the mints that no token has. Rows
 * are written in one order, so that batches of several workers never deadlock.
 */
export async function storeSourceProofs(
  transaction: Transaction,
  proofs: readonly SourceProof[],
): Promise<ReadonlySet<string>> {
  const column = <Key extends keyof SourceProof>(key: Key) => proofs.map((proof) => proof[key]);
  const mints = column('mintAddress');
  const [, known] = await Promise.all([
    transaction`
      insert into source_proofs as s (mint_address, through, slot)
      select p.* from unnest(${mints}::text[], ${column('through')}::timestamptz[], ${column('slot')}::int8[])
        as p (mint_address, through, slot)
      join tokens using (mint_address) order by mint_address
      on conflict (mint_address) do update set through = excluded.through, slot = excluded.slot
      where excluded.through > s.through`,
    transaction<{ mintAddress: string }[]>`
      select mint_address from tokens where mint_address = any(${mints}::text[])`,
  ]);
  const found = new Set(known.map(({ mintAddress }) => mintAddress));
  return new Set(mints.filter((mint) => !found.has(mint)));
}
