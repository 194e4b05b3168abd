import type { Channel } from '../channel.ts';
import { entryChannels, eventChannels } from '../channels.ts';
import { formatCursor } from '../cursor.ts';
import type { LogEntry } from '../log/read-log.ts';
import type { RecordSources } from '../record-sources.ts';
import { changesCandles, composeCandles } from './candles.ts';
import { tradeFacts } from './filter-index.ts';
import type { Interest } from './interest.ts';
import { StreamMessage, topicText } from './stream-message.ts';

/** An entry with its composed message; null when the entry has no message. */
export type ComposedEntry = LogEntry & { message?: StreamMessage | null };

export interface ComposeOptions {
  sources: RecordSources;
  epoch: string;
  /** Nothing is read or serialised that interests nobody. */
  interest: Interest;
}

/** Whether anybody listens to an entry, as far as the entry itself says. */
export function concerns(entry: LogEntry, interest: Interest): boolean {
  return isWanted(entry, interest) || changesCandles(entry, interest.wants);
}

function isWanted(entry: LogEntry, { wants, filtered }: Interest): boolean {
  return entryChannels(entry).some(wants) || filtered(tradeFacts(entry)).length > 0;
}

/**
 * The messages of consecutive entries, in order. Candles come first and move no cursor: a reader that
 * disconnects in between gets them again, and never loses one. A state that changed several times is sent
 * once, with its last change.
 */
export async function composeMessages(
  entries: readonly ComposedEntry[],
  options: ComposeOptions,
): Promise<StreamMessage[]> {
  const { sources, interest } = options;
  const wanted = entries.filter((entry) => isWanted(entry, interest));
  const [candles, composed] = await Promise.all([
    composeCandles(entries, { sources, wants: interest.wants }),
    composeEntries(wanted, options),
  ]);
  return [...candles, ...composed];
}

async function composeEntries(
  wanted: readonly ComposedEntry[],
  options: ComposeOptions,
): Promise<StreamMessage[]> {
  const states = lastOfStates(wanted);
  const isNewest = (entry: ComposedEntry) => {
    const key = stateKeyOf(entry);
    return key === null || states.get(key)?.last === entry;
  };
  const newest = wanted.filter(isNewest);
  const records = await readRecords(newest, options.sources);
  return newest.flatMap((entry) => {
    const key = stateKeyOf(entry);
    const channels = key === null ? entryChannels(entry) : (states.get(key)?.channels ?? []);
    if (key !== null) return compose(entry, key, channels, records, options.epoch) ?? [];
    // Histories never change: their messages are composed once for all clients that come back later.
    if (entry.message === undefined) entry.message = compose(entry, null, channels, records, options.epoch);
    return entry.message ?? [];
  });
}

/** Null for a history. Token and market are one state, which two kinds of change update. */
function stateKeyOf({ kind, mintAddress, ref }: LogEntry): string | null {
  switch (kind) {
    case 'token':
    case 'market':
      return `token:${mintAddress}`;
    case 'order':
    case 'operation':
    case 'delivery':
    case 'presale':
    case 'round':
      return `${kind}:${ref}`;
    default:
      return null;
  }
}

/** The last entry of each state, with the channels of all its entries. */
function lastOfStates(entries: readonly ComposedEntry[]) {
  const states = new Map<string, { last: ComposedEntry; channels: Channel[] }>();
  for (const entry of entries) {
    const key = stateKeyOf(entry);
    if (key === null) continue;
    const channels = [...new Set([...(states.get(key)?.channels ?? []), ...entryChannels(entry)])];
    states.set(key, { last: entry, channels });
  }
  return states;
}

