import type { RefusedMessage, StreamMessage, StreamSignal } from './messages.ts';

type Any = StreamMessage | RefusedMessage | StreamSignal;

/** A topic of a stream. Any text is accepted: a newer service may have more. */
export type StreamTopic =
  | 'tokens'
  | `token:${string}`
  | 'trades'
  | `trades;${string}`
  | `trades:${string}`
  | `wallet:${string}`
  | 'launches'
  | 'graduations'
  | `candles:${string}:${string}`
  | 'events'
  | 'intents'
  | 'orders'
  | 'operations'
  | 'deliveries'
  | (string & {});

/** Conditions of trades; every one that is given has to hold. */
export interface TradesFilter {
  /** Only trades of this token. */
  mintAddress?: string | undefined;
  /** The least SOL of a trade: a decimal with at most 9 fraction digits. */
  minSol?: string | undefined;
  side?: 'buy' | 'sell' | undefined;
  /** Only trades of one of these wallets; at most 100 over all topics of a stream. */
  wallets?: readonly string[] | undefined;
}

/** The topic of the trades that pass a filter: `trades:{mint};minSol=5;side=buy;wallet={address}`. */
export function tradesTopic({ mintAddress, minSol, side, wallets = [] }: TradesFilter = {}): StreamTopic {
  return [
    mintAddress === undefined ? 'trades' : `trades:${mintAddress}`,
    ...(minSol === undefined ? [] : [`minSol=${minSol}`]),
    ...(side === undefined ? [] : [`side=${side}`]),
    ...[...wallets].sort().map((wallet) => `wallet=${wallet}`),
  ].join(';');
}

/** The mint that a topic names, if it names one. */
export function mintOfTopic(topic: string): string | undefined {
  return topic.startsWith('wallet:') ? undefined : topic.split(';')[0]?.split(':')[1];
}

/** Whether messages of this narrowest topic may belong to one of the topics. */
export function coversTopic(topics: ReadonlySet<string>, topic: string): boolean {
  if (topics.has(topic)) return true;
  const [kind] = topic.split(':');
  return (kind === 'trades' && topics.has('trades')) || (kind === 'token' && topics.has('tokens'));
}

const LAUNCHES: Readonly<Record<string, string>> = {
  launches: 'build.service.launch.created.v1',
  graduations: 'build.service.launch.graduated.v1',
};

/** Whether a message belongs to one of the topics. A reversal names no wallet, so any filter of its token counts. */
export function covers(topics: ReadonlySet<string>, message: Any & { topic: string }): boolean {
  if (coversTopic(topics, message.topic)) return true;
  if (message.event === 'event')
    return Object.entries(LAUNCHES).some(([topic, type]) => topics.has(topic) && message.data.type === type);
  if (message.event !== 'trade' && message.event !== 'trade_reverted') return false;
  return [...topics].some((topic) => isOfTrade(topic, message));
}

type TradeMessage = Extract<Any, { event: 'trade' | 'trade_reverted' }>;

function isOfTrade(topic: string, message: TradeMessage): boolean {
  const trade = message.event === 'trade' ? message.data : null;
  const [base = '', ...conditions] = topic.split(';');
  if (base.startsWith('wallet:')) return trade === null || base === `wallet:${trade.traderWallet}`;
  if (base !== 'trades' && base !== `trades:${message.data.mintAddress}`) return false;
  if (trade === null) return true;
  const valuesOf = (name: string) =>
    conditions.filter((one) => one.startsWith(`${name}=`)).map((one) => one.slice(name.length + 1));
  const [sides, wallets, minimums] = [valuesOf('side'), valuesOf('wallet'), valuesOf('minSol')];
  return (
    (sides.length === 0 || sides.includes(trade.type)) &&
    (wallets.length === 0 || wallets.includes(trade.traderWallet)) &&
    minimums.every((least) => lamportsOf(trade.solAmount) >= lamportsOf(least))
  );
}

function lamportsOf(sol: string): bigint {
  const [whole = '0', fraction = ''] = sol.split('.');
  return BigInt(whole + fraction.slice(0, 9).padEnd(9, '0'));
}
