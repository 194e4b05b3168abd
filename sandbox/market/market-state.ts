import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { readPrivateJson, writePrivateJson } from '../private-file.ts';

const TRADERS = 12;
const UPCOMING_TOKENS = 2;

/** A token of the market. Its pool and creator are wallets of the market. */
export interface MarketToken {
  /** Index in the catalogue. */
  readonly listing: number;
  readonly mint: Keypair;
  readonly pool: Keypair;
  readonly creator: Keypair;
  readonly launchedAt: string;
  isGraduated: boolean;
}

interface SavedMarketState {
  genesisHash: string;
  fees: string;
  /** Missing in files of earlier versions. */
  presaleVault?: string;
  upcoming?: string[];
  traders: string[];
  tokens: {
    listing: number;
    mint: string;
    pool: string;
    creator: string;
    launchedAt: string;
    isGraduated: boolean;
  }[];
}

/** The wallets and tokens of the market, kept in a file so that a restarted market continues with them. Balances are on
 * the chain. */
export class MarketState {
  readonly fees: Keypair;
  /** Takes the deposits of all presales. */
  readonly presaleVault: Keypair;
  /** Mints of tokens that are sold before they are launched. */
  readonly upcoming: readonly Keypair[];
  readonly traders: readonly Keypair[];
  readonly tokens: MarketToken[];
  readonly #file: string;
  readonly #genesisHash: string;

  constructor(file: string, genesisHash: string, saved: SavedMarketState | undefined) {
    this.#file = file;
    this.#genesisHash = genesisHash;
    this.fees = saved === undefined ? Keypair.generate() : fromText(saved.fees);
    this.presaleVault = saved?.presaleVault === undefined ? Keypair.generate() : fromText(saved.presaleVault);
    this.upcoming = saved?.upcoming?.map(fromText) ?? generated(UPCOMING_TOKENS);
    this.traders = saved?.traders.map(fromText) ?? generated(TRADERS);
    this.tokens = (saved?.tokens ?? []).map((token) => ({
      ...token,
      mint: fromText(token.mint),
      pool: fromText(token.pool),
      creator: fromText(token.creator),
    }));
  }

  /** The saved state, or a new one when it belongs to another chain. */
  static open(file: string, genesisHash: string): MarketState {
    const saved = readPrivateJson<SavedMarketState>(file);
    const state = new MarketState(file, genesisHash, saved?.genesisHash === genesisHash ? saved : undefined);
    state.#save();
    return state;
  }

  /** The saved state for a reader; the market is the only writer. Throws when there is none. */
  static read(file: string): Omit<MarketState, 'add' | 'markGraduated'> {
    const saved = readPrivateJson<SavedMarketState>(file);
    if (saved === undefined) throw new Error(`${file} is missing: the market has not started`);
    return new MarketState(file, saved.genesisHash, saved);
  }

  /** Adds the token before it exists on chain, so that an interrupted launch is finished at the next start. */
  add(listing: number): MarketToken {
    const token: MarketToken = {
      listing,
      mint: Keypair.generate(),
      pool: Keypair.generate(),
      creator: Keypair.generate(),
      launchedAt: new Date().toISOString(),
      isGraduated: false,
    };
    this.tokens.push(token);
    this.#save();
    return token;
  }

  markGraduated(token: MarketToken): void {
    token.isGraduated = true;
    this.#save();
  }

  #save(): void {
    const saved: SavedMarketState = {
      genesisHash: this.#genesisHash,
      fees: toText(this.fees),
      presaleVault: toText(this.presaleVault),
      upcoming: this.upcoming.map(toText),
      traders: this.traders.map(toText),
      tokens: this.tokens.map(({ mint, pool, creator, ...rest }) => ({
        ...rest,
        mint: toText(mint),
        pool: toText(pool),
        creator: toText(creator),
      })),
    };
    writePrivateJson(this.#file, saved);
  }
}

function generated(count: number): Keypair[] {
  return Array.from({ length: count }, () => Keypair.generate());
}

function toText(wallet: Keypair): string {
  return bs58.encode(wallet.secretKey);
}

function fromText(text: string): Keypair {
  return Keypair.fromSecretKey(bs58.decode(text));
}
