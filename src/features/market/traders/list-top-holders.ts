import { dammV1VaultAddress } from '../../../chain/accounts/derived-addresses.ts';
import type { Queryable } from '../../../db/client.ts';
import { poolAuthorities } from '../../../indexer/holders/protocol-accounts.ts';
import { decimalToRaw, normaliseDecimal, rawToDecimal } from '../../../shared/decimal.ts';
import { Problem } from '../../../shared/problem.ts';
import { type HolderLabel, TOP_MAX, type TopHolders } from './schema.ts';

interface CountedToken {
  creatorWallet: string;
  decimals: number;
  totalSupply: string;
  stakingVaults: string[] | null;
  tokenomicsVaults: string[] | null;
  protocolAccounts: string[] | null;
  /** Null while the balances of the token are not kept. */
  slot: bigint | null;
  asOf: Date | null;
}

/** Parts in a percentage that is cut off after six digits. */
const PERCENT_PARTS = 100_000_000n;

/**
 * Lists the largest holders of a visible token, from the balances that are kept for at most 100,000 accounts; null
 * for any other mint. Throws `holder_stats_not_found` where none are kept.
 */
export async function listTopHolders(db: Queryable, mintAddress: string): Promise<TopHolders | null> {
  const [token] = await db<CountedToken[]>`
    select t.creator_wallet, t.decimals, t.total_supply, t.staking_vaults, t.tokenomics_vaults, c.protocol_accounts,
      case when c.is_followed and c.snapshot_slot is not null then h.slot end as slot, h.as_of
    from visible_tokens t left join holder_counting c using (mint_address) left join holder_stats h using (mint_address)
    where t.mint_address = ${mintAddress}`;
  if (token === undefined) return null;
  if (token.slot === null || token.asOf === null)
    throw new Problem('holder_stats_not_found', { detail: 'The balances of this token are not kept.' });
  const protocolAccounts = token.protocolAccounts ?? [];
  const rows = await db<{ address: string; balanceRaw: string }[]>`
    select case when account_address = any(${protocolAccounts}::text[]) then account_address else owner_address end as address,
      sum(balance_raw) as balance_raw
    from holder_accounts where mint_address = ${mintAddress} and balance_raw > 0
    group by 1 order by balance_raw desc, 1 limit ${TOP_MAX}`;
  const totalSupply = normaliseDecimal(token.totalSupply);
  const supplyRaw = decimalToRaw(totalSupply, token.decimals) ?? 0n;
  const labelsOf = await createLabels(mintAddress, token);
  return {
    mintAddress,
    slot: token.slot.toString(),
    asOf: token.asOf.toISOString(),
    totalSupply,
    data: rows.map(({ address, balanceRaw }) => ({
      address,
      balanceInToken: rawToDecimal(BigInt(balanceRaw), token.decimals),
      sharePercent: percentOf(BigInt(balanceRaw), supplyRaw),
      labels: labelsOf(address),
    })),
  };
}

/** A balance may be newer than the supply by a moment. */
function percentOf(balanceRaw: bigint, supplyRaw: bigint): number {
  if (supplyRaw === 0n) return 0;
  return Math.min(100, Number((balanceRaw * PERCENT_PARTS) / supplyRaw) / 1_000_000);
}

async function createLabels(
  mintAddress: string,
  { creatorWallet, stakingVaults, tokenomicsVaults, protocolAccounts }: CountedToken,
): Promise<(address: string) => HolderLabel[]> {
  const pools = new Set([...poolAuthorities, await dammV1VaultAddress(mintAddress)]);
  const staking = new Set(stakingVaults);
  const tokenomics = new Set(tokenomicsVaults);
  // What is left of the accounts of the protocol is the escrow of locked vesting.
  const lockers = new Set(protocolAccounts).difference(pools).difference(staking).difference(tokenomics);
  const known: readonly (readonly [HolderLabel, ReadonlySet<string>])[] = [
    ['creator', new Set([creatorWallet])],
    ['pool', pools],
    ['locker', lockers],
    ['staking', staking],
    ['tokenomics', tokenomics],
  ];
  return (address) => known.flatMap(([label, addresses]) => (addresses.has(address) ? [label] : []));
}
