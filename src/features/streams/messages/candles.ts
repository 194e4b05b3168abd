import { candleIntervals } from '../../../db/values/trades.ts';
import { bucketStart, intervalMs } from '../../../indexer/market/fold-candles.ts';
import type { Channel } from '../channel.ts';
import type { LogEntry } from '../log/read-log.ts';
import type { BarRef, RecordSources, StreamedBar } from '../record-sources.ts';
import { StreamMessage, topicText } from './stream-message.ts';

/**
 * Bars of one series that one proof closes and that are sent: after a long silence of a source, the newest.
 */
const CLOSED_AT_ONCE_MAX = 100;

/**
 * The bars that entries have changed: bars with new trades, and bars that a proof has closed. They move no
 * cursor.
 */
export async function composeCandles(
  entries: readonly LogEntry[],
  { sources, wants }: { sources: RecordSources; wants(channel: Channel): boolean },
): Promise<StreamMessage[]> {
  const changed = new Map<string, BarRef>();
  for (const entry of entries) {
    if (entry.mintAddress === null || entry.through === null) continue;
    for (const interval of candleIntervals) {
      if (!wants(`candles:${entry.mintAddress}:${interval}`)) continue;
      for (const bar of changedBars(entry, entry.mintAddress, interval)) changed.set(keyOf(bar), bar);
    }
  }
  if (changed.size === 0) return [];
  return (await sources.bars([...changed.values()])).map((bar) => candleMessage(bar));
}

/** Whether an entry may have changed a bar that somebody follows. */
export function changesCandles(
  { mintAddress, through }: LogEntry,
  wants: (channel: Channel) => boolean,
): boolean {
  if (mintAddress === null || through === null) return false;
  return candleIntervals.some((interval) => wants(`candles:${mintAddress}:${interval}`));
}

function changedBars(
  { kind, through, since }: LogEntry,
  mintAddress: string,
  interval: BarRef['interval'],
): BarRef[] {
  if (through === null) return [];
  if (kind !== 'proven') return [{ mintAddress, interval, openTime: bucketStart(interval, through) }];
  const lengthMs = intervalMs[interval];
  // Buckets that end after `since` and not after `through`.
  const endMs = bucketStart(interval, through).getTime();
  const sinceMs = since === null ? endMs - lengthMs : bucketStart(interval, since).getTime();
  const firstMs = Math.max(sinceMs, endMs - CLOSED_AT_ONCE_MAX * lengthMs);
  const bars: BarRef[] = [];
  for (let openMs = firstMs; openMs < endMs; openMs += lengthMs)
    bars.push({ mintAddress, interval, openTime: new Date(openMs) });
  return bars;
}

const keyOf = ({ mintAddress, interval, openTime }: BarRef) =>
  `${mintAddress} ${interval} ${openTime.getTime()}`;

/** The message of a bar: a state of which only the newest is sent. */
export function candleMessage(bar: StreamedBar, isSnapshot = false): StreamMessage {
  const topic = `candles:${bar.mintAddress}:${bar.interval}`;
  return new StreamMessage({
    event: 'candle',
    text: topicText({ event: 'candle', cursor: null, topic, isSnapshot }, JSON.stringify(bar)),
    channels: [topic],
    stateKey: `${topic}:${bar.openTime}`,
  });
}
