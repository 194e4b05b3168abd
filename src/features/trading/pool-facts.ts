import { type MigrationTarget, migrationTarget } from '../../chain/accounts/derived-addresses.ts';
import { DAMM_V1, DAMM_V2, SPL_TOKEN, TOKEN_2022 } from '../../chain/accounts/programs.ts';
import {
  type CurrentReadDependencies,
  firstCurrentResponse,
} from '../../chain/node-trust/first-current-response.ts';
import { readCurveConfig, readCurveConfigKeys } from '../../chain/pools/curve/config-account.ts';
import { type CurveTerms, curveTerms } from '../../chain/pools/curve/curve-terms.ts';
import { type CurvePool, readCurvePool, readCurvePoolKeys } from '../../chain/pools/curve/pool-account.ts';
import { type AccountsInSlot, type FundedAccount, getAccounts } from '../../chain/rpc/account-calls.ts';
import { Problem } from '../../shared/problem.ts';

/** Facts of a token's pool that never change: read once, from the pool and its config. */
export interface PoolFacts {
  mintAddress: string;
  decimals: number;
  tokenProgram: string;
  quoteMint: string;
  curve: { address: string; config: string; baseVault: string; quoteVault: string; terms: CurveTerms };
  /** The AMM to which a complete curve migrates; null for an unpublished AMM. */
  amm: MigrationTarget | null;
}

const TIMEOUT_MS = 3_000;
const TOKEN_2022_POOL = 1;

/**
 * Why an address has no quotes: it has no pool of this mint, or an AMM pool that was registered without its
 * curve.
 */
export type MissingCurve = 'not_launched' | 'amm_unsupported';

/** Where a token's pool is. */
export interface PoolPlace {
  mintAddress: string;
  poolAddress: string;
}

/** Facts of the curve of this mint at the address. Throws `chain_unavailable`. */
export async function readPoolFacts(
  nodes: CurrentReadDependencies,
  place: PoolPlace,
): Promise<PoolFacts | MissingCurve> {
  const facts = await readManyPoolFacts(nodes, [place]);
  return facts.get(place.poolAddress) ?? 'not_launched';
}

/** Facts of curves by the address of the pool, in two requests. Throws `chain_unavailable`. */
export async function readManyPoolFacts(
  nodes: CurrentReadDependencies,
  places: readonly PoolPlace[],
): Promise<ReadonlyMap<string, PoolFacts | MissingCurve>> {
  const facts = new Map<string, PoolFacts | MissingCurve>();
  const curves: CurveAccount[] = [];
  const pools = await readAccounts(
    nodes,
    places.map(({ poolAddress }) => poolAddress),
  );
  for (const place of places) {
    const curve = curveAt(place, pools.accounts.get(place.poolAddress) ?? null);
    if (typeof curve === 'string') facts.set(place.poolAddress, curve);
    else curves.push(curve);
  }
  if (curves.length === 0) return facts;
  const configs = await readAccounts(nodes, [...new Set(curves.map(({ keys }) => keys.config))]);
  for (const curve of curves) {
    const { poolAddress } = curve.place;
    facts.set(poolAddress, await factsOf(curve, configs.accounts.get(curve.keys.config) ?? null));
  }
  return facts;
}

interface CurveAccount {
  place: PoolPlace;
  pool: CurvePool;
  keys: NonNullable<ReturnType<typeof readCurvePoolKeys>>;
}

function curveAt(place: PoolPlace, account: FundedAccount | null): CurveAccount | MissingCurve {
  if (account?.owner === DAMM_V1 || account?.owner === DAMM_V2) return 'amm_unsupported';
  const [pool, keys] = [readCurvePool(account), readCurvePoolKeys(account)];
  if (pool === null || keys === null || keys.baseMint !== place.mintAddress) return 'not_launched';
  return { place, pool, keys };
}

async function factsOf(
  { place, pool, keys }: CurveAccount,
  configAccount: FundedAccount | null,
): Promise<PoolFacts | MissingCurve> {
  const [config, configKeys] = [readCurveConfig(configAccount), readCurveConfigKeys(configAccount)];
  if (config === null || configKeys === null) return 'not_launched';
  const { quoteMint } = configKeys;
  return {
    mintAddress: place.mintAddress,
    decimals: config.tokenDecimal,
    tokenProgram: pool.poolType === TOKEN_2022_POOL ? TOKEN_2022 : SPL_TOKEN,
    quoteMint,
    curve: {
      address: place.poolAddress,
      config: keys.config,
      baseVault: keys.baseVault,
      quoteVault: keys.quoteVault,
      terms: curveTerms(config),
    },
    amm: await migrationTarget({ ...config, quoteMint }, place.mintAddress),
  };
}

/** Accounts of one slot near the head, from the first node that has them. Throws `chain_unavailable`. */
export async function readAccounts(
  nodes: CurrentReadDependencies,
  addresses: readonly string[],
): Promise<AccountsInSlot> {
  const read = await firstCurrentResponse(nodes, (rpc, minContextSlot) =>
    getAccounts(rpc, addresses, TIMEOUT_MS, minContextSlot),
  );
  if (!read.ok) throw new Problem('chain_unavailable', { cause: read.failure });
  return read.value;
}
