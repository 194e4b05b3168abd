import { BoundedMap } from '../../../shared/bounded-map.ts';
import type { ChainAccount } from '../../accounts/account-data.ts';
import { BONDING_CURVE } from '../../accounts/programs.ts';
import {
  type CurrentReadDependencies,
  firstCurrentResponse,
} from '../../node-trust/first-current-response.ts';
import { type AccountsInSlot, getAccounts } from '../../rpc/account-calls.ts';
import { readCurvePoolKeys } from '../curve/pool-account.ts';
import type { Claim } from './claim.ts';
import { type CurveReading, readCurveClaims } from './curve-claims.ts';
import { type PositionAddresses, readPositionClaim } from './position-claim.ts';

/** A token with the accounts that may pay a wallet. */
export interface ClaimSubject {
  mint: string;
  /** The token's registered pool. Nothing but a curve is read at it. */
  poolAddress: string;
  /** Positions whose NFT the wallet may hold. */
  positions: readonly PositionAddresses[];
}

/** The parts of a token that could not be read: nothing is known of what they would pay. */
export const unreadParts = ['curve', 'leftover', 'positions'] as const;
export type UnreadPart = (typeof unreadParts)[number];

export interface TokenClaims {
  mint: string;
  /** Sorted by kind, and claims of positions by position. */
  claims: Claim[];
  unread: UnreadPart[];
}

/** Reads what the programs would pay a wallet now, in the order of the subjects. */
export type ClaimReader = (wallet: string, subjects: readonly ClaimSubject[]) => Promise<TokenClaims[]>;

/** No node near the head of the chain responded. */
export class ClaimsUnavailable extends Error {
  override readonly name = 'ClaimsUnavailable';
}

const ACCOUNTS_PER_CALL = 100;
const TIMEOUT_MS = 3_000;
const CONFIGS_KEPT_MAX = 1_000;

type Part = Omit<TokenClaims, 'mint'>;

/**
 * Reads pools in calls of 100 accounts, and configs once, because they never change. All other accounts of a
 * claim are in one call, so that its amounts are of one slot. The reader throws ClaimsUnavailable.
 */
export function createClaimReader(nodes: CurrentReadDependencies): ClaimReader {
  const configs = new BoundedMap<string, ChainAccount>(CONFIGS_KEPT_MAX);

  return async (wallet, subjects) => {
    const [curves, positions] = await Promise.all([
      readCurves(nodes, configs, wallet, subjects),
      readPositions(nodes, wallet, subjects),
    ]);
    return subjects.map(({ mint }, index) => {
      const parts = [curves[index], positions[index]].filter((part) => part !== undefined);
      return {
        mint,
        claims: parts.flatMap(({ claims }) => claims),
        unread: parts.flatMap(({ unread }) => unread),
      };
    });
  };
}

async function readCurves(
  nodes: CurrentReadDependencies,
  configs: BoundedMap<string, ChainAccount>,
  wallet: string,
  subjects: readonly ClaimSubject[],
): Promise<Part[]> {
  const pools = await readGroups(
    nodes,
    subjects.map(({ poolAddress }) => [poolAddress]),
  );
  await learnConfigs(nodes, configs, pools);
  const read = (subject: ClaimSubject, { slot, accounts }: AccountsInSlot, vault?: string) => {
    const pool = accounts.get(subject.poolAddress) ?? null;
    // A pool of another program has no curve.
    if (pool !== null && pool.owner !== BONDING_CURVE) return NO_CURVE;
    const config = configs.get(readCurvePoolKeys(pool)?.config ?? '') ?? null;
    const baseVault = vault === undefined ? null : (accounts.get(vault) ?? null);
    return readCurveClaims(wallet, { ...subject, pool, config, baseVault }, slot);
  };
  const readings = pairs(subjects, pools).map(([subject, accounts]) => read(subject, accounts));
  const incomplete = pairs(subjects, readings).flatMap(([subject, reading]) =>
    reading === null || reading.neededVault === null ? [] : [{ subject, vault: reading.neededVault }],
  );
  const again = await readGroups(
    nodes,
    incomplete.map(({ subject, vault }) => [subject.poolAddress, vault]),
  );
  const complete = new Map(
    pairs(incomplete, again).map(([{ subject, vault }, accounts]) => [
      subject,
      read(subject, accounts, vault),
    ]),
  );
  return pairs(subjects, readings).map(([subject, reading]) =>
    curvePart(complete.has(subject) ? (complete.get(subject) ?? null) : reading),
  );
}

