import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { readTransaction } from '../../src/chain/transaction-reader.ts';
import { compareWithPrepared } from '../../src/chain/transactions/compare-submission.ts';
import { encodeAddress } from '../../src/shared/address.ts';
import { transactions, wireBytes } from '../support/chain/transaction-arbitraries.ts';

const SIGNATURE_BYTES = 64;

test('a submission is the prepared transaction with the signature of its wallet, and each other signature as it was or left out', () => {
  fc.assert(
    fc.property(
      transactions,
      fc.nat(),
      fc.array(fc.constantFrom('kept', 'left out', 'replaced'), { minLength: 5, maxLength: 5 }),
      fc.boolean(),
      (facts, nth, fates, isMessageKept) => {
        const prepared = Uint8Array.from(wireBytes(facts));
        const view = readTransaction(prepared);
        if (view === null) throw new Error('not read');
        const own = nth % facts.signers;
        const offsetOf = (slot: number) => view.signaturesOffset + slot * SIGNATURE_BYTES;
        for (let slot = 0; slot < facts.signers; slot += 1)
          if (slot !== own) prepared.fill(slot + 1, offsetOf(slot), offsetOf(slot + 1));
        const signed = Uint8Array.from(prepared).fill(0xee, offsetOf(own), offsetOf(own + 1));

        const submitted = Uint8Array.from(signed);
        for (let slot = 0; slot < facts.signers; slot += 1) {
          if (slot === own || fates[slot] === 'kept') continue;
          submitted.fill(fates[slot] === 'left out' ? 0 : 0xdd, offsetOf(slot), offsetOf(slot + 1));
        }
        if (!isMessageKept) submitted[view.blockhashOffset] = (prepared[view.blockhashOffset] ?? 0) ^ 1;
        const isReplaced = fates.some(
          (fate, slot) => slot < facts.signers && slot !== own && fate === 'replaced',
        );

        const key = prepared.subarray(view.keysOffset + own * 32, view.keysOffset + own * 32 + 32);
        const stored = {
          bytes: prepared,
          signatureOffset: offsetOf(own),
          expectedSigner: encodeAddress(key),
        };
        expect<object>(compareWithPrepared(submitted, stored)).toEqual(
          isMessageKept && !isReplaced
            ? { outcome: 'same', signed }
            : { outcome: 'tampered', lacksExpectedSigner: false },
        );
        expect(compareWithPrepared(submitted.subarray(1), stored).outcome).not.toBe('same');
      },
    ),
    { numRuns: 300 },
  );
});
