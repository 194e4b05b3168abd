import { expect, test } from 'bun:test';
import { Keypair, TransactionInstruction, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import fc from 'fast-check';
import { readTransaction } from '../../src/chain/transaction-reader.ts';
import { firstAccountIsWritable } from '../../src/intents/prepare/require-nonce.ts';

const [payer, program, ...others] = Array.from({ length: 7 }, () => Keypair.generate().publicKey);
if (payer === undefined || program === undefined) throw new Error('no keys');

const flags = fc.array(fc.record({ isSigner: fc.boolean(), isWritable: fc.boolean() }), {
  minLength: 1,
  maxLength: others.length,
});

test('the first account of an instruction is writable as web3.js says, whoever else signs or is written', () => {
  fc.assert(
    fc.property(flags, fc.boolean(), (drawn, isLegacy) => {
      const keys = drawn.map((flag, at) => ({ ...flag, pubkey: others[at] ?? expect.unreachable() }));
      const message = new TransactionMessage({
        payerKey: payer,
        recentBlockhash: payer.toBase58(),
        instructions: keys.map(
          (key, at) => new TransactionInstruction({ programId: program, keys: [key, ...keys.slice(at + 1)] }),
        ),
      });
      const compiled = isLegacy ? message.compileToLegacyMessage() : message.compileToV0Message();
      const bytes = new VersionedTransaction(compiled).serialize();
      const view = readTransaction(bytes) ?? expect.unreachable();
      const found = view.instructions.map((instruction) => firstAccountIsWritable(bytes, view, instruction));
      const expected = compiled.compiledInstructions.map(({ accountKeyIndexes: [first = -1] }) =>
        compiled.isAccountWritable(first),
      );
      expect(found).toEqual(expected);
    }),
  );
});
