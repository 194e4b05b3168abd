import { Keypair, type TransactionInstruction } from '@solana/web3.js';
import { type SandboxChain, startChain } from '../../../sandbox/chain/server.ts';
import { parseTransaction } from '../../../sandbox/chain/wire-transaction.ts';
import { type CurvePlan, curvePlans } from '../../../sandbox/market/curve-kinds.ts';
import { type LaunchAddresses, launchAddresses } from '../../../sandbox/market/launch-addresses.ts';
import { createConfig } from '../../../sandbox/market/pool-instructions.ts';
import {
  launchInstructions,
  migrationInstructions,
  signed,
  tradeInstructions,
  wrapInstructions,
} from '../../../sandbox/market/transactions.ts';
import { readTransaction } from '../../../src/chain/transaction-reader.ts';
import { enterWorkerKeys } from '../../../src/db/worker-keys.ts';
import { upsertToken } from '../../../src/features/tokens/upsert-token.ts';
import type { TransactionIntent } from '../../../src/intents/schema.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { startTestApi, type TestApi } from '../api/api.ts';
import { createTestKey, type TestKey } from '../api/api-keys.ts';
import { signMessage } from '../chain/sign-text.ts';
import type { TestDatabase } from '../database/database.ts';
import { submitIntent } from '../intents/submit-intent.ts';
import { fundedWallet } from '../intents/submitted-intent.ts';
import { tokenMessage } from '../market/ingest-stream.ts';
import { atEnd } from '../run/cleanup.ts';
import { eventually } from '../run/eventually.ts';
import { tokenAmount } from '../token-account-data.ts';

const CREATOR_BUYS = 1_000_000_000n;

export interface Trader {
  wallet: Keypair;
  key: TestKey;
}

/** The body of a swap that was prepared. */
export interface SwapAnswer {
  intentId: string;
  intentUrl: string;
  version: number;
  lastValidBlockHeight: string;
  recentBlockhash: string;
  intent: TransactionIntent;
  // biome-ignore lint/suspicious/noExplicitAny: its schema is tested elsewhere
  quote: any;
}

/** A chain whose slots only the test moves, tokens with pools on it, and an api that knows them. */
export class TradedMarket {
  readonly chain: SandboxChain;
  readonly api: TestApi;
  readonly #operator: Keypair;
  readonly #pools = new Map<string, string>();

  constructor(chain: SandboxChain, api: TestApi, operator: Keypair) {
    this.chain = chain;
    this.api = api;
    this.#operator = operator;
  }

  static async start(environment: (chain: SandboxChain) => Record<string, string> = () => ({})) {
    const chain = await startChain({ slotMs: 'manual' });
    atEnd(() => chain.stop());
    return TradedMarket.over(chain, environment(chain));
  }

  /** Another api over a chain, with a database of its own unless one is given. */
  static async over(
    chain: SandboxChain,
    environment: Record<string, string>,
    database?: TestDatabase,
  ): Promise<TradedMarket> {
    const api = await startTestApi({
      environment: { SOLANA_RPC_URL: chain.rpcUrl, ...environment },
      ...(database === undefined ? {} : { database }),
    });
    const market = new TradedMarket(chain, api, await fundedWallet(chain.rpcUrl));
    // A database that is given may have a worker, which says itself which keys it has.
    if (database === undefined) await enterWorkerKeys(api.dependencies.database, api.config);
    const { chainHead } = api.dependencies;
    await eventually(
      'the head of the chain',
      async () => chainHead.current() !== null && chainHead.identity() !== null,
    );
    return market;
  }

  async trader(): Promise<Trader> {
    const wallet = await fundedWallet(this.chain.rpcUrl);
    this.settle();
    const walletAddress = wallet.publicKey.toBase58();
    return { wallet, key: await createTestKey(this.api.dependencies.database, { walletAddress }) };
  }

