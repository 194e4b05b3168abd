import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { OwnerSet } from '../../src/indexer/holders/owner-set.ts';
import { encodeAddress } from '../../src/shared/address.ts';

test('counts each owner once, whatever its key, and however often the table grows', () => {
  const small = fc.uint8Array({ minLength: 16, maxLength: 16, max: 3 });
  fc.assert(
    fc.property(fc.array(fc.oneof(small, fc.uint8Array({ minLength: 16, maxLength: 16 }))), (keys) => {
      const owners = new OwnerSet();
      for (const key of keys) owners.add(encodeAddress(Buffer.concat([key, Buffer.alloc(16, 7)])));
      expect(owners.count).toBe(new Set(keys.map((key) => key.join())).size);
    }),
  );
  const many = new OwnerSet();
  const key = Buffer.alloc(32);
  for (let at = 0; at < 20_000; at += 1) {
    key.writeUInt32LE(at % 10_000, 4);
    many.add(encodeAddress(key));
  }
  expect(many.count).toBe(10_000);
});
