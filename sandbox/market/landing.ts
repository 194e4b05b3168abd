import type { Keypair, TransactionInstruction } from '@solana/web3.js';
import type { SolanaRpc } from '../shared/solana-rpc.ts';
import { signed } from './transactions.ts';

/** A blockhash is reused for this long. It stays valid much longer, even on a chain with slots of 50 ms. */
const BLOCKHASH_USED_MS = 2_000;

/** Signs and sends the market's transactions. */
export class Sender {
  readonly #rpc: SolanaRpc;
  #latest: { blockhash: string; untilMs: number } | null = null;

  constructor(rpc: SolanaRpc) {
    this.#rpc = rpc;
  }

  /** Sends a transaction that may fail or be lost. The first signer pays the fee. */
  async send(instructions: readonly TransactionInstruction[], signers: readonly Keypair[]): Promise<string> {
    return this.#rpc.send(signed(instructions, signers, await this.#blockhash()));
  }

  /** Sends a transaction that must succeed. Throws with the node's reason when its simulation fails. */
  async sendChecked(
    instructions: readonly TransactionInstruction[],
    signers: readonly Keypair[],
  ): Promise<string> {
    return this.#rpc.sendChecked(signed(instructions, signers, await this.#blockhash()));
  }

  /** After an interruption the chain may be another one. */
  forgetBlockhash(): void {
    this.#latest = null;
  }

  async #blockhash(): Promise<string> {
    if (this.#latest === null || performance.now() > this.#latest.untilMs) {
      const { blockhash } = await this.#rpc.latestBlockhash();
      this.#latest = { blockhash, untilMs: performance.now() + BLOCKHASH_USED_MS };
    }
    return this.#latest.blockhash;
  }
}