async function readRecords(entries: readonly ComposedEntry[], sources: RecordSources) {
  const fresh = entries.filter(({ message }) => message === undefined);
  const refs = (...kinds: LogEntry['kind'][]) => [
    ...new Set(fresh.flatMap(({ kind, ref }) => (kinds.includes(kind) && ref !== null ? [ref] : []))),
  ];
  const mints = (...kinds: LogEntry['kind'][]) => [
    ...new Set(
      fresh.flatMap(({ kind, mintAddress }) =>
        kinds.includes(kind) && mintAddress !== null ? [mintAddress] : [],
      ),
    ),
  ];
  const trades = fresh.flatMap(({ kind, ref, slot }) =>
    kind === 'trade' && ref !== null && slot !== null ? [{ id: ref, slot }] : [],
  );
  const [tokens, visible, tradesById, events, orders, operations, deliveries, presales, rounds] =
    await Promise.all([
      sources.tokens(mints('token', 'market')),
      sources.visibleMints(mints('trade_reverted')),
      sources.trades(trades),
      sources.events(refs('event', 'intent')),
      sources.orders(refs('order')),
      sources.operations(refs('operation')),
      sources.deliveries(refs('delivery')),
      sources.presales(refs('presale')),
      sources.rounds(refs('round')),
    ]);
  return { tokens, visible, trades: tradesById, events, orders, operations, deliveries, presales, rounds };
}

type Records = Awaited<ReturnType<typeof readRecords>>;

function compose(
  entry: LogEntry,
  stateKey: string | null,
  channels: readonly Channel[],
  records: Records,
  epoch: string,
): StreamMessage | null {
  const found = describe(entry, records);
  if (found === null) return null;
  const { event, topic, data } = found;
  const cursor = formatCursor({ epoch, id: entry.id });
  const text = topicText({ event, cursor, topic }, data);
  return new StreamMessage({
    event,
    text,
    place: entry.id,
    cursor,
    channels: found.channels ?? channels,
    stateKey,
    trade: tradeFacts(entry),
  });
}

interface Description {
  event: string;
  topic: string;
  /** JSON text. */
  data: string;
  /** The channels, where the record says more than the entry. */
  channels?: readonly Channel[];
}

/** The content of the message of an entry; null when the record is gone or hidden. */
function describe({ kind, mintAddress, accountId, ref }: LogEntry, records: Records): Description | null {
  const id = ref ?? '';
  const mint = mintAddress ?? '';
  switch (kind) {
    case 'trade':
      return described('trade', `trades:${mint}`, records.trades.get(id));
    case 'trade_reverted': {
      const data = records.visible.has(mint) ? { mintAddress: mint, tradeId: id } : undefined;
      return described('trade_reverted', `trades:${mint}`, data);
    }
    case 'token':
    case 'market': {
      const token = records.tokens.get(mint);
      const content = described('token', `token:${mint}`, token?.record);
      // An unsigned launch is sent only to streams that follow its mint (contract/launches#unsigned).
      return token?.isListed === false && content !== null
        ? { ...content, channels: [`token:${mint}`] }
        : content;
    }
    case 'event': {
      const event = records.events.get(id);
      if (event === undefined) return null;
      const channels = eventChannels(event.type, accountId);
      return { event: 'event', topic: 'events', data: event.body, channels };
    }
    case 'intent': {
      const event = records.events.get(id);
      if (event === undefined) return null;
      const { data }: { data: object } = JSON.parse(event.body);
      return described('intent', 'intents', data);
    }
    case 'order':
      return described('order', 'orders', records.orders.get(id));
    case 'operation':
      return described('operation', 'operations', records.operations.get(id));
    case 'delivery':
      return described('delivery', 'deliveries', records.deliveries.get(id));
    case 'presale':
      return described('presale', `presale:${id}`, records.presales.get(id));
    case 'round': {
      const round = records.rounds.get(id);
      const topic = `rounds:${round?.mintAddress}`;
      const content = described('round', topic, round);
      return content === null ? null : { ...content, channels: ['rounds', topic] };
    }
    case 'proven':
      return null;
  }
}

function described(event: string, topic: string, record: object | undefined): Description | null {
  return record === undefined ? null : { event, topic, data: JSON.stringify(record) };
}
