import { TOKEN_2022_PROGRAM_ID } from '@solana/spl-token';
import {
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  type ParsedInstruction,
  type PartiallyDecodedInstruction,
  PublicKey,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js';
import { startChain } from '../../../sandbox/chain/server.ts';
import { atEnd } from '../run/cleanup.ts';
import { eventually } from '../run/eventually.ts';

const SLOT_MS = 50;

/** A ticking chain and a client that sends, confirms and reads parsed transactions as any client does. */
export async function createParsedClient() {
  // @solana/web3.js uses a blockhash for 30 s.
  const chain = await startChain({ slotMs: SLOT_MS, blockhashWindow: 3_000 });
  atEnd(() => chain.stop());
  const connection = new Connection(chain.rpcUrl, 'confirmed');
  const payer = Keypair.generate();
  const airdrop = await connection.requestAirdrop(payer.publicKey, 100 * LAMPORTS_PER_SOL);
  await connection.confirmTransaction(airdrop);

  const run = (instructions: readonly TransactionInstruction[], ...signers: Keypair[]) =>
    sendAndConfirmTransaction(connection, new Transaction().add(...instructions), [payer, ...signers], {
      commitment: 'confirmed',
    });
  /** The top-level and inner instructions of a landed transaction. */
  const instructionsOf = async (signature: string) => {
    const landed = await connection.getParsedTransaction(signature, { maxSupportedTransactionVersion: 0 });
    if (landed === null) throw new Error(`${signature} has not landed`);
    return { top: landed.transaction.message.instructions, inner: landed.meta?.innerInstructions ?? [] };
  };
  return {
    chain,
    connection,
    payer,
    owner: payer.publicKey,
    /** An empty account of Token-2022 whose lamports also pay for later extensions. */
    createToken2022Account: (account: Keypair, space: number) =>
      SystemProgram.createAccount({
        fromPubkey: payer.publicKey,
        newAccountPubkey: account.publicKey,
        lamports: 20_000_000,
        space,
        programId: TOKEN_2022_PROGRAM_ID,
      }),
    run,
    instructionsOf,
    /** Runs instructions and returns `parsed` of each one. */
    async parsed(instructions: readonly TransactionInstruction[], ...signers: Keypair[]): Promise<unknown[]> {
      const { top } = await instructionsOf(await run(instructions, ...signers));
      return top.map(parsedOf);
    },
    /** Like `parsed`, but the transaction may fail. */
    async parsedAnyway(
      instructions: readonly TransactionInstruction[],
      ...signers: Keypair[]
    ): Promise<unknown[]> {
      const latest = await connection.getLatestBlockhash();
      const transaction = new Transaction({ feePayer: payer.publicKey, ...latest }).add(...instructions);
      transaction.sign(payer, ...signers);
      const signature = await connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true });
      // confirmTransaction throws the error of a failed transaction; here the transaction only has to land.
      await eventually('the transaction lands', () => connection.getTransaction(signature));
      return (await instructionsOf(signature)).top.map(parsedOf);
    },
    /** `extensions` of a parsed mint or token account. */
    async extensionsOf(address: PublicKey): Promise<unknown> {
      const data = (await connection.getParsedAccountInfo(address)).value?.data;
      if (data === undefined || !('parsed' in data)) throw new Error(`${address} is not parsed`);
      return data.parsed.info.extensions;
    },
  };
}

/** `parsed` of an instruction or account, with addresses as text. */
export function form(type: string, info: Record<string, unknown>) {
  return { type, info: texts(info) };
}

/** One extension of an account. */
export function extension(name: string, state?: Record<string, unknown>) {
  return { extension: name, ...(state === undefined ? {} : { state: texts(state) }) };
}

/** An amount with two decimals. */
export function twoDecimals(units: string, uiAmount: number) {
  return { amount: units, decimals: 2, uiAmount, uiAmountString: String(uiAmount) };
}

export function parsedOf(instruction: ParsedInstruction | PartiallyDecodedInstruction): unknown {
  return 'parsed' in instruction ? instruction.parsed : 'partially decoded';
}

function texts(info: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(info).map(([name, value]) => [
      name,
      value instanceof PublicKey ? value.toBase58() : value,
    ]),
  );
}
