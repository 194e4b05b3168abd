import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { FollowedSubjects, type Follows } from '../../src/indexer/followed/followed-subjects.ts';

const subject = fc.constantFrom('a', 'b', 'c', 'd');
const follows: fc.Arbitrary<Follows> = fc.record({
  version: fc.string(),
  subjects: fc.uniqueArray(subject, { maxLength: 4 }),
  wallets: fc.boolean(),
  tokens: fc.boolean(),
});
const change = fc.record({ id: fc.constantFrom('1', '2', '3'), to: fc.option(follows) });

test('after any changes a trade is found if and only if some endpoint names its wallet or token for that type', () => {
  fc.assert(
    fc.property(
      fc.array(change, { maxLength: 20, size: 'max' }),
      subject,
      subject,
      (changes, traderWallet, mintAddress) => {
        const followed = new FollowedSubjects();
        const plain = new Map<string, Follows>();
        for (const { id, to } of changes) {
          followed.set(id, to);
          if (to === null) plain.delete(id);
          else plain.set(id, to);
        }
        const all = [...plain.values()];
        const ofWallet = all.some(({ wallets, subjects }) => wallets && subjects.includes(traderWallet));
        const ofToken = all.some(({ tokens, subjects }) => tokens && subjects.includes(mintAddress));
        const found = followed.match({ traderWallet, mintAddress });
        expect(found).toEqual(ofWallet || ofToken ? { ofWallet, ofToken } : null);
        expect(followed.versions()).toEqual(new Map([...plain].map(([id, { version }]) => [id, version])));
        for (const id of plain.keys()) followed.set(id, null);
        expect(followed.size).toBe(0);
      },
    ),
  );
});
