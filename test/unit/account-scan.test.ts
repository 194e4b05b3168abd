import { describe, expect, test } from 'bun:test';
import bs58 from 'bs58';
import fc from 'fast-check';
import { createAccountScan } from '../../src/chain/holdings/account-scan.ts';

/** Data and address of an account. */
type Listed = [data: string, address: string];

interface Listing {
  accounts: Listed[];
  text: string;
}

const address = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => bs58.encode(bytes));
const base64 = fc
  .uint8Array({ maxLength: 80, size: 'max' })
  .map((bytes) => Buffer.from(bytes).toString('base64'));

/** Answers of a node: any number of accounts, keys in either order, with or without white space. */
const listings: fc.Arbitrary<Listing> = fc
  .record({
    accounts: fc.array(fc.tuple(base64, address), { maxLength: 20, size: 'max' }),
    pubkeyFirst: fc.boolean(),
    indent: fc.constantFrom(0, 2),
  })
  .map(({ accounts, pubkeyFirst, indent }) => {
    const value = accounts.map(([one, pubkey]) => {
      const account = {
        lamports: 1,
        data: [one, 'base64'],
        owner: 'Tokenkeg',
        executable: false,
        space: 165,
      };
      return pubkeyFirst ? { pubkey, account } : { account, pubkey };
    });
    const answer = { jsonrpc: '2.0', result: { context: { slot: 1, apiVersion: '3.0.0' }, value }, id: 1 };
    return { accounts, text: JSON.stringify(answer, null, indent) };
  });

function scan(chunks: readonly string[]): Listed[] {
  const found: Listed[] = [];
  const accounts = createAccountScan((data, address) => found.push([data, address]));
  for (const chunk of chunks) accounts.push(chunk);
  accounts.end();
  return found;
}

describe('a list of accounts', () => {
  test('reads the same however the network cuts it into chunks', () => {
    fc.assert(
      fc.property(listings, fc.array(fc.nat(), { maxLength: 12 }), ({ accounts, text }, cuts) => {
        const positions = [
          0,
          ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b),
          text.length,
        ];
        const chunks = positions.slice(1).map((end, index) => text.slice(positions[index], end));
        expect(scan(chunks)).toEqual(accounts);
        expect(scan([...text])).toEqual(accounts);
      }),
    );
  });

  test('that ends early is refused, not taken for a shorter list', () => {
    fc.assert(
      fc.property(listings, fc.nat(), ({ text }, cut) => {
        const short = text.slice(0, cut % (text.lastIndexOf(']') + 1));
        expect(() => scan([short])).toThrow();
      }),
    );
  });

  test('is not read from an error, another encoding, or an endless response', () => {
    const error = '{"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid param"},"id":1}';
    const parsed = '{"result":{"value":[{"pubkey":"So1","account":{"data":{"parsed":{}}}}]},"id":1}';
    for (const text of [error, parsed, '', '<html></html>', `{"result":{"value":[${' '.repeat(70_000)}`]) {
      expect(() => scan([text])).toThrow();
    }
  });
});
