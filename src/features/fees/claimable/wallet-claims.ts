import {
  type ClaimReader,
  createClaimReader,
  type TokenClaims,
} from '../../../chain/pools/claims/claim-reader.ts';
import type { PositionAddresses } from '../../../chain/pools/claims/position-claim.ts';
import type { KeysetPage } from '../../../db/keyset-page.ts';
import {
  type ClaimToken,
  type ClaimTokenPage,
  listClaimTokens,
  listNamedTokens,
  type MintPosition,
} from './list-claim-tokens.ts';
import { type OwnedPositionDependencies, PositionOwnership } from './owned-positions.ts';

/** A token with what its programs would pay the wallet. */
export type ClaimableToken = ClaimToken & Omit<TokenClaims, 'mint'>;

export interface ClaimsPage extends KeysetPage<ClaimableToken, MintPosition> {
  /** False when the wallet has more NFTs than are looked at: only positions of migrations are read. */
  arePositionsComplete: boolean;
}

export interface ClaimsQuery extends ClaimTokenPage {
  /** Only these tokens; all that the wallet may claim from when absent. */
  mints?: readonly string[] | undefined;
}

/** Positions that one page reads. A page ends before the token that would exceed it. */
const POSITIONS_PER_PAGE = 300;

/** Reads what wallets can claim now, token by token. Tokens with nothing to claim are left out. */
export class WalletClaims {
  readonly #dependencies: OwnedPositionDependencies;
  readonly #ownership: PositionOwnership;
  readonly #read: ClaimReader;

  constructor(dependencies: OwnedPositionDependencies) {
    this.#dependencies = dependencies;
    this.#ownership = new PositionOwnership(dependencies);
    this.#read = createClaimReader(dependencies);
  }

  /** Forgets which positions wallets own, which is kept for some seconds. */
  clear(): void {
    this.#ownership.clear();
  }

  /** Looks at `limit` tokens at most, in the order of their mints. Throws ClaimsUnavailable. */
  async page(wallet: string, { mints, ...query }: ClaimsQuery): Promise<ClaimsPage> {
    const { database } = this.#dependencies;
    const owned = await this.#ownership.of(wallet);
    const listed =
      mints === undefined
        ? await listClaimTokens(database, wallet, { ...query, owned: [...owned.byMint.keys()] })
        : await listNamedTokens(database, mints, query);
    const positions = owned.isComplete
      ? owned.byMint
      : merged(
          owned.byMint,
          await this.#ownership.ofTokens(listed.items.map(({ mintAddress }) => mintAddress)),
        );
    const positionsOf = ({ mintAddress }: ClaimToken) => positions.get(mintAddress) ?? [];
    const { items, next } = withinBound(listed, positionsOf);
    const subjects = items.map((token) => ({
      mint: token.mintAddress,
      poolAddress: token.poolAddress,
      positions: positionsOf(token).slice(0, POSITIONS_PER_PAGE),
    }));
    const claims = await this.#read(wallet, subjects);
    const read = items.flatMap((token, index) => {
      const { claims: found = [], unread = [] } = claims[index] ?? {};
      const isCut = positionsOf(token).length > POSITIONS_PER_PAGE && !unread.includes('positions');
      return [{ ...token, claims: found, unread: isCut ? [...unread, 'positions' as const] : unread }];
    });
    return {
      items: read.filter(({ claims: found, unread }) => found.length > 0 || unread.length > 0),
      next,
      arePositionsComplete: owned.isComplete,
    };
  }
}

/** The tokens of a page whose positions together are few enough: at least one. */
function withinBound(
  { items, next }: KeysetPage<ClaimToken, MintPosition>,
  positionsOf: (token: ClaimToken) => readonly PositionAddresses[],
): KeysetPage<ClaimToken, MintPosition> {
  let positions = 0;
  const end = items.findIndex((token, index) => {
    positions += positionsOf(token).length;
    return index > 0 && positions > POSITIONS_PER_PAGE;
  });
  const last = items[end - 1];
  return last === undefined ? { items, next } : { items: items.slice(0, end), next: [last.mintAddress] };
}

function merged(
  left: ReadonlyMap<string, readonly PositionAddresses[]>,
  right: ReadonlyMap<string, readonly PositionAddresses[]>,
): ReadonlyMap<string, readonly PositionAddresses[]> {
  const result = new Map(left);
  for (const [mint, positions] of right) {
    const known = result.get(mint) ?? [];
    const added = positions.filter(({ position }) => known.every((one) => one.position !== position));
    result.set(mint, [...known, ...added]);
  }
  return result;
}
