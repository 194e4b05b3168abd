import type { TradeType } from '../../../db/values/trades.ts';
import type { Channel } from '../channel.ts';
import type { LogEntry } from '../log/read-log.ts';
import { type TradeFilter, wholeLamports } from '../trade-filter.ts';

/** What filters look at. */
export interface TradeFacts {
  mintAddress: string;
  traderWallet: string;
  side: TradeType;
  lamports: bigint;
}

/** The facts of a trade or reversal; null for other entries, and for those older than the columns. */
export function tradeFacts({ mintAddress, traderWallet, side, solAmount }: LogEntry): TradeFacts | null {
  if (mintAddress === null || traderWallet === null || side === null || solAmount === null) return null;
  return { mintAddress, traderWallet, side, lamports: wholeLamports(solAmount) };
}

const PREFIX = 'filtered';

/** The channels of a filter: one for each of its wallets. Equal filters have equal channels. */
export function filterChannels(
  mint: string | null,
  { minimumLamports, side, wallets }: TradeFilter,
): Channel[] {
  const chosen = wallets.length === 0 ? [''] : wallets;
  return chosen.map((wallet) => `${PREFIX}/${scopeOf(mint ?? '', wallet, side ?? '')}/${minimumLamports}`);
}

function scopeOf(mint: string, wallet: string, side: string): string {
  return `${mint}/${wallet}/${side}`;
}

interface Threshold {
  lamports: bigint;
  channel: Channel;
}

const NONE: readonly Channel[] = [];

/**
 * Finds the filters that a trade passes, by its wallet, token and side, and then by their minimums in order:
 * filters that it does not pass cost it nothing, however many there are.
 */
export class FilterIndex {
  /** The minimums of a scope, ascending. */
  readonly #thresholds = new Map<string, Threshold[]>();

  /** Adds a channel once; other channels than those of filters are left out. */
  add(channel: Channel): void {
    const parsed = parse(channel);
    if (parsed === null) return;
    const list = this.#thresholds.get(parsed.scope) ?? [];
    this.#thresholds.set(parsed.scope, list);
    const at = placeOf(list, parsed.lamports);
    if (list[at]?.lamports !== parsed.lamports) list.splice(at, 0, { lamports: parsed.lamports, channel });
  }

  remove(channel: Channel): void {
    const parsed = parse(channel);
    const list = parsed === null ? undefined : this.#thresholds.get(parsed.scope);
    if (parsed === null || list === undefined) return;
    const at = placeOf(list, parsed.lamports);
    if (list[at]?.lamports === parsed.lamports) list.splice(at, 1);
    if (list.length === 0) this.#thresholds.delete(parsed.scope);
  }

  /** The channels of the filters that a trade passes. */
  match(trade: TradeFacts | null): readonly Channel[] {
    if (trade === null || this.#thresholds.size === 0) return NONE;
    const found: Channel[] = [];
    for (const mint of ['', trade.mintAddress])
      for (const wallet of ['', trade.traderWallet])
        for (const side of ['', trade.side])
          for (const { lamports, channel } of this.#thresholds.get(scopeOf(mint, wallet, side)) ?? []) {
            if (lamports > trade.lamports) break;
            found.push(channel);
          }
    return found;
  }
}

function parse(channel: Channel): { scope: string; lamports: bigint } | null {
  if (!channel.startsWith(`${PREFIX}/`)) return null;
  const end = channel.lastIndexOf('/');
  return { scope: channel.slice(PREFIX.length + 1, end), lamports: BigInt(channel.slice(end + 1)) };
}

/** The first place whose minimum is not lower. */
function placeOf(list: readonly Threshold[], lamports: bigint): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle]?.lamports ?? 0n) < lamports) low = middle + 1;
    else high = middle;
  }
  return low;
}
