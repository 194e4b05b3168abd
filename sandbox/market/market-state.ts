import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { encodeBase58 } from '../../src/shared/base58.ts';
import { readPrivateJson, writePrivateJson } from '../shared/private-file.ts';
import { catalogue, type LaunchedListing } from './catalogue.ts';
import { type CurveKind, curveKinds, curvePlans } from './curve-kinds.ts';
import { type LaunchAddresses, launchAddresses } from './launch-addresses.ts';

/** Version of the saved state. Tokens of version 1 had no pools. */
const FORMAT = 2;
const TRADERS = 12;
const UPCOMING_TOKENS = 2;

/** A token of the market. */
export interface MarketToken {
  /** Place in the catalogue. */
  readonly listing: number;
  readonly mint: Keypair;
  readonly creator: Keypair;
  readonly launchedAt: string;
}

interface SavedState {
  format: typeof FORMAT;
  genesisHash: string;
  fees: string;
  presaleVault: string;
  configs: Record<CurveKind, string>;
  upcoming: string[];
  traders: string[];
  tokens: { listing: number; mint: string; creator: string; launchedAt: string }[];
}

/** Whether the file holds the state of another version, whose tokens cannot be traded. */
export function isOutdatedMarketState(file: string): boolean {
  const saved = readPrivateJson<{ format?: number }>(file);
  return saved !== undefined && saved.format !== FORMAT;
}

export function listingOf({ listing }: MarketToken): LaunchedListing {
  const found = catalogue[listing];
  if (found === undefined) throw new Error(`the catalogue has no listing ${listing}`);
  return found;
}

/** The wallets and tokens of the market, in a file: a restarted market goes on with the same ones. The chain has the
 * amounts. */
export class MarketState {
  /** The partner of every launch; also migrates completed curves. */
  readonly fees: Keypair;
  readonly configs: Readonly<Record<CurveKind, Keypair>>;
  /** Takes the deposits of all presales. */
  readonly presaleVault: Keypair;
  /** Mints of tokens that are sold before they are launched. */
  readonly upcoming: readonly Keypair[];
  readonly traders: readonly Keypair[];
  readonly tokens: MarketToken[];
  readonly #file: string;
  readonly #genesisHash: string;

  constructor(file: string, genesisHash: string, saved: SavedState | undefined) {
    this.#file = file;
    this.#genesisHash = genesisHash;
    this.fees = saved === undefined ? Keypair.generate() : fromText(saved.fees);
    this.presaleVault = saved === undefined ? Keypair.generate() : fromText(saved.presaleVault);
    this.configs = perKind((kind) =>
      saved === undefined ? Keypair.generate() : fromText(saved.configs[kind]),
    );
    this.upcoming = saved?.upcoming.map(fromText) ?? generated(UPCOMING_TOKENS);
    this.traders = saved?.traders.map(fromText) ?? generated(TRADERS);
    this.tokens = (saved?.tokens ?? []).map((token) => ({
      ...token,
      mint: fromText(token.mint),
      creator: fromText(token.creator),
    }));
  }

  /** The saved state, or a new one when the chain is another. */
  static open(file: string, genesisHash: string): MarketState {
    const saved = readPrivateJson<SavedState>(file);
    const isFit = saved?.genesisHash === genesisHash && saved.format === FORMAT;
    const state = new MarketState(file, genesisHash, isFit ? saved : undefined);
    state.#save();
    return state;
  }

  /** The saved state for a reader: the market is the only writer. Throws when there is none. */
  static read(file: string): Omit<MarketState, 'add'> {
    const saved = readPrivateJson<SavedState>(file);
    if (saved === undefined) throw new Error(`${file} is missing: the market has not begun`);
    return new MarketState(file, saved.genesisHash, saved);
  }

  /** The trader that makes the swings of prices, and no other trade. */
  get swinger(): Keypair {
    const swinger = this.traders.at(-1);
    if (swinger === undefined) throw new Error('the market has no traders');
    return swinger;
  }

  /** Adds the token before it exists on the chain, so that the next start can finish an interrupted
   * launch. */
  add(listing: number, creator: Keypair = Keypair.generate()): MarketToken {
    const token: MarketToken = {
      listing,
      mint: Keypair.generate(),
      creator,
      launchedAt: new Date().toISOString(),
    };
    this.tokens.push(token);
    this.#save();
    return token;
  }

  addressesOf(token: MarketToken): LaunchAddresses {
    const { curve } = listingOf(token);
    const config = this.configs[curve].publicKey.toBase58();
    return launchAddresses(token.mint.publicKey.toBase58(), config, curvePlans[curve]);
  }

  #save(): void {
    const saved: SavedState = {
      format: FORMAT,
      genesisHash: this.#genesisHash,
      fees: toText(this.fees),
      presaleVault: toText(this.presaleVault),
      configs: perKind((kind) => toText(this.configs[kind])),
      upcoming: this.upcoming.map(toText),
      traders: this.traders.map(toText),
      tokens: this.tokens.map(({ mint, creator, ...rest }) => ({
        ...rest,
        mint: toText(mint),
        creator: toText(creator),
      })),
    };
    writePrivateJson(this.#file, saved);
  }
}

function perKind<Value>(make: (kind: CurveKind) => Value): Record<CurveKind, Value> {
  return Object.fromEntries(curveKinds.map((kind) => [kind, make(kind)])) as Record<CurveKind, Value>;
}

function generated(count: number): Keypair[] {
  return Array.from({ length: count }, () => Keypair.generate());
}

function toText(wallet: Keypair): string {
  return encodeBase58(wallet.secretKey);
}

function fromText(text: string): Keypair {
  return Keypair.fromSecretKey(bs58.decode(text));
}
