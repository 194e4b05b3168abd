import { jetstream } from '@nats-io/jetstream';
import type { Keypair } from '@solana/web3.js';
import { createChainRpcs } from '../../../src/chain/rpc.ts';
import type { Database } from '../../../src/db/client.ts';
import { createOperation } from '../../../src/features/operations/create-operation.ts';
import { checkPreparation } from '../../../src/intents/prepare/check-preparation.ts';
import { openPolicy } from '../../../src/intents/prepare/preparation.ts';
import { prepareIntent } from '../../../src/intents/prepare/prepare-intent.ts';
import type { NatsConnection } from '../../../src/shared/bus/connect.ts';
import { type IngestKind, ingestSubject } from '../../../src/shared/bus/topology.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { createSecretBox } from '../../../src/shared/secret-box.ts';
import type { TestKey } from '../api/api-keys.ts';
import { preparing } from '../intents/intents.ts';
import { submitIntent } from '../intents/submit-intent.ts';
import { insertIntent, signedTransfer } from '../intents/submitted-intent.ts';
import { insertLaunch } from '../launches/insert-launch.ts';
import { newAddress, tokenMessage, tradeMessage } from '../market/ingest-stream.ts';
import { createTestPresale, movementMessage, movementOf } from '../market/presales.ts';
import { insertSlot } from '../orders/insert-slot.ts';
import { insertTriggeredOrder } from '../orders/insert-triggered-order.ts';
import { createRoundFixture } from '../predictions/prediction-stage.ts';
import { createTestClock } from '../run/clock.ts';

/** Lamports of every transfer: more than a new account must hold. */
export const TRANSFER_LAMPORTS = 1_000_000;
/** Keeps signatures of this load apart from those of fixtures. */
const FIRST_TRADE_NUMBER = 20_000;
const TRADES_PER_TOKEN = 60;

export interface LoadTarget {
  db: Database;
  connection: NatsConnection;
  chainUrl: string;
  /** Gets the accounts for which requests must go to the chain. */
  chainAccounts?: Set<string>;
  /** The apis. Each submission goes to all of them at the same time. */
  apiUrls: readonly string[];
  key: TestKey;
  wallet: Keypair;
  /** The token whose holders the operations export. */
  exportedMint: string;
}

/** Requests by their required outcome. */
export interface LoadDone {
  tokens: string[];
  intents: { id: string; to: string }[];
  /** Statuses of all answers to the submissions. */
  answers: number[];
  expiring: string[];
  /** Unsigned launches. */
  launches: string[];
  /** Unsigned order slots. */
  slots: string[];
  /** Open orders whose time ends. */
  orders: string[];
  presales: { settling: string[]; failing: string[] };
  rounds: string[];
  operations: string[];
}

export interface MixedLoad {
  readonly done: LoadDone;
  /** Runs one round with `scale` requests of each kind. Scheduled work is due within seconds. */
  run(scale: number): Promise<void>;
  createExport(): Promise<string>;
}

export function createMixedLoad(target: LoadTarget): MixedLoad {
  const done: LoadDone = {
    tokens: [],
    intents: [],
    answers: [],
    expiring: [],
    launches: [],
    slots: [],
    orders: [],
    presales: { settling: [], failing: [] },
    rounds: [],
    operations: [],
  };
  return {
    done,
    async run(scale) {
      const times = <Value>(work: (index: number) => Promise<Value>) =>
        Promise.all(Array.from({ length: scale }, (_, index) => work(index)));
      await Promise.all([
        times(() => ingestToken(target, done)),
        times(() => submitTransfer(target, done)),
        times((index) => prepareExpiring(target, done, 200 * index)),
        times((index) => prepareUnsignedLaunch(target, done, 200 * index)),
        times((index) => prepareUnsignedSlot(target, done, 200 * index)),
        times((index) => openExpiringOrder(target, done, 200 * index)),
        times((index) => presale(target, done, index)),
        planRounds(target, done, scale),
      ]);
    },
    async createExport() {
      const { db, key, exportedMint } = target;
      const operation = {
        accountId: key.accountId,
        kind: 'audience_export',
        input: { mintAddress: exportedMint },
      };
      const { id } = await db.begin((transaction) => createOperation(transaction, systemClock, operation));
      done.operations.push(id);
      return id;
    },
  };
}

/** Publishes every message twice, like a feed that got no acknowledgement. */
async function feed(
  connection: NatsConnection,
  kind: IngestKind,
  messages: readonly object[],
): Promise<void> {
  const stream = jetstream(connection);
  const payloads = [...messages, ...messages].map((message) => JSON.stringify(message));
  await Promise.all(payloads.map((payload) => stream.publish(ingestSubject(kind), payload)));
}

async function ingestToken({ connection }: LoadTarget, { tokens }: LoadDone): Promise<void> {
  const mint = newAddress();
  const first = FIRST_TRADE_NUMBER + tokens.length * TRADES_PER_TOKEN;
  tokens.push(mint);
  const trades = Array.from({ length: TRADES_PER_TOKEN }, (_, index) => tradeMessage(mint, first + index));
  // The trades come first, so they must wait for their token.
  await feed(connection, 'trade', trades);
  await feed(connection, 'token', [tokenMessage(mint, { announce: true })]);
}

export const expectedTradeCount = ({ tokens }: LoadDone) => tokens.length * TRADES_PER_TOKEN;

