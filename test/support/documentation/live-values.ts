import {
  Connection,
  Keypair,
  NONCE_ACCOUNT_LENGTH,
  SystemProgram,
  sendAndConfirmTransaction,
  VersionedTransaction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import type { SandboxState } from '../../../sandbox/shared/state-file.ts';
import { connectDatabase, type Database } from '../../../src/db/client.ts';
import { createTestKey } from '../api/api-keys.ts';
import { eventually } from '../run/eventually.ts';

const EXAMPLE_ADDRESS = 'So11111111111111111111111111111111111111112';
const EXAMPLE_WALLET = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';
const EXAMPLE_KEY = '4fGh7Kq2LmNpRsTv';
const EXAMPLE_ID = '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e';
const EXAMPLE_TRANSACTION = '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1f';
export const EXAMPLE_URL = 'https://bot.example/launchwire';
/** The sandbox may send to this address, but nobody listens there. */
export const OWN_URL = 'http://127.0.0.1:4100/hook';
const PAUSE_MS = 250;

type Replacements = readonly (readonly [example: string, live: string])[];

// biome-ignore lint/suspicious/noExplicitAny: bodies of every operation; their schemas are tested elsewhere
type Body = any;

/**
 * Values that replace the examples in a sample, so that it succeeds in a running sandbox. A sample that
 * changes a record gets a new one.
 */
export class LiveValues {
  readonly #state: SandboxState;
  readonly #known = new Map<string, Promise<string>>();

  constructor(state: SandboxState) {
    this.#state = state;
  }

  /** @param id the operation. */
  async replacementsFor(id: string): Promise<Replacements> {
    const { mint, wallet } = this.#state;
    const shared: Replacements = [
      [EXAMPLE_ADDRESS, id.startsWith('listWallet') ? wallet.address : (mint ?? '')],
      [EXAMPLE_WALLET, wallet.address],
      [EXAMPLE_URL, OWN_URL],
      ['2026-11-20T10:00:00.000Z', new Date(Date.now() - 600_000).toISOString()],
      ['2026-11-20T11:00:00.000Z', new Date().toISOString()],
    ];
    return [...(await this.#own(id)), ...shared];
  }

  async #own(id: string): Promise<Replacements> {
    const record = (live: Promise<string>) => live.then((value) => [[EXAMPLE_ID, value]] as const);
    switch (id) {
      case 'getPresale':
        return record(this.#once('presale', () => this.#first('/presales')));
      case 'getPresaleParticipation':
        return record(this.#once('participation', () => this.#participation()));
      case 'getPredictionRound':
      case 'getPredictionEligibility':
        return record(this.#once('round', () => this.#first(this.#rounds())));
      case 'listRoundPredictions':
      case 'listPredictionStandings':
        return record(this.#once('settled', () => this.#round('settled')));
      case 'createPrediction':
        return record(this.#round('open'));
      case 'getOwnedPrediction':
      case 'listOwnedPredictions':
        return record(this.#once('prediction', () => this.#prediction()));
      case 'revokeApiKey':
        return [[EXAMPLE_KEY, await this.#spareKey()]];
      case 'cancelOperation':
        return record(this.#waitingOperation());
      case 'getOperation':
        return [[EXAMPLE_ID, this.#state.operationId ?? '']];
      case 'getTransactionIntent':
        return [[EXAMPLE_ID, this.#state.intentId ?? '']];
      case 'getTransactionIntentSends':
        return record(this.#once('intent', () => this.#first('/transaction-intents')));
      case 'submitTransactionIntent':
        return this.#signedSwap();
      case 'createCreatorTransfer':
        return [[EXAMPLE_ADDRESS, await this.#once('ownToken', () => this.#ownToken())]];
      case 'getLaunch':
      case 'listLaunches':
        return record(this.#once('launch', () => this.#launch()));
      case 'getOrderSlot':
      case 'closeOrderSlot':
        return record(this.#once('slot', () => this.#slot()));
      case 'createOrder':
        // A slot holds one order.
        return record(this.#slot());
      case 'getOrder':
        return record(this.#once('order', async () => (await this.#order()).id));
      case 'cancelOrder':
        return record(this.#order().then(({ id }) => id));
      case 'signOrder':
        return this.#signedOrder();
      case 'getWebhookEndpoint':
      case 'pingWebhookEndpoint':
        return record(this.#once('endpoint', () => this.#endpoint()));
      case 'updateWebhookEndpoint':
      case 'deleteWebhookEndpoint':
      case 'rotateWebhookSecret':
      case 'recoverWebhookDeliveries':
        return record(this.#endpoint());
      case 'listWebhookDeliveries':
        return record(this.#once('inbox', () => this.#first('/webhook-endpoints')));
      case 'getEvent':
        return record(this.#once('event', () => this.#first('/events')));
      case 'retryWebhookDelivery':
        return record(this.#failingDelivery());
      case 'getWebhookDelivery':
      case 'listWebhookAttempts':
        return record(this.#once('delivery', () => this.#delivery()));
      case 'replayWebhookDelivery':
        // A delivery that was replayed a moment ago has not ended yet.
        return record(this.#delivery());
      default:
        return [];
    }
  }

  /** One request as the user of the sandbox; throws the code of a problem. */
  async #call(path: string, body?: object): Promise<Body> {
    const response = await fetch(this.#state.baseUrl + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        Authorization: `Bearer ${this.#state.apiKey}`,
        ...(body && { 'Idempotency-Key': crypto.randomUUID(), 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const result: Body = await response.json();
    if (!response.ok) throw new Error(`${path}: ${result.code}`);
    return result;
  }

  #once(name: string, find: () => Promise<string>): Promise<string> {
    const known = this.#known.get(name) ?? find();
    this.#known.set(name, known);
    return known;
  }

  #find(path: string, fits: (entry: Body) => boolean | Promise<boolean>): Promise<string> {
    return patiently(path, async () => {
      for (const entry of (await this.#call(path)).data) if (await fits(entry)) return entry.id as string;
      return false;
    });
  }

  #first(path: string): Promise<string> {
    return this.#find(path, () => true);
  }

  /** A token whose pool belongs to the user. */
  #ownToken(): Promise<string> {
    const path = `/tokens?creatorWallet=${this.#state.wallet.address}&status=bonding`;
    return patiently(path, async () => (await this.#call(path)).data[0]?.mintAddress ?? false);
  }

  #rounds(): string {
    return `/tokens/${this.#state.mint}/prediction-rounds`;
  }

  #round(status: string): Promise<string> {
    return this.#find(this.#rounds(), (round) => round.status === status);
  }

  #participation(): Promise<string> {
    return this.#find('/presales', ({ id }) =>
      this.#call(`/presales/${id}/participation`).then(
        () => true,
        () => false,
      ),
    );
  }

  async #prediction(): Promise<string> {
    const { address: walletAddress } = this.#state.wallet;
    return patiently('a prediction', async () => {
      const roundId = await this.#round('open');
      return this.#call('/predictions', { roundId, walletAddress, predictedPriceInSol: '0.0000001' }).then(
        ({ id }) => id as string,
        () => this.#predictionOf(roundId),
      );
    });
  }

  /** The community may already have predicted for the wallet. */
  async #predictionOf(roundId: string): Promise<string | false> {
    const path = `${this.#rounds()}/${roundId}/predictions?limit=100`;
    const { data = [] } = await this.#call(path);
    const own = data.find((one: Body) => one.walletAddress === this.#state.wallet.address);
    return own?.id ?? false;
  }

  async #launch(): Promise<string> {
    return (await this.#call('/launches', { name: 'Sample Wire', symbol: 'SAMPLE' })).id;
  }

  /** A slot over a nonce account that the wallet has made by itself. */
  async #slot(): Promise<string> {
    const wallet = Keypair.fromSecretKey(bs58.decode(this.#state.wallet.secretKey));
    const account = Keypair.generate();
    const connection = new Connection(this.#state.rpcUrl, 'confirmed');
    const creation = SystemProgram.createNonceAccount({
      fromPubkey: wallet.publicKey,
      noncePubkey: account.publicKey,
      authorizedPubkey: wallet.publicKey,
      lamports: await connection.getMinimumBalanceForRentExemption(NONCE_ACCOUNT_LENGTH),
    });
    await sendAndConfirmTransaction(connection, creation, [wallet, account]);
    return (await this.#call('/order-slots', { nonceAddress: account.publicKey.toBase58() })).id;
  }

  /** An unsigned order that a trade cannot trigger. */
  async #order(): Promise<Body> {
    return this.#call('/orders', {
      slotId: await this.#slot(),
      mint: this.#state.mint,
      side: 'buy',
      amountRaw: '1000000',
      trigger: { price: '0.000000000000000001', when: 'at_or_below' },
      limitRaw: '1',
    });
  }

  async #signedOrder(): Promise<Replacements> {
    const { id, transactions } = await this.#order();
    const [first] = transactions;
    return [
      [EXAMPLE_ID, id],
      [EXAMPLE_TRANSACTION, first.id],
      ['AQAB…', this.#signed(first.serializedTransaction)],
    ];
  }

  #signed(serializedTransaction: string): string {
    const transaction = VersionedTransaction.deserialize(Buffer.from(serializedTransaction, 'base64'));
    transaction.sign([Keypair.fromSecretKey(bs58.decode(this.#state.wallet.secretKey))]);
    return Buffer.from(transaction.serialize()).toString('base64');
  }

  async #endpoint(): Promise<string> {
    const eventTypes = ['build.service.webhook.ping.v1'];
    const { id } = await this.#call('/webhook-endpoints', {
      url: OWN_URL,
      description: 'sample',
      eventTypes,
    });
    return id;
  }

  async #delivery(): Promise<string> {
    const endpoints = (await this.#call('/webhook-endpoints')).data;
    return patiently('a delivery that has succeeded', async () => {
      for (const { id } of endpoints) {
        const { data } = await this.#call(`/webhook-endpoints/${id}/deliveries?status=succeeded&limit=1`);
        if (data.length > 0) return data[0].id as string;
      }
      return false;
    });
  }

  /** A key of the account that nothing uses. */
  async #spareKey(): Promise<string> {
    const { accountId, wallet } = this.#state;
    return this.#withDatabase(async (database) => {
      const pinned = { accountId, walletAddress: wallet.address, scopes: ['operations:read'] };
      const { keyId } = await createTestKey(database, pinned);
      await database`update api_keys set name = 'Reports' where id = ${keyId}`;
      return keyId;
    });
  }

  /** An export that no worker begins. */
  #waitingOperation(): Promise<string> {
    const { accountId, mint } = this.#state;
    return this.#withDatabase(async (database) => {
      const id = Bun.randomUUIDv7();
      await database`
        insert into operations (id, account_id, kind, status, input, created_at, due_at)
        values (${id}, ${accountId}, 'audience_export', 'queued', ${database.json({ mintAddress: mint })}, now(),
          now() + interval '1 day')`;
      return id;
    });
  }

  async #withDatabase(work: (database: Database) => Promise<string>): Promise<string> {
    const database = connectDatabase(this.#state.databaseUrl, { applicationName: 'samples', connections: 1 });
    try {
      return await work(database);
    } finally {
      await database.end({ timeout: 1 });
    }
  }

  /** The ping of an endpoint where nobody listens. */
  async #failingDelivery(): Promise<string> {
    const endpointId = await this.#endpoint();
    return this.#first(`/webhook-endpoints/${endpointId}/deliveries?status=retrying`);
  }

  async #signedSwap(): Promise<Replacements> {
    const { intentId } = await this.#call(`/tokens/${this.#state.mint}/swaps`, {
      side: 'buy',
      amountRaw: '1000000',
      slippageBps: 5_000,
    });
    const { serializedTransaction } = await this.#call(`/transaction-intents/${intentId}`);
    return [
      [EXAMPLE_ID, intentId],
      ['AQAB…', this.#signed(serializedTransaction)],
    ];
  }
}

/** Replaces the examples of a sample with live values. */
export function withLiveValues(sample: string, replacements: Replacements): string {
  return replacements.reduce((text, [example, live]) => text.replaceAll(example, live), sample);
}

/** Like `eventually`, but with pauses that respect a deployment's rate limits. */
function patiently(what: string, look: () => Promise<string | false>): Promise<string> {
  return eventually(what, async () => {
    const found = await look();
    // biome-ignore lint/plugin: the pause keeps within the rate limits
    if (found === false) await Bun.sleep(PAUSE_MS);
    return found;
  });
}
