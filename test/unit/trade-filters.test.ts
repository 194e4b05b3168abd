import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  FilterIndex,
  filterChannels,
  type TradeFacts,
} from '../../src/features/streams/messages/filter-index.ts';
import { parseTopics, type Topic } from '../../src/features/streams/topics.ts';
import { type TradeFilter, wholeLamports } from '../../src/features/streams/trade-filter.ts';
import { Problem } from '../../src/shared/problem.ts';

const WALLETS = ['So11111111111111111111111111111111111111112', '11111111111111111111111111111111'];
const [A = '', B = ''] = WALLETS;

const textsOf = (topics: readonly Topic[]) => topics.map(({ text }) => text);

describe('a filter of a topic', () => {
  test('has one spelling, whatever the order of its parts', () => {
    expect(textsOf(parseTopics([`trades;wallet=${A};side=buy;wallet=${B};minSol=1.50`], '/p'))).toEqual([
      `trades;minSol=1.5;side=buy;wallet=${B};wallet=${A}`,
    ]);
    const twice = [`trades:${A};minSol=2;side=sell`, `trades:${A};side=sell;minSol=2.0`];
    expect(parseTopics(twice, '/p')).toHaveLength(1);
  });

  test.each([
    ['tokens;minSol=1', 'takes no filter'],
    ['trades;', 'a filter has'],
    ['trades;minSol=0', 'minSol is'],
    ['trades;minSol=-1', 'minSol is'],
    ['trades;minSol=1.0000000001', 'minSol is'],
    ['trades;minSol=1;minSol=2', 'minSol stands twice'],
    ['trades;side=up', 'side is one of buy, sell'],
    ['trades;side=buy;side=sell', 'side stands twice'],
    ['trades;wallet=x', 'wallet is an address'],
    ['trades;price=1', 'a filter has'],
    ['trades;traderWallet=x', 'did you mean wallet?'],
    ['trades;minSolAmount=1', 'did you mean minSol?'],
    ['trades;type=buy', 'did you mean side?'],
    ['trades;walet=x', 'did you mean wallet?'],
  ])('%s is refused with the reason', (text, reason) => {
    const errors = refusal([text]);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ path: '/query/topics', code: 'invalid_value' });
    expect(errors[0]?.message).toContain(reason);
  });

  test('names no more than 100 wallets with all topics of a stream', () => {
    const wallets = Array.from({ length: 51 }, (_, at) => addressOf(at));
    const filter = `trades;${wallets.map((wallet) => `wallet=${wallet}`).join(';')}`;
    const topics = wallets.slice(0, 49).map((wallet) => `wallet:${wallet}`);
    expect(parseTopics([filter, ...topics], '/query/topics')).toHaveLength(50);
    expect(refusal([filter, ...topics, `wallet:${A}`])).toMatchObject([{ code: 'too_long' }]);
  });
});

test('the index finds for any trade exactly the filters that it passes', () => {
  const mint = fc.constantFrom('m1', 'm2');
  const wallet = fc.constantFrom('w1', 'w2', 'w3');
  const side = fc.constantFrom('buy' as const, 'sell' as const);
  const lamports = fc.bigInt({ min: 0n, max: 5n });
  const filter = fc.record({
    mint: fc.option(mint),
    filter: fc.record({
      minimumLamports: lamports,
      side: fc.option(side),
      wallets: fc.uniqueArray(wallet, { maxLength: 2 }),
    }),
  });
  const trade = fc.record({ mintAddress: mint, traderWallet: wallet, side, lamports });
  fc.assert(
    fc.property(
      fc.array(fc.record({ entry: filter, isRemoved: fc.boolean() }), { maxLength: 12 }),
      fc.array(trade, { maxLength: 5 }),
      (entries, trades) => {
        const index = new FilterIndex();
        const channelsOf = (entry: (typeof entries)[number]['entry']) =>
          filterChannels(entry.mint, entry.filter);
        for (const { entry } of entries) for (const channel of channelsOf(entry)) index.add(channel);
        const removed = new Set(
          entries.flatMap(({ entry, isRemoved }) => (isRemoved ? channelsOf(entry) : [])),
        );
        for (const channel of removed) index.remove(channel);
        for (const one of trades) {
          const matched = index.match(one);
          expect(new Set(matched).size).toBe(matched.length);
          for (const { entry } of entries) {
            const left = channelsOf(entry).filter((channel) => !removed.has(channel));
            const passes = left.some((channel) => matched.includes(channel));
            const wanted = left.length > 0 && isPassed(entry, one, left);
            expect(passes).toBe(wanted);
          }
        }
      },
    ),
  );
});

test.each([
  ['1.5', 1_500_000_000n],
  ['0.000000001', 1n],
  ['0.0000000019', 1n],
  ['12', 12_000_000_000n],
])('%s SOL has %d whole lamports', (sol, lamports) => {
  expect(wholeLamports(sol)).toBe(lamports);
});

/** The plain rule, for the wallets whose channels are left. */
function isPassed(
  { mint, filter }: { mint: string | null; filter: TradeFilter },
  trade: TradeFacts,
  left: readonly string[],
): boolean {
  const isOfWallet =
    filter.wallets.length === 0 ||
    filter.wallets.some(
      (wallet) =>
        wallet === trade.traderWallet &&
        left.includes(filterChannels(mint, { ...filter, wallets: [wallet] })[0] ?? ''),
    );
  return (
    isOfWallet &&
    (mint === null || mint === trade.mintAddress) &&
    (filter.side === null || filter.side === trade.side) &&
    trade.lamports >= filter.minimumLamports
  );
}

function refusal(topics: readonly string[]) {
  try {
    parseTopics(topics, '/query/topics');
  } catch (error) {
    if (error instanceof Problem) return error.facts.errors ?? [];
  }
  return [];
}

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Distinct valid addresses: 32 zero bytes but for the last two. */
function addressOf(at: number): string {
  return `${'1'.repeat(30)}${ALPHABET[10 + Math.floor(at / 40)]}${ALPHABET[1 + (at % 40)]}`;
}
