import { describe, expect, test } from 'bun:test';
import { Listeners } from '../../src/features/streams/following/listeners.ts';
import { StatsTicker } from '../../src/features/streams/following/stats-ticker.ts';
import type { LogEntry } from '../../src/features/streams/log/read-log.ts';
import type { StreamMessage } from '../../src/features/streams/messages/stream-message.ts';
import { StreamReader } from '../../src/features/streams/readers/reader.ts';
import { silentLog } from '../support/processes/worker-context.ts';

const MINT = 'SysvarRent111111111111111111111111111111111';
const OTHER = 'SysvarC1ock11111111111111111111111111111111';

function entry(kind: LogEntry['kind'], mintAddress: string): LogEntry {
  const [accountId, ref, slot, through, since] = [null, null, null, null, null];
  const noTrade = { traderWallet: null, side: null, solAmount: null };
  return { id: 1n, kind, mintAddress, accountId, ref, slot, through, since, ...noTrade, at: new Date() };
}

function stage() {
  const listeners = new Listeners();
  const reads: string[][] = [];
  let failures = 0;
  let isHeld = false;
  let finish = () => {};
  const sources = {
    async stats(mints: readonly string[]) {
      reads.push([...mints]);
      if (failures > 0) {
        failures -= 1;
        throw new Error('the database is away');
      }
      if (isHeld)
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
      return new Map(mints.map((mint) => [mint, { mint, read: reads.length }]));
    },
  };
  const ticker = new StatsTicker({ sources, listeners, log: silentLog, onComposed: () => {} });
  const follow = (mint: string) => {
    const sent: StreamMessage[] = [];
    const reader = new StreamReader({
      subject: 'a reader',
      sink: { send: (messages) => sent.push(...messages) > 0, end: () => {} },
      transport: 'sse',
      bufferBytes: 1_024,
      stallMs: 1_000,
      onSlow: () => {},
      onConflated: () => {},
      onEnded: () => {},
    });
    const text = `stats:${mint}`;
    reader.topics.set(text, { text, kind: 'stats', mint });
    listeners.listen(reader, [text]);
    return { reader, sent };
  };
  return {
    ticker,
    reads,
    follow,
    fail(times: number) {
      failures = times;
    },
    hold() {
      isHeld = true;
    },
    release: () => finish(),
  };
}

describe('the turns of statistics', () => {
  test('read a token once for all its changes, and none that nobody follows', async () => {
    const { ticker, reads, follow } = stage();
    const { sent } = follow(MINT);
    ticker.note([entry('trade', MINT), entry('market', MINT), entry('trade', OTHER), entry('token', MINT)]);
    ticker.note([entry('trade_reverted', MINT)]);
    await ticker.tick();
    expect(reads).toEqual([[MINT]]);
    expect(sent).toHaveLength(1);
    await ticker.tick();
    expect(reads).toHaveLength(1);
  });

  test('are for nothing but trades, markets and proofs', async () => {
    const { ticker, reads, follow } = stage();
    follow(MINT);
    ticker.note([entry('token', MINT), entry('event', MINT)]);
    await ticker.tick();
    expect(reads).toEqual([]);
    ticker.note([entry('proven', MINT)]);
    await ticker.tick();
    expect(reads).toEqual([[MINT]]);
  });

  test('keep what could not be read for the next one', async () => {
    const { ticker, follow, fail } = stage();
    const { reader, sent } = follow(MINT);
    fail(1);
    ticker.note([entry('trade', MINT)]);
    ticker.begin(reader);
    await ticker.tick();
    expect(sent).toEqual([]);
    await ticker.tick();
    expect(sent).toHaveLength(1);
  });

  test('send a stream that begins its statistics, changed or not, and others nothing', async () => {
    const { ticker, follow } = stage();
    const early = follow(MINT);
    const late = follow(MINT);
    ticker.begin(late.reader);
    await ticker.tick();
    expect([early.sent.length, late.sent.length]).toEqual([0, 1]);
  });

  test('do not overlap: changes during one are in the next', async () => {
    const { ticker, reads, follow, hold, release } = stage();
    const { sent } = follow(MINT);
    hold();
    ticker.note([entry('trade', MINT)]);
    const first = ticker.tick();
    ticker.note([entry('trade', MINT)]);
    await ticker.tick();
    expect(reads).toHaveLength(1);
    release();
    await first;
    const second = ticker.tick();
    release();
    await second;
    expect(sent).toHaveLength(2);
  });
});