async function submitTransfer(target: LoadTarget, { intents, answers }: LoadDone): Promise<void> {
  const { db, chainUrl, wallet, key, apiUrls } = target;
  const { bytes, lastValidBlockHeight, to } = await signedTransfer(chainUrl, wallet, TRANSFER_LAMPORTS);
  const checked = await checkPreparation(
    {
      accountId: key.accountId,
      kind: 'token_transfer',
      expectedSigner: wallet.publicKey.toBase58(),
      transaction: Uint8Array.from(bytes).fill(0, 1, 65),
      policy: openPolicy,
      lastValidBlockHeight,
      expiresInMs: 300_000,
    },
    createChainRpcs([chainUrl]),
    systemClock,
  );
  const { id } = await db.begin(async (sql) => {
    const intent = await prepareIntent(sql, checked, preparing);
    await sql`insert into fee_claim_intents (intent_id, account_id, wallet_address, claims, in_sol, created_at)
      values (${intent.id}, ${key.accountId}, ${key.walletAddress}, '[]', 0, now())`;
    return intent;
  });
  intents.push({ id, to });
  const submission = { key, signed: bytes, idempotencyKey: `several-${id}` };
  const responses = await Promise.all(apiUrls.map((url) => submitIntent(url, id, submission)));
  answers.push(...responses.map(({ status }) => status));
}

async function prepareExpiring(target: LoadTarget, { expiring }: LoadDone, afterMs: number): Promise<void> {
  expiring.push(await insertExpiring(target, null, afterMs));
}

async function insertExpiring(
  { db, key, chainUrl, wallet }: LoadTarget,
  lastValidBlockHeight: bigint | null,
  afterMs: number,
): Promise<string> {
  const { bytes } = await signedTransfer(chainUrl, wallet);
  const now = systemClock.now();
  const expiresAt = new Date(now.getTime() + 1_000 + afterMs);
  const facts = {
    status: 'prepared',
    transaction: bytes,
    lastValidBlockHeight,
    expiresAt,
    now,
  } as const;
  return insertIntent(db, key.accountId, facts);
}

/** The launch's window closed long ago, so it ends together with its intent. */
async function prepareUnsignedLaunch(
  target: LoadTarget,
  { launches }: LoadDone,
  afterMs: number,
): Promise<void> {
  const { db, key, chainAccounts } = target;
  const intentId = await insertExpiring(target, 1n, afterMs);
  const poolAddress = newAddress();
  chainAccounts?.add(poolAddress);
  const { accountId, walletAddress: creatorWallet } = key;
  launches.push(await insertLaunch(db, { accountId, intentId, creatorWallet, poolAddress }));
}

/** Its window closed long ago too. */
async function prepareUnsignedSlot(target: LoadTarget, { slots }: LoadDone, afterMs: number): Promise<void> {
  const { db, key, chainAccounts } = target;
  const intentId = await insertExpiring(target, 1n, afterMs);
  const nonceAddress = newAddress();
  chainAccounts?.add(nonceAddress);
  const { accountId, walletAddress } = key;
  slots.push(await insertSlot(db, { accountId, intentId, nonceAddress, walletAddress }));
}

async function openExpiringOrder(
  { db, key: { accountId } }: LoadTarget,
  { orders }: LoadDone,
  afterMs: number,
): Promise<void> {
  const box = createSecretBox(new Uint8Array(32));
  const endsAt = new Date(systemClock.now().getTime() + 1_000 + afterMs);
  const { id } = await insertTriggeredOrder(db, {
    accountId,
    box,
    status: 'open',
    endsAt,
    slotDueAt: new Date(endsAt.getTime() + 3_600_000),
    withoutToken: true,
  });
  orders.push(id);
}

/** Alternates between a presale that fills at once and one without deposits. */
async function presale({ db, connection }: LoadTarget, { presales }: LoadDone, index: number): Promise<void> {
  const now = systemClock.now().getTime();
  // A deposit of a worker that was killed comes late, and still before the end.
  const times = { publicStartAt: new Date(now - 1_000), deadline: new Date(now + 3_600_000) };
  const { id } = await createTestPresale(db, systemClock, times);
  if (index % 2 === 1) {
    presales.failing.push(id);
    await db`update presales set deadline = now() + ${index * 300} * interval '1 millisecond' where id = ${id}`;
    return;
  }
  presales.settling.push(id);
  const deposits = [60n, 40n].map((lamports) =>
    movementOf(id, 'deposit', newAddress(), lamports, new Date(now)),
  );
  await feed(connection, 'presale_deposit', deposits.map(movementMessage));
}

/** Rounds that open, lock and settle within seconds, two wallets in each. */
async function planRounds({ db }: LoadTarget, { rounds }: LoadDone, count: number): Promise<void> {
  const clock = createTestClock(systemClock.now());
  const fixture = createRoundFixture(db, clock);
  const mint = await fixture.launch();
  // The price of the last minutes settles the round.
  await fixture.trade(mint, -1, '1');
  await fixture.prove(mint, new Date(clock.now().getTime() + 600_000));
  for (let index = 0; index < count; index += 1) {
    const id = await fixture.plan(mint);
    await fixture.insertPrediction(id, '1');
    await fixture.insertPrediction(id, '2');
    // Only now: a worker would lock the round before a slow machine has inserted its predictions.
    const opensMs = systemClock.now().getTime() + 300 * index;
    await db`
      update prediction_rounds set opens_at = ${new Date(opensMs)}, locks_at = ${new Date(opensMs + 1_500)},
        settles_at = ${new Date(opensMs + 3_000)}
      where id = ${id}`;
    rounds.push(id);
  }
}
