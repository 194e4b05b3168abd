import { readDammPosition } from '../../../chain/accounts/damm-position.ts';
import { positionAddress, positionNftAccount } from '../../../chain/accounts/derived-addresses.ts';
import type { NftSource } from '../../../chain/holdings/wallet-nfts.ts';
import { firstCurrentResponse } from '../../../chain/node-trust/first-current-response.ts';
import { ClaimsUnavailable } from '../../../chain/pools/claims/claim-reader.ts';
import type { PositionAddresses } from '../../../chain/pools/claims/position-claim.ts';
import { getAccounts } from '../../../chain/rpc/account-calls.ts';
import { firstResponse } from '../../../chain/rpc/first-response.ts';
import type { ChainRpc } from '../../../chain/rpc.ts';
import type { Queryable } from '../../../db/client.ts';
import type { Clock } from '../../../shared/clock.ts';
import { KeyedLoads } from '../../../shared/keyed-loads.ts';
import { findPositionsOfNfts, findPositionsOfTokens, findTokensOfPools } from './find-position-tokens.ts';

export interface OwnedPositionDependencies {
  database: Queryable;
  clock: Clock;
  /** In the order of their use. */
  rpcs: readonly ChainRpc[];
  nftSources: readonly NftSource[];
}

/** Positions of AMM pools whose NFTs a wallet holds, in pools of tokens of the service. */
export interface OwnedPositions {
  /** By mint of the token, sorted by position. */
  byMint: ReadonlyMap<string, readonly PositionAddresses[]>;
  /** False when the wallet has more NFTs than are looked at. */
  isComplete: boolean;
}

const NODE_TIMEOUT_MS = 3_000;
/** For all nodes together. */
const TIMEOUT_MS = 6_000;
/** For all nodes together: about 13,000 accounts. A partner owns a position of each graduated token. */
const RESPONSES_BYTES_MAX = 4 * 1024 * 1024;
/** NFTs that are looked up on the chain, because no migration is known to have made them. */
const FOREIGN_NFTS_MAX = 300;
const ACCOUNTS_PER_CALL = 100;
/** The next page of a list is mostly asked for within this time. Owners are read again for every page. */
const KEPT_MS = 5_000;
/** A wallet with 10,000 positions takes some 4 MB. */
const WALLETS_KEPT_MAX = 50;

/** Finds out which positions a wallet owns now. Throws ClaimsUnavailable. */
export class PositionOwnership {
  readonly #dependencies: OwnedPositionDependencies;
  readonly #kept = new KeyedLoads<OwnedPositions>({ maxAgeMs: KEPT_MS, entriesMax: WALLETS_KEPT_MAX });

  constructor(dependencies: OwnedPositionDependencies) {
    this.#dependencies = dependencies;
  }

  of(wallet: string): Promise<OwnedPositions> {
    return this.#kept.get(wallet, () => this.#read(wallet));
  }

  /** Forgets what was read. */
  clear(): void {
    this.#kept.clear();
  }

  /**
   * The positions that migrations of these tokens created, whoever owns them, in their first token accounts:
   * for a wallet whose NFTs are too many.
   */
  async ofTokens(mints: readonly string[]): Promise<OwnedPositions['byMint']> {
    const known = await findPositionsOfTokens(this.#dependencies.database, mints);
    const positions = known.map(async ({ ammPoolAddress: pool, ...position }) =>
      pool === null ? [] : [{ ...named(position, await positionNftAccount(position.nftMintAddress)), pool }],
    );
    return byMint((await Promise.all(positions)).flat());
  }

  async #read(wallet: string): Promise<OwnedPositions> {
    const accounts = await this.#nftAccounts(wallet);
    if (accounts === 'too_many') return { byMint: new Map(), isComplete: false };
    const known = await findPositionsOfNfts(this.#dependencies.database, [...accounts.keys()]);
    const positions = known.flatMap(({ ammPoolAddress: pool, ...position }) =>
      pool === null ? [] : [{ ...named(position, accounts.get(position.nftMintAddress) ?? ''), pool }],
    );
    const found = new Set(positions.map(({ nftMint }) => nftMint));
    const foreign = [...accounts].filter(([nftMint]) => !found.has(nftMint));
    const looked = await this.#lookUp(foreign.slice(0, FOREIGN_NFTS_MAX));
    return { byMint: byMint([...positions, ...looked]), isComplete: foreign.length <= FOREIGN_NFTS_MAX };
  }

  async #nftAccounts(wallet: string): Promise<ReadonlyMap<string, string> | 'too_many'> {
    const allowance = {
      bytesMax: RESPONSES_BYTES_MAX,
      bytesLeft: RESPONSES_BYTES_MAX,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    };
    let isTooLarge = false;
    const read = await firstResponse(this.#dependencies.nftSources, async (source) => {
      const outcome = await source.read(wallet, NODE_TIMEOUT_MS, allowance);
      if (!outcome.ok && outcome.failure.kind === 'oversized') isTooLarge = true;
      return outcome;
    });
    if (read.ok) return read.value;
    if (isTooLarge) return 'too_many';
    throw new ClaimsUnavailable(read.failure.message);
  }

  /** Those of these NFTs that belong to a position in a pool of a token of the service. */
  async #lookUp(
    nfts: readonly (readonly [nftMint: string, nftAccount: string])[],
  ): Promise<PositionAddresses[]> {
    const candidates = await Promise.all(
      nfts.map(async ([nftMint, nftAccount]) => ({
        nftMint,
        nftAccount,
        position: await positionAddress(nftMint),
      })),
    );
    const pools = await this.#poolsOf(candidates.map(({ position }) => position));
    if (pools.size === 0) return [];
    const tokens = await findTokensOfPools(this.#dependencies.database, [...new Set(pools.values())]);
    return candidates.flatMap((candidate) => {
      const pool = pools.get(candidate.position);
      const mint = tokens.get(pool ?? '');
      return pool === undefined || mint === undefined ? [] : [{ ...candidate, pool, mint }];
    });
  }

  /** The pool of each of these accounts that is a position. */
  async #poolsOf(positions: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const pools = new Map<string, string>();
    for (let at = 0; at < positions.length; at += ACCOUNTS_PER_CALL) {
      const read = await firstCurrentResponse(this.#dependencies, (rpc, minContextSlot) =>
        getAccounts(rpc, positions.slice(at, at + ACCOUNTS_PER_CALL), NODE_TIMEOUT_MS, minContextSlot),
      );
      if (!read.ok) throw new ClaimsUnavailable(read.failure.message);
      for (const [address, account] of read.value.accounts) {
        const position = readDammPosition(account);
        if (position !== null) pools.set(address, position.pool);
      }
    }
    return pools;
  }
}

function named(
  {
    mintAddress,
    positionAddress: position,
    nftMintAddress,
  }: { mintAddress: string; positionAddress: string; nftMintAddress: string },
  nftAccount: string,
) {
  return { mint: mintAddress, position, nftMint: nftMintAddress, nftAccount };
}

function byMint(positions: readonly PositionAddresses[]): OwnedPositions['byMint'] {
  const sorted = [...positions].sort((left, right) => (left.position < right.position ? -1 : 1));
  return Map.groupBy(sorted, ({ mint }) => mint);
}
