import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { BlockText } from '../../src/chain/rpc/block-text.ts';

interface Entry {
  transaction: { signatures: string[]; message: unknown };
  meta: unknown;
  version: unknown;
}

/** Texts that look like the ends of strings, objects and lists. */
const text = fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', 'a', '"signatures":["') });
const entries = fc.uniqueArray(
  fc.record({
    transaction: fc.record({
      message: fc.record({ accountKeys: fc.array(text), note: text }),
      signatures: fc.tuple(fc.uuid(), text).map(([first, second]) => [first, second]),
    }),
    meta: fc.record({
      err: fc.constantFrom(null, { InstructionError: [0, 'Custom'] }),
      logMessages: fc.array(text),
    }),
    version: fc.constantFrom('legacy', 0),
  }),
  { selector: ({ transaction }) => transaction.signatures[0], maxLength: 6 },
);

function expectAll(response: string, expected: readonly Entry[], blockTime: unknown): void {
  const block = BlockText.read(response);
  expect(block?.blockTime).toEqual(blockTime);
  for (const [transactionIndex, { transaction, meta }] of expected.entries()) {
    const signature = transaction.signatures[0] ?? '';
    expect(block?.has(signature)).toBe(true);
    expect(block?.find(signature)).toEqual({ transactionIndex, meta, transaction });
  }
  expect(block?.has('another')).toBe(false);
  expect(block?.find('another')).toBeNull();
}

test('each transaction of a block is what JSON.parse makes of it, with its index, in every form of the text', () => {
  fc.assert(
    fc.property(
      entries,
      fc.option(fc.nat()),
      text,
      fc.boolean(),
      (transactions, blockTime, note, isSpaced) => {
        const response = {
          jsonrpc: '2.0',
          result: { blockhash: note, transactions, rewards: [], blockTime },
          id: 1,
        };
        expectAll(JSON.stringify(response, null, isSpaced ? 1 : 0), transactions, blockTime);
      },
    ),
  );
});

test('a node without the block has none, and one that refuses says why', () => {
  expect(BlockText.read('{"jsonrpc":"2.0","result":null,"id":1}')).toBeNull();
  const refused =
    '{"jsonrpc":"2.0","error":{"code":-32004,"message":"Block not available for slot 7"},"id":1}';
  expect(() => BlockText.read(refused)).toThrow('slot');
});

test.each([
  ['', SyntaxError],
  ['{"result":{"transactions":[{"meta":{},', SyntaxError],
  ['{"result":{"transactions":[{"meta":{}}],"blockTime":1', SyntaxError],
  ['[]', Error],
])('a text that is no response is refused: %s', (response, kind) => {
  expect(() => BlockText.read(response)).toThrow(kind);
});
