import { readMint } from '../chain/accounts/mint.ts';
import { highestSlot, type PacedHead } from '../chain/head.ts';
import { getAccounts } from '../chain/rpc/account-calls.ts';
import { firstResponse } from '../chain/rpc/first-response.ts';
import type { ChainRpc } from '../chain/rpc.ts';
import type { Database } from '../db/client.ts';
import { isAddress } from '../shared/address.ts';
import type { Clock } from '../shared/clock.ts';
import { compareDecimals, normaliseDecimal } from '../shared/decimal.ts';
import { type MintFact, storeMintFacts, supplyOf } from './store/mint-facts.ts';

export interface MintRefreshDependencies {
  db: Database;
  /** They are asked in this order. */
  rpcs: readonly ChainRpc[];
  chainHead: PacedHead;
  clock: Clock;
  /** Called after a commit, because caches of these tokens are stale then. */
  onTokensChanged(mintAddresses: readonly string[]): void;
}

/** The limit of getMultipleAccounts. */
const MINTS_PER_CALL = 100;
const TIMEOUT_MS = 3_000;
/** The most decimals of a stored token. A mint can have more. */
const DECIMALS_MAX = 18;
const ABOVE_ALL = 9_223_372_036_854_775_807n;

interface KnownToken {
  mintAddress: string;
  ordinal: bigint;
  decimals: number;
  totalSupply: string;
  mintSlot: bigint | null;
}

/**
 * Walks through all tokens again and again, newest first, and takes decimals and supply from their mints,
 * because not every feed reports burns and mints. New tokens come before the rest. A token without a mint on
 * chain keeps the values of its feed.
 */
export class MintRefresh {
  readonly #dependencies: MintRefreshDependencies;
  #newest: bigint | null = null;
  #before = ABOVE_ALL;

  constructor(dependencies: MintRefreshDependencies) {
    this.#dependencies = dependencies;
  }

  /** Checks the next tokens with at most one request. False after a round. Throws when no node responds. */
  async step(): Promise<boolean> {
    const tokens = (await this.#addedTokens()) ?? (await this.#nextTokens());
    if (tokens.length === 0) {
      this.#before = ABOVE_ALL;
      return false;
    }
    await this.#check(tokens);
    const ordinals = tokens.map(({ ordinal }) => ordinal);
    const [lowest = 0n, highest = 0n] = [ordinals.at(-1), ordinals[0]];
    if (this.#newest === null || highest > this.#newest) this.#newest = highest;
    if (lowest < this.#before) this.#before = lowest;
    return true;
  }

  /** Tokens added since the walk began, newest first. Null when there are none. */
  async #addedTokens(): Promise<KnownToken[] | null> {
    if (this.#newest === null) return null;
    const { db } = this.#dependencies;
    const added = await db<KnownToken[]>`
      select mint_address, ordinal, decimals, total_supply, mint_slot from tokens
      where ordinal > ${this.#newest} order by ordinal limit ${MINTS_PER_CALL}`;
    return added.length === 0 ? null : added.reverse();
  }

  #nextTokens(): Promise<KnownToken[]> {
    const { db } = this.#dependencies;
    return db<KnownToken[]>`
      select mint_address, ordinal, decimals, total_supply, mint_slot from tokens
      where ordinal < ${this.#before} order by ordinal desc limit ${MINTS_PER_CALL}`;
  }

  async #check(tokens: readonly KnownToken[]): Promise<void> {
    const { db, clock, onTokensChanged } = this.#dependencies;
    // A node refuses the whole request when one text is not an address.
    const mints = tokens.map(({ mintAddress }) => mintAddress).filter(isAddress);
    const facts = mints.length === 0 ? new Map<string, MintFact>() : await this.#readMints(mints);
    const news = tokens.flatMap((token) => {
      const fact = facts.get(token.mintAddress);
      return fact === undefined || isKnown(token, fact) ? [] : [fact];
    });
    if (news.length === 0) return;
    const changed = await db.begin((transaction) => storeMintFacts(transaction, news, clock.now()));
    if (changed.length > 0) onTokensChanged(changed);
  }

  /** Facts of the mints. Addresses without a mint of either token program are left out. */
  async #readMints(mints: readonly string[]): Promise<Map<string, MintFact>> {
    const { rpcs } = this.#dependencies;
    const response = await firstResponse(rpcs, async (rpc) => {
      const read = await getAccounts(rpc, mints, TIMEOUT_MS);
      if (!read.ok || this.#isPlausible(read.value.slot)) return read;
      const message = `the slot ${read.value.slot} is far ahead of the chain`;
      return { ok: false, failure: { kind: 'unknown', message } };
    });
    if (!response.ok) throw new Error(response.failure.message);
    const { slot, accounts } = response.value;
    const facts = new Map<string, MintFact>();
    for (const [mintAddress, account] of accounts) {
      const mint = readMint(account);
      if (mint === null || mint.decimals > DECIMALS_MAX) continue;
      facts.set(mintAddress, { mintAddress, decimals: mint.decimals, supplyRaw: mint.supplyRaw, slot });
    }
    return facts;
  }

  /** A stored slot from the far future would block every later fact. */
  #isPlausible(slot: bigint): boolean {
    const highest = highestSlot(this.#dependencies.chainHead);
    return highest === null || slot <= highest;
  }
}

/** Whether the same values were already stored from the mint itself. */
function isKnown({ mintSlot, decimals, totalSupply }: KnownToken, fact: MintFact): boolean {
  if (mintSlot === null || decimals !== fact.decimals) return false;
  return compareDecimals(normaliseDecimal(totalSupply), supplyOf(fact)) === 0;
}
