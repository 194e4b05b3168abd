import { expect, test } from 'bun:test';
import { covers, mintOfTopic, tradesTopic } from '../../packages/client/src/stream/topics.ts';
import { parseTopics } from '../../src/features/streams/topics.ts';

const MINT = 'So11111111111111111111111111111111111111112';
const WALLET = '11111111111111111111111111111111';

test('a built topic is the one spelling of the service', () => {
  const built = [
    tradesTopic(),
    tradesTopic({ minSol: '1.5', side: 'buy', wallets: [WALLET, MINT] }),
    tradesTopic({ mintAddress: MINT, wallets: [MINT] }),
  ];
  expect(parseTopics(built, '/query/topics').map(({ text }) => text)).toEqual(built);
  expect(built.map(mintOfTopic)).toEqual([undefined, undefined, MINT]);
});

type Message = Parameters<typeof covers>[1];
const trade = (changes: object) =>
  ({
    event: 'trade',
    topic: `trades:${MINT}`,
    data: { mintAddress: MINT, traderWallet: WALLET, type: 'buy', solAmount: '1.5', ...changes },
  }) as Message;
const reverted = {
  event: 'trade_reverted',
  topic: `trades:${MINT}`,
  data: { mintAddress: MINT, tradeId: 'x' },
} as Message;
const launched = (type: string) =>
  ({ event: 'event', topic: 'events', data: { type: `build.service.${type}.v1` } }) as Message;

test.each<[string, Message, boolean]>([
  ['trades', trade({}), true],
  [`trades:${MINT}`, trade({}), true],
  [`trades:${WALLET}`, trade({}), false],
  ['trades;minSol=1.5', trade({}), true],
  ['trades;minSol=1.500000001', trade({}), false],
  ['trades;side=sell', trade({}), false],
  [`trades;side=buy;wallet=${MINT};wallet=${WALLET}`, trade({}), true],
  [`trades:${MINT};wallet=${MINT}`, trade({}), false],
  [`wallet:${WALLET}`, trade({}), true],
  [`wallet:${MINT}`, trade({}), false],
  [`wallet:${MINT}`, reverted, true],
  [`trades:${WALLET};minSol=1`, reverted, false],
  ['launches', launched('launch.created'), true],
  ['launches', launched('launch.graduated'), false],
  ['graduations', launched('launch.graduated'), true],
  ['events', launched('presale.opened'), true],
])('%s covers a message or does not', (topic, message, isCovered) => {
  expect(covers(new Set([topic]), message)).toBe(isCovered);
});
