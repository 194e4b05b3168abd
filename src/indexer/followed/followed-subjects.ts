import type { IndexedTrade } from '../market/indexed-trade.ts';

/** The subjects that an endpoint follows. */
export interface Follows {
  /** Another text after every change of the endpoint. */
  version: string;
  subjects: readonly string[];
  /** Whether it gets `wallet.traded` of its subjects. */
  wallets: boolean;
  /** Whether it gets `token.traded` of its subjects. */
  tokens: boolean;
}

/**
 * The wallets and tokens that some enabled endpoint follows, in memory. Each trade of the chain costs two
 * look-ups, whatever the number of endpoints.
 */
export class FollowedSubjects {
  readonly #byEndpoint = new Map<string, Follows>();
  /** Number of endpoints that follow each wallet and each token. */
  readonly #wallets = new Map<string, number>();
  readonly #tokens = new Map<string, number>();
  /** The stamp of `trade_followers` to which this state belongs. Null before the first read. */
  stamp: string | null = null;

  /** The version of each endpoint. */
  versions(): ReadonlyMap<string, string> {
    return new Map([...this.#byEndpoint].map(([id, { version }]) => [id, version]));
  }

  /** Replaces the subjects of an endpoint. Null if it follows none. */
  set(endpointId: string, follows: Follows | null): void {
    const before = this.#byEndpoint.get(endpointId);
    if (before !== undefined) this.#count(before, -1);
    this.#byEndpoint.delete(endpointId);
    if (follows === null) return;
    this.#byEndpoint.set(endpointId, follows);
    this.#count(follows, 1);
  }

  /** Whether an endpoint follows the wallet of a trade, and whether one follows its token. Null for neither. */
  match({
    traderWallet,
    mintAddress,
  }: Pick<IndexedTrade, 'traderWallet' | 'mintAddress'>): { ofWallet: boolean; ofToken: boolean } | null {
    const [ofWallet, ofToken] = [this.#wallets.has(traderWallet), this.#tokens.has(mintAddress)];
    return ofWallet || ofToken ? { ofWallet, ofToken } : null;
  }

  /** Wallets and tokens together. */
  get size(): number {
    return this.#wallets.size + this.#tokens.size;
  }

  #count({ subjects, wallets, tokens }: Follows, change: 1 | -1): void {
    for (const subject of subjects) {
      if (wallets) add(this.#wallets, subject, change);
      if (tokens) add(this.#tokens, subject, change);
    }
  }
}

function add(counts: Map<string, number>, subject: string, change: 1 | -1): void {
  const count = (counts.get(subject) ?? 0) + change;
  if (count === 0) counts.delete(subject);
  else counts.set(subject, count);
}