  /** Launches a token with its pool. The creator, a new wallet unless one is given, buys some. */
  async launch(plan: CurvePlan = curvePlans.steady, by?: Keypair): Promise<LaunchAddresses> {
    const [config, mint] = [Keypair.generate(), Keypair.generate()];
    const partner = this.#operator.publicKey.toBase58();
    const addresses = launchAddresses(mint.publicKey.toBase58(), config.publicKey.toBase58(), plan);
    this.land([createConfig(plan, { config: addresses.config, partner })], [this.#operator, config]);
    const texts = { name: 'A token', symbol: 'TOK', uri: 'https://example.org/token.json' };
    const creator = by ?? (await fundedWallet(this.chain.rpcUrl));
    this.land(launchInstructions(addresses, creator.publicKey.toBase58(), texts, CREATOR_BUYS), [
      creator,
      mint,
    ]);
    this.#pools.set(addresses.mint, addresses.pool);
    await this.list(addresses.mint, addresses.pool);
    return addresses;
  }

  /** Adds a token to the api's database. */
  async list(mint: string, poolAddress: string | null): Promise<void> {
    const { database, outbox } = this.api.dependencies;
    const token = { ...tokenMessage(mint), launchType: 'dbc' as const, status: 'bonding' as const };
    await database.begin((sql) => upsertToken(sql, outbox, systemClock, { ...token, poolAddress }));
  }

  /** Another wallet buys, without the api. */
  async buy(addresses: LaunchAddresses, lamports: bigint, { isMigrated = false } = {}): Promise<void> {
    const buyer = await fundedWallet(this.chain.rpcUrl);
    const wallet = buyer.publicKey.toBase58();
    const order = { side: 'buy', mode: 'partial_fill', amountRaw: lamports, limitRaw: 1n } as const;
    const trade = tradeInstructions(addresses, wallet, order, { opens: true, isMigrated });
    this.land([...wrapInstructions(wallet, lamports), ...trade], [buyer]);
  }

  /** Buys the rest of the curve. */
  complete(addresses: LaunchAddresses): Promise<void> {
    return this.buy(addresses, 90_000_000_000n);
  }

  migrate(addresses: LaunchAddresses): void {
    const [first, second] = [Keypair.generate(), Keypair.generate()] as const;
    const positions = [first.publicKey.toBase58(), second.publicKey.toBase58()] as const;
    const keeper = this.#operator;
    this.land(migrationInstructions(addresses, keeper.publicKey.toBase58(), positions), [
      keeper,
      first,
      second,
    ]);
  }

  /** Lands a transaction that must succeed, and confirms it. */
  land(instructions: readonly TransactionInstruction[], signers: readonly Keypair[]): void {
    const { ledger } = this.chain;
    const bytes = signed(instructions, signers, ledger.ring.hashOf(ledger.slot));
    const { err } = ledger.land(parseTransaction(bytes));
    if (err !== null) throw new Error(`it did not land: ${JSON.stringify(err)}`);
    this.settle();
  }

  /** Confirms all landed transactions and drops everything that the api read before. */
  settle(): void {
    this.chain.advanceSlots(2);
    const { snapshots, wallets } = this.api.dependencies.tradingCaches;
    snapshots.clear();
    wallets.clear();
    // Fifty landings take 150 blocks, which a quick test makes while the api keeps a blockhash.
    this.api.dependencies.blockhashes.forget();
  }

  /** Gives all later slots the same time, so that a time-dependent fee is equal in a quote and when the swap
   * lands. */
  stopTime(): void {
    const { clock, slot } = this.chain.ledger;
    clock.push({ slot, unixMs: clock.unixMsOf(slot), slotMs: 0 });
  }

  quote(mint: string, query: Record<string, string | number>): Promise<Response> {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) search.set(name, String(value));
    return fetch(`${this.api.baseUrl}/tokens/${mint}/quote?${search}`);
  }

  swap(
    mint: string,
    { key }: Trader,
    body: Record<string, unknown>,
    idempotencyKey: string = crypto.randomUUID(),
  ): Promise<Response> {
    return fetch(`${this.api.baseUrl}/tokens/${mint}/swaps`, {
      method: 'POST',
      headers: {
        ...key.header,
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
      },
      body: JSON.stringify(body),
    });
  }

  /** Prepares a swap, which must succeed. */
  async prepared(mint: string, trader: Trader, body: Record<string, unknown>): Promise<SwapAnswer> {
    const response = await this.swap(mint, trader, body);
    const answer = await response.json();
    if (response.status !== 201) throw new Error(`not prepared: ${JSON.stringify(answer)}`);
    return answer as SwapAnswer;
  }

  /** Like `prepared`, but with a new blockhash. */
  async freshlyPrepared(mint: string, trader: Trader, body: Record<string, unknown>): Promise<SwapAnswer> {
    this.api.dependencies.blockhashes.forget();
    return this.prepared(mint, trader, body);
  }

  // biome-ignore lint/suspicious/noExplicitAny: its schema is tested elsewhere
  async intent(intentId: string, { key }: Trader): Promise<any> {
    const url = `${this.api.baseUrl}/transaction-intents/${intentId}`;
    return (await fetch(url, { headers: key.header })).json();
  }

  submit(intentId: string, { key }: Trader, signed: Uint8Array): Promise<Response> {
    return submitIntent(this.api.baseUrl, intentId, { key, signed });
  }

  /** The bytes of an intent with the signature of a wallet. */
  async sign(intentId: string, { wallet, key }: Trader): Promise<Uint8Array> {
    const response = await fetch(`${this.api.baseUrl}/transaction-intents/${intentId}`, {
      headers: key.header,
    });
    const { serializedTransaction } = (await response.json()) as { serializedTransaction: string };
    return signBytes(Buffer.from(serializedTransaction, 'base64'), wallet);
  }

  /** Lands signed bytes at once. Returns the chain's error as JSON, or null for a success. */
  landSigned(bytes: Uint8Array): string | null {
    const { landed, err } = this.chain.ledger.land(parseTransaction(bytes));
    if (!landed) throw new Error(`refused without a trace: ${JSON.stringify(err)}`);
    this.settle();
    return err === null ? null : JSON.stringify(err);
  }

  lamportsOf({ key }: Trader): bigint {
    return this.chain.ledger.vm.getAccount(key.walletAddress)?.lamports ?? 0n;
  }

  poolOf(mint: string): string {
    return this.#pools.get(mint) ?? '';
  }

  /** The balance of a vault. */
  held(vault: string): bigint {
    return tokenAmount(this.chain.ledger.vm.getAccount(vault));
  }
}

/** Signs a transaction of any version. */
export function signBytes(unsigned: Uint8Array, wallet: Keypair): Uint8Array {
  const view = readTransaction(unsigned);
  if (view === null) throw new Error('not a transaction');
  const message = unsigned.subarray(view.messageOffset, view.messageOffset + view.messageLength);
  const bytes = Uint8Array.from(unsigned);
  bytes.set(signMessage(message, wallet), view.signaturesOffset);
  return bytes;
}
