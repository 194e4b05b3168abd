import {
  AccountRole,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getTransactionEncoder,
  type Address as KitAddress,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  setTransactionMessageLoadedAccountsDataSizeLimit,
  setTransactionMessagePriorityFeeLamports,
} from '@solana/kit';
import {
  ComputeBudgetProgram,
  PublicKey,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import type { TransactionPlan } from '../../../src/chain/transactions/compile-transaction.ts';
import { computeUnitLimit, computeUnitPrice } from '../../../src/chain/transactions/compute-budget.ts';
import type { Instruction } from '../../../src/chain/transactions/instruction.ts';
import { boundedPrice, statedPriorityLamports } from '../../../src/chain/transactions/priority.ts';

/** The same transaction as @solana/kit makes it. */
export function compileWithKit(shape: TransactionPlan): Uint8Array {
  const price = boundedPrice(shape);
  const isV1 = shape.version === 'v1';
  const budget = [
    computeUnitLimit(shape.computeUnitLimit),
    ...(price === 0n ? [] : [computeUnitPrice(price)]),
  ];
  const instructions = [
    ...(shape.advance === undefined ? [] : [shape.advance]),
    ...(isV1 ? [] : budget),
    ...shape.instructions,
  ];
  const lifetime = { blockhash: shape.blockhash as Blockhash, lastValidBlockHeight: 0n };
  const ofKit = instructions.map(instructionOfKit);
  const payer = shape.feePayer as KitAddress;
  if (!isV1) {
    const empty = createTransactionMessage({ version: shape.version === 'legacy' ? 'legacy' : 0 });
    const paid = setTransactionMessageFeePayer(payer, empty);
    const message = setTransactionMessageLifetimeUsingBlockhash(lifetime, paid);
    return encoded(compileTransaction(appendTransactionMessageInstructions(ofKit, message)));
  }
  const paid = setTransactionMessageFeePayer(payer, createTransactionMessage({ version: 1 }));
  const message = setTransactionMessageLifetimeUsingBlockhash(lifetime, paid);
  const limited = setTransactionMessageComputeUnitLimit(
    shape.computeUnitLimit,
    setTransactionMessageLoadedAccountsDataSizeLimit(64 * 1_024 * 1_024, message),
  );
  const priced =
    price === 0n ? limited : setTransactionMessagePriorityFeeLamports(statedPriorityLamports(shape), limited);
  return encoded(compileTransaction(appendTransactionMessageInstructions(ofKit, priced)));
}

function encoded(transaction: Parameters<ReturnType<typeof getTransactionEncoder>['encode']>[0]): Uint8Array {
  return new Uint8Array(getTransactionEncoder().encode(transaction));
}

function instructionOfKit({ program: programAddress, accounts, data }: Instruction) {
  const rolesOfSigners = [AccountRole.READONLY_SIGNER, AccountRole.WRITABLE_SIGNER] as const;
  const rolesOfOthers = [AccountRole.READONLY, AccountRole.WRITABLE] as const;
  return {
    programAddress: programAddress as KitAddress,
    accounts: accounts.map((use) => ({
      address: use.address as KitAddress,
      role: (use.isSigner ? rolesOfSigners : rolesOfOthers)[use.isWritable ? 1 : 0],
    })),
    data,
  };
}

/** The same transaction as web3.js 1.x makes it, which knows no version 1. Accounts of a role may have another order. */
export function compileWithWeb3({ version, ...shape }: TransactionPlan): Uint8Array {
  const message = new TransactionMessage({
    payerKey: new PublicKey(shape.feePayer),
    recentBlockhash: shape.blockhash,
    instructions: [
      ComputeBudgetProgram.setComputeUnitLimit({ units: shape.computeUnitLimit }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: shape.computeUnitPrice }),
      ...shape.instructions.map(
        ({ program: programId, accounts, data }) =>
          new TransactionInstruction({
            programId: new PublicKey(programId),
            keys: accounts.map((use) => ({ ...use, pubkey: new PublicKey(use.address) })),
            data: Buffer.from(data),
          }),
      ),
    ],
  });
  const compiled = version === 'legacy' ? message.compileToLegacyMessage() : message.compileToV0Message();
  return new VersionedTransaction(compiled).serialize();
}