const NO_CURVE: CurveReading = { claims: [], neededVault: null };

function curvePart(reading: CurveReading | null): Part {
  if (reading === null) return { claims: [], unread: ['curve'] };
  return { claims: reading.claims, unread: reading.neededVault === null ? [] : ['leftover'] };
}

/** Reads the configs of these pools that are not known yet. One that no node has stays unknown. */
async function learnConfigs(
  nodes: CurrentReadDependencies,
  configs: BoundedMap<string, ChainAccount>,
  pools: readonly AccountsInSlot[],
): Promise<void> {
  const used = pools.flatMap(({ accounts }) =>
    [...accounts.values()].flatMap((account) => readCurvePoolKeys(account)?.config ?? []),
  );
  const unknown = [...new Set(used)].filter((config) => configs.get(config) === undefined);
  const read = await readGroups(
    nodes,
    unknown.map((config) => [config]),
  );
  for (const [config, { accounts }] of pairs(unknown, read)) {
    const account = accounts.get(config) ?? null;
    if (account !== null) configs.set(config, account);
  }
}

async function readPositions(
  nodes: CurrentReadDependencies,
  wallet: string,
  subjects: readonly ClaimSubject[],
): Promise<Part[]> {
  const all = subjects.flatMap(({ positions }) => positions);
  const groups = all.map(({ pool, position, nftAccount }) => [pool, position, nftAccount]);
  const read = new Map(pairs(all, await readGroups(nodes, groups)));
  return subjects.map(({ positions }) => {
    const claims = positions.map((position) => {
      const { slot, accounts } = read.get(position) ?? NOTHING_READ;
      return readPositionClaim(wallet, position, (address) => accounts.get(address) ?? null, slot);
    });
    return {
      claims: claims.filter((claim) => claim !== null && claim !== 'nothing'),
      unread: claims.includes(null) ? ['positions'] : [],
    };
  });
}

const NOTHING_READ: AccountsInSlot = { slot: 0n, accounts: new Map() };

/** Reads groups of accounts, each group in one call. Small groups share calls. */
async function readGroups(
  nodes: CurrentReadDependencies,
  groups: readonly (readonly string[])[],
): Promise<AccountsInSlot[]> {
  const calls: Set<string>[] = [];
  const callOf = groups.map((group) => {
    const last = calls.at(-1);
    if (last !== undefined && last.union(new Set(group)).size <= ACCOUNTS_PER_CALL) {
      for (const address of group) last.add(address);
    } else calls.push(new Set(group));
    return calls.length - 1;
  });
  const read = await Promise.all(calls.map((addresses) => readCurrent(nodes, [...addresses])));
  return callOf.flatMap((call) => read[call] ?? []);
}

async function readCurrent(
  nodes: CurrentReadDependencies,
  addresses: readonly string[],
): Promise<AccountsInSlot> {
  const response = await firstCurrentResponse(nodes, (rpc, minContextSlot) =>
    getAccounts(rpc, addresses, TIMEOUT_MS, minContextSlot),
  );
  if (!response.ok) throw new ClaimsUnavailable(response.failure.message);
  return response.value;
}

/** The elements of two lists of one length, side by side. */
function pairs<Left, Right>(left: readonly Left[], right: readonly Right[]): [Left, Right][] {
  return left.flatMap((one, index) => {
    const other = right[index];
    return other === undefined ? [] : [[one, other]];
  });
}
