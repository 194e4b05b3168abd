import {
  Connection,
  Keypair,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js';
import { type SandboxChain, startChain } from '../../../sandbox/chain/server.ts';
import { atEnd } from '../run/cleanup.ts';

export const LAMPORTS_PER_SOL = 1_000_000_000;

export interface RpcAnswer {
  readonly result?: unknown;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: Record<string, unknown>;
  };
}

export interface ChainClient {
  chain: SandboxChain;
  connection: Connection;
  /** Holds 100 SOL. */
  payer: Keypair;
  rpc(method: string, ...params: unknown[]): Promise<RpcAnswer>;
  send(bytes: Uint8Array, config?: Record<string, unknown>): Promise<RpcAnswer>;
  /** A signed transfer of the payer, after other instructions. */
  signed(blockhash: string, lamports: number, first?: TransactionInstruction[]): Promise<Transaction>;
  latestBlockhash(): Promise<string>;
}

/** Calls a method of an address of the chain. */
export async function callRpc(rpcUrl: string, method: string, ...params: unknown[]): Promise<RpcAnswer> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(rpcUrl, { method: 'POST', body });
  return response.json() as Promise<RpcAnswer>;
}

/** A chain whose slots only the test moves, with a client that reads at `processed`. */
export async function createChainClient(): Promise<ChainClient> {
  const chain = await startChain({ slotMs: 'manual' });
  atEnd(() => chain.stop());
  const connection = new Connection(chain.rpcUrl, 'processed');
  const payer = Keypair.generate();
  await connection.requestAirdrop(payer.publicKey, 100 * LAMPORTS_PER_SOL);

  const rpc = (method: string, ...params: unknown[]) => callRpc(chain.rpcUrl, method, ...params);
  return {
    chain,
    connection,
    payer,
    rpc,
    send: (bytes, config = {}) =>
      rpc('sendTransaction', Buffer.from(bytes).toString('base64'), {
        encoding: 'base64',
        preflightCommitment: 'processed',
        ...config,
      }),
    async signed(blockhash, lamports, first = []) {
      const transaction = new Transaction({ feePayer: payer.publicKey, blockhash, lastValidBlockHeight: 0 });
      const toPubkey = Keypair.generate().publicKey;
      transaction.add(...first, SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey, lamports }));
      transaction.sign(payer);
      return transaction;
    },
    latestBlockhash: async () => (await connection.getLatestBlockhash()).blockhash,
  };
}
