import {
  type Connection,
  type Keypair,
  type ParsedInstruction,
  type PartiallyDecodedInstruction,
  PublicKey,
  sendAndConfirmTransaction,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js';
import { eventually } from './eventually.ts';

export type ShownInstruction = ParsedInstruction | PartiallyDecodedInstruction;

/** Sends instructions and confirms them, as a client does; `landed` also accepts a transaction that fails. */
export function parsedClient(connection: Connection, payer: Keypair) {
  const run = (instructions: readonly TransactionInstruction[], ...signers: Keypair[]) =>
    sendAndConfirmTransaction(connection, new Transaction().add(...instructions), [payer, ...signers], {
      commitment: 'confirmed',
    });
  /** The top-level and inner instructions of a landed transaction as getParsedTransaction shows them. */
  const shown = async (signature: string) => {
    const landed = await connection.getParsedTransaction(signature, { maxSupportedTransactionVersion: 0 });
    if (landed === null) throw new Error(`${signature} has not landed`);
    return {
      top: landed.transaction.message.instructions,
      inner: landed.meta?.innerInstructions ?? [],
    };
  };
  return {
    run,
    shown,
    /** Runs instructions and gives back the `parsed` of each. */
    async parsed(instructions: readonly TransactionInstruction[], ...signers: Keypair[]): Promise<unknown[]> {
      const { top } = await shown(await run(instructions, ...signers));
      return top.map(parsedOf);
    },
    /** The same for instructions that need not succeed: they land, and are shown. */
    async parsedAnyway(
      instructions: readonly TransactionInstruction[],
      ...signers: Keypair[]
    ): Promise<unknown[]> {
      const latest = await connection.getLatestBlockhash();
      const transaction = new Transaction({ feePayer: payer.publicKey, ...latest }).add(...instructions);
      transaction.sign(payer, ...signers);
      const signature = await connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true });
      // confirmTransaction throws the error of a failed transaction; here it is only waited for.
      await eventually('the transaction lands', () => connection.getTransaction(signature));
      return (await shown(signature)).top.map(parsedOf);
    },
  };
}

/** Addresses as text, as JSON has them. */
export function texts<T extends Record<string, unknown>>(info: T): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(info).map(([name, value]) => [
      name,
      value instanceof PublicKey ? value.toBase58() : value,
    ]),
  );
}

export function parsedOf(instruction: ShownInstruction): unknown {
  return 'parsed' in instruction ? instruction.parsed : 'partially decoded';
}
