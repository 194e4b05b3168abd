import { expect, test } from 'bun:test';
import {
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  type TransactionInstruction,
} from '@solana/web3.js';
import type { LaunchAddresses } from '../../sandbox/market/launch-addresses.ts';
import { tokenAccountOf } from '../../sandbox/market/launch-addresses.ts';
import { listingOf, MarketState } from '../../sandbox/market/market-state.ts';
import { signed, tradeInstructions, wrapInstructions } from '../../sandbox/market/transactions.ts';
import { sandboxFolder } from '../../sandbox/sandbox-folder.ts';
import { SPL_TOKEN } from '../../src/chain/accounts/programs.ts';
import { WRAPPED_SOL_MINT } from '../../src/indexer/decode/pool-event.ts';
import { rawToDecimal } from '../../src/shared/decimal.ts';
import { eventually } from '../support/run/eventually.ts';
import { createSandboxDir, type SandboxProcess, startSandbox } from '../support/sandbox/sandbox-process.ts';

const TOKEN_DECIMALS = 6;
const AIRDROP_SOL = 60;
/** More than any curve of this kind has left. */
const PAID_LAMPORTS = 25_000_000_000n;
/** Ten processes on a machine that may be busy; what is waited for takes seconds. */
const WAIT_MS = 60_000;
const TEST_TIMEOUT_MS = 300_000;

test(
  'a token that somebody buys to its end completes, migrates and trades on, and the API shows each step of it',
  async () => {
    const dir = createSandboxDir();
    // Waiting for something to happen asks often.
    const limit = { limit: 100_000, windowSeconds: 60 };
    const RATE_LIMITS = JSON.stringify({ 'public-read-cheap': limit, 'public-read-expensive': limit });
    const sandbox = await startSandbox(dir, [], { RATE_LIMITS });
    const { addresses, mint } = quickToken(dir);
    const get = reader(sandbox);
    await eventually('a token on its curve', async () => (await get(`/tokens/${mint}`)).status === 'bonding');
    expect(await get(`/tokens/${mint}/supply-composition`)).toMatchObject({
      available: true,
      reads: 'complete',
      lifecycle: 'bonding',
    });

    const buyer = new Buyer(sandbox.state.rpcUrl, addresses);
    const { signature, bought } = await buyer.buyTheRest();
    expect(bought).toBeGreaterThan(0n);
    const ownTrade = async () => {
      const { data } = await get(`/tokens/${mint}/trades?limit=100`);
      return data.find((trade: Row) => trade.transactionSignature === signature);
    };
    const trade = await eventually('the trade', ownTrade, WAIT_MS);
    expect(trade).toMatchObject({
      type: 'buy',
      traderWallet: buyer.wallet,
      tokenAmount: rawToDecimal(bought, TOKEN_DECIMALS),
    });

    const seen: string[] = [];
    await eventually(
      'the graduation',
      async () => {
        const { status } = await get(`/tokens/${mint}`);
        if (seen.at(-1) !== status) seen.push(status);
        return status === 'graduated';
      },
      WAIT_MS,
    );
    // How much of the way is seen depends on the moment of the first look.
    const way = ['bonding', 'graduating_migration_pending', 'graduated'];
    expect(seen).toEqual(way.slice(-seen.length));

    const composition = await eventually(
      'the supply after the migration',
      async () => {
        const read = await get(`/tokens/${mint}/supply-composition`);
        return read.lifecycle === 'graduated' && read;
      },
      WAIT_MS,
    );
    const amounts = new Map<string, bigint>(
      composition.buckets.map(({ key, amount }: Row) => [key, BigInt(amount)]),
    );
    expect([...amounts.values()].reduce((sum, amount) => sum + amount)).toBe(BigInt(composition.totalSupply));
    expect(amounts.get('pool_reserve')).toBeGreaterThan(0n);
    expect(amounts.get('free_float')).toBeGreaterThanOrEqual(bought);
    expect(composition.lpLock).toMatchObject({
      poolAddress: addresses.amm.pool,
      isFullyPermanentlyLocked: true,
    });

    await eventually(
      'its holders',
      async () => (await get(`/tokens/${mint}/holders`)).holderCount > 1,
      WAIT_MS,
    );
    expect(Number((await get(`/tokens/${mint}/market`)).priceInSol)).toBeGreaterThan(0);
    const sold = await buyer.sellInAmm(bought / 2n);
    expect(sold).toBeGreaterThan(0n);
    const held = async () => {
      const { data } = await get(`/wallets/${buyer.wallet}/holdings`);
      return data.find(({ mintAddress }: Row) => mintAddress === mint);
    };
    const left = String(bought - bought / 2n);
    await eventually(
      'what is left after a sale in the AMM pool',
      async () => (await held())?.amountRaw === left,
      WAIT_MS,
    );
    expect((await sandbox.stop('SIGTERM')).code).toBe(0);
  },
  TEST_TIMEOUT_MS,
);

// biome-ignore lint/suspicious/noExplicitAny: bodies of several operations; their schemas are tested elsewhere
type Row = any;

function reader({ state }: SandboxProcess): (path: string) => Promise<Row> {
  return async (path) => (await fetch(`${state.baseUrl}${path}`)).json();
}

/** The first token that completes soon. */
function quickToken(dir: string): { addresses: LaunchAddresses; mint: string } {
  const market = MarketState.read(sandboxFolder(dir).marketFile);
  const token = market.tokens.find((one) => listingOf(one).curve === 'quick');
  if (token === undefined) throw new Error('the market has no quick token');
  return { addresses: market.addressesOf(token), mint: token.mint.publicKey.toBase58() };
}

/** A new wallet that trades one token past the market. */
class Buyer {
  readonly wallet: string;
  readonly #keypair = Keypair.generate();
  readonly #connection: Connection;
  readonly #addresses: LaunchAddresses;

  constructor(rpcUrl: string, addresses: LaunchAddresses) {
    this.wallet = this.#keypair.publicKey.toBase58();
    this.#connection = new Connection(rpcUrl, 'confirmed');
    this.#addresses = addresses;
  }

  /** Buys all that is left of the curve. */
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

  /** Answers what came out, in lamports of wrapped SOL. */
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
