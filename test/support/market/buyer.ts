import {
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  type TransactionInstruction,
} from '@solana/web3.js';
import type { LaunchAddresses } from '../../../sandbox/market/launch-addresses.ts';
import { tokenAccountOf } from '../../../sandbox/market/launch-addresses.ts';
import { signed, tradeInstructions, wrapInstructions } from '../../../sandbox/market/transactions.ts';
import { SPL_TOKEN } from '../../../src/chain/accounts/programs.ts';
import { WRAPPED_SOL_MINT } from '../../../src/indexer/decode/pool-event.ts';

const AIRDROP_SOL = 60;
/** This is more than the rest of any curve that completes soon. */
const PAID_LAMPORTS = 25_000_000_000n;

/** A new wallet that trades one token independently of the market. */
export class Buyer {
  readonly wallet: string;
  readonly #keypair = Keypair.generate();
  readonly #connection: Connection;
  readonly #addresses: LaunchAddresses;

  constructor(rpcUrl: string, addresses: LaunchAddresses) {
    this.wallet = this.#keypair.publicKey.toBase58();
    this.#connection = new Connection(rpcUrl, 'confirmed');
    this.#addresses = addresses;
  }

  /** Buys the rest of the curve. */
  async buyTheRest(): Promise<{ signature: string; bought: bigint }> {
    const airdrop = this.#connection.requestAirdrop(this.#keypair.publicKey, AIRDROP_SOL * LAMPORTS_PER_SOL);
    await this.#confirmed(await airdrop);
    const order = { side: 'buy', mode: 'partial_fill', amountRaw: PAID_LAMPORTS, limitRaw: 1n } as const;
    const state = { opens: true, isMigrated: false };
    const signature = await this.#land([
      ...wrapInstructions(this.wallet, PAID_LAMPORTS),
      ...tradeInstructions(this.#addresses, this.wallet, order, state),
    ]);
    const { mint, tokenProgram } = this.#addresses;
    return { signature, bought: await this.#amount(mint, tokenProgram) };
  }

  /** Returns the output in lamports of wrapped SOL. */
  async sellInAmm(amountRaw: bigint): Promise<bigint> {
    const before = await this.#amount(WRAPPED_SOL_MINT, SPL_TOKEN);
    const order = { side: 'sell', mode: 'exact_in', amountRaw, limitRaw: 1n } as const;
    const state = { opens: false, isMigrated: true };
    await this.#land(tradeInstructions(this.#addresses, this.wallet, order, state));
    return (await this.#amount(WRAPPED_SOL_MINT, SPL_TOKEN)) - before;
  }

  async #amount(mint: string, tokenProgram: string): Promise<bigint> {
    const account = new PublicKey(tokenAccountOf(this.wallet, mint, tokenProgram));
    return BigInt((await this.#connection.getTokenAccountBalance(account)).value.amount);
  }

  async #land(instructions: readonly TransactionInstruction[]): Promise<string> {
    const { blockhash } = await this.#connection.getLatestBlockhash();
    const wire = signed(instructions, [this.#keypair], blockhash);
    return this.#confirmed(await this.#connection.sendRawTransaction(wire));
  }

  async #confirmed(signature: string): Promise<string> {
    const latest = await this.#connection.getLatestBlockhash();
    const { value } = await this.#connection.confirmTransaction({ signature, ...latest });
    if (value.err !== null) throw new Error(`failed: ${JSON.stringify(value.err)}`);
    return signature;
  }
}
