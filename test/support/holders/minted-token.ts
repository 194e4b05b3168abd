import {
  ACCOUNT_SIZE,
  AuthorityType,
  createInitializeAccountInstruction,
  createInitializeMint2Instruction,
  createMintToInstruction,
  createSetAuthorityInstruction,
  createTransferInstruction,
  MINT_SIZE,
} from '@solana/spl-token';
import {
  Keypair,
  type PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js';
import {
  type ChainTransaction,
  readChainTransaction,
} from '../../../src/indexer/decode/chain-transaction.ts';
import type { ChainClient } from '../chain/chain-client.ts';

/** A mint on the sandbox chain, whose accounts the test opens and moves. */
export interface MintedToken {
  mint: string;
  /** Opens a token account with this balance. It is not the associated one, so an owner may have several. */
  open(owner: PublicKey, amountRaw: bigint): Promise<PublicKey>;
  /** Transfers from an account of the payer. Returns the node's transaction. */
  transfer(from: PublicKey, to: PublicKey, amountRaw: bigint): Promise<ChainTransaction>;
  /** Gives an account of the payer, with its balance, to another owner. */
  handOver(account: PublicKey, owner: PublicKey): Promise<ChainTransaction>;
}

export async function mintToken(client: ChainClient, program: PublicKey): Promise<MintedToken> {
  const { payer, connection } = client;
  const key = Keypair.generate();
  const mint = key.publicKey;
  const create = async (account: Keypair, space: number) =>
    SystemProgram.createAccount({
      fromPubkey: payer.publicKey,
      newAccountPubkey: account.publicKey,
      lamports: await connection.getMinimumBalanceForRentExemption(space),
      space,
      programId: program,
    });
  const initialise = createInitializeMint2Instruction(mint, 6, payer.publicKey, null, program);
  await send(client, [await create(key, MINT_SIZE), initialise], [key]);
  return {
    mint: mint.toBase58(),
    async open(owner, amountRaw) {
      const account = Keypair.generate();
      const instructions = [
        await create(account, ACCOUNT_SIZE),
        createInitializeAccountInstruction(account.publicKey, mint, owner, program),
        createMintToInstruction(mint, account.publicKey, payer.publicKey, amountRaw, [], program),
      ];
      await send(client, instructions, [account]);
      return account.publicKey;
    },
    transfer: (from, to, amountRaw) =>
      send(client, [createTransferInstruction(from, to, payer.publicKey, amountRaw, [], program)]),
    handOver: (account, owner) =>
      send(client, [
        createSetAuthorityInstruction(
          account,
          payer.publicKey,
          AuthorityType.AccountOwner,
          owner,
          [],
          program,
        ),
      ]),
  };
}

async function send(
  { payer, connection, chain, rpc }: ChainClient,
  instructions: TransactionInstruction[],
  signers: Keypair[] = [],
): Promise<ChainTransaction> {
  const { blockhash } = await connection.getLatestBlockhash();
  const transaction = new Transaction({ feePayer: payer.publicKey, blockhash, lastValidBlockHeight: 0 });
  transaction.add(...instructions).sign(payer, ...signers);
  const signature = await connection.sendRawTransaction(transaction.serialize());
  chain.advanceSlots(2);
  const config = { commitment: 'confirmed', encoding: 'json', maxSupportedTransactionVersion: 1 };
  return readChainTransaction((await rpc('getTransaction', signature, config)).result);
}
