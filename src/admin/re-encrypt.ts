import type { Database, Transaction } from '../db/client.ts';
import { sealContext } from '../db/idempotency-record.ts';
import { resealOrderTransaction } from '../features/orders/sealed-transaction.ts';
import { NotOpened, type SecretBox } from '../shared/secret-box.ts';
import { resealWebhookSecret } from '../shared/webhooks/secret.ts';
import type { ReportProgress } from './command.ts';

export interface SecretCounts {
  /** Sealed secrets in the database. */
  found: number;
  /** Secrets that this run sealed under the newest key. */
  reEncrypted: number;
  /** Secrets that no given key opens; they were not changed. */
  unreadable: number;
}

/** What seals secrets, and what seals signed orders. */
export interface Boxes {
  secrets: SecretBox;
  orders: SecretBox;
}

export interface ReEncryption {
  webhookSecrets: SecretCounts;
  storedResponses: SecretCounts;
  signedOrders: SecretCounts;
  /** The last pass found every secret under the newest key. */
  isComplete: boolean;
}

/** Rows are locked during their batch: a relay skips them, a rotation waits some milliseconds. */
const BATCH_ROWS = 100;
/** The second pass proves the first; more are needed only while processes still seal under an earlier key. */
const PASSES_MAX = 3;

/**
 * Seals everything under the newest keys: the current and the previous secret of each endpoint, unless they are
 * erased, the stored responses that contain one, and the signed transactions of orders. Each batch is a transaction of its own and
 * skips finished rows, so that a killed run can simply be repeated. Row locks keep a concurrent rotation from
 * moving an old ciphertext to a row that this pass has finished.
 */
export async function reEncryptSecrets(
  database: Database,
  boxes: Boxes,
  report: ReportProgress,
): Promise<ReEncryption> {
  const first = await pass(database, boxes, report);
  let last = first;
  let total = first;
  for (let passes = 1; passes < PASSES_MAX && (passes === 1 || hasChanged(last)); passes += 1) {
    last = await pass(database, boxes, report);
    total = {
      webhookSecrets: sum(total.webhookSecrets, last.webhookSecrets),
      storedResponses: sum(total.storedResponses, last.storedResponses),
      signedOrders: sum(total.signedOrders, last.signedOrders),
    };
  }
  return { ...total, isComplete: !hasChanged(last) && !hasUnreadable(last) };
}

type Pass = Omit<ReEncryption, 'isComplete'>;

async function pass(database: Database, boxes: Boxes, report: ReportProgress): Promise<Pass> {
  const [sealed] = await database<{ count: number }[]>`
    select ((select count(*) filter (where octet_length(sealed_secret) > 0) + count(sealed_previous_secret) from webhook_endpoints)
      + (select count(*) from idempotency_records where sealed)
      + (select count(sealed_transaction) from order_transactions))::int as count`;
  const tell = (done: number) => report(done, sealed?.count ?? null, 'secrets');
  const webhookSecrets = await inBatches<string>(
    database,
    (transaction, after, counts) => reEncryptEndpoints(transaction, boxes.secrets, after, counts),
    ({ found }) => tell(found),
  );
  const storedResponses = await inBatches<ResponseKey>(
    database,
    (transaction, after, counts) => reEncryptResponses(transaction, boxes.secrets, after, counts),
    ({ found }) => tell(webhookSecrets.found + found),
  );
  const signedOrders = await inBatches<string>(
    database,
    (transaction, after, counts) => reEncryptOrders(transaction, boxes.orders, after, counts),
    ({ found }) => tell(webhookSecrets.found + storedResponses.found + found),
  );
  return { webhookSecrets, storedResponses, signedOrders };
}

/** Rows of all kinds together. */
export function totalOf(
  { webhookSecrets, storedResponses, signedOrders }: Pass,
  count: keyof SecretCounts,
): number {
  return webhookSecrets[count] + storedResponses[count] + signedOrders[count];
}

const hasChanged = (counts: Pass) => totalOf(counts, 'reEncrypted') > 0;
const hasUnreadable = (counts: Pass) => totalOf(counts, 'unreadable') > 0;

/** The later pass has the newer counts of found and unreadable secrets. */
function sum(earlier: SecretCounts, later: SecretCounts): SecretCounts {
  return { ...later, reEncrypted: earlier.reEncrypted + later.reEncrypted };
}

/**
 * Repeats `batch`, each in its own transaction, from the key that it returned last, until it returns null.
 */
async function inBatches<Key>(
  database: Database,
  batch: (transaction: Transaction, after: Key | null, counts: SecretCounts) => Promise<Key | null>,
  afterBatch: (counts: SecretCounts) => void,
): Promise<SecretCounts> {
  const counts: SecretCounts = { found: 0, reEncrypted: 0, unreadable: 0 };
  let after: Key | null = null;
  do {
    const from: Key | null = after;
    after = (await database.begin((transaction) => batch(transaction, from, counts))) as Key | null;
    afterBatch(counts);
  } while (after !== null);
  return counts;
}

/** Result of `countSecrets`, all kinds together. */
export interface SecretCount {
  found: number;
  underEarlierKey: number;
  unreadable: number;
}

/** Tries to open everything that is sealed with the keys of `boxes`, and writes nothing. */
export async function countSecrets(
  database: Database,
  { secrets, orders }: Boxes,
  report: ReportProgress,
): Promise<SecretCount> {
  const dry = new DryRun();
  const counts = await pass(database, { secrets: dry.box(secrets), orders: dry.box(orders) }, report);
  return {
    found: totalOf(counts, 'found'),
    underEarlierKey: dry.underEarlierKey,
    unreadable: totalOf(counts, 'unreadable'),
  };
}

/** As `countSecrets`, for signed orders alone. */
export async function countSignedOrders(database: Database, orders: SecretBox): Promise<SecretCount> {
  const dry = new DryRun();
  const box = dry.box(orders);
  const { found, unreadable } = await inBatches<string>(
    database,
    (transaction, after, counts) => reEncryptOrders(transaction, box, after, counts),
    () => {},
  );
  return { found, underEarlierKey: dry.underEarlierKey, unreadable };
}

/** Boxes with which the batches only count and write nothing. */
class DryRun {
  underEarlierKey = 0;

  box(box: SecretBox): SecretBox {
    return {
      ...box,
      reseal: (sealed, context) => {
        if (box.reseal(sealed, context) !== null) this.underEarlierKey += 1;
        return null;
      },
    };
  }
}

/** Returns the new ciphertext, or null when there is nothing to write. */
function resealed(counts: SecretCounts, reseal: () => Uint8Array | null): Uint8Array | null {
  counts.found += 1;
  try {
    const sealed = reseal();
    if (sealed !== null) counts.reEncrypted += 1;
    return sealed;
  } catch (error) {
    if (!(error instanceof NotOpened)) throw error;
    counts.unreadable += 1;
    return null;
  }
}

interface EndpointSecrets {
  id: string;
  sealedSecret: Uint8Array;
  sealedPreviousSecret: Uint8Array | null;
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Neither version nor `updated_at` changes, because nothing changes for the subscriber. */
async function reEncryptEndpoints(
  transaction: Transaction,
  box: SecretBox,
  after: string | null,
  counts: SecretCounts,
): Promise<string | null> {
  const rows = await transaction<EndpointSecrets[]>`
    select id, sealed_secret, sealed_previous_secret from webhook_endpoints
    where id > ${after ?? FIRST_ID} order by id limit ${BATCH_ROWS} for no key update`;
  for (const { id, sealedSecret, sealedPreviousSecret } of rows) {
    const isErased = sealedSecret.byteLength === 0;
    const current = isErased ? null : resealed(counts, () => resealWebhookSecret(box, id, sealedSecret));
    const previous =
      sealedPreviousSecret === null
        ? null
        : resealed(counts, () => resealWebhookSecret(box, id, sealedPreviousSecret));
    if (current === null && previous === null) continue;
    await transaction`
      update webhook_endpoints set sealed_secret = coalesce(${current}, sealed_secret),
        sealed_previous_secret = coalesce(${previous}, sealed_previous_secret)
      where id = ${id}`;
  }
  return rows.length < BATCH_ROWS ? null : (rows.at(-1)?.id ?? null);
}

interface ResponseKey {
  accountId: string;
  key: string;
}

async function reEncryptResponses(
  transaction: Transaction,
  box: SecretBox,
  after: ResponseKey | null,
  counts: SecretCounts,
): Promise<ResponseKey | null> {
  const rows = await transaction<(ResponseKey & { responseBody: Uint8Array })[]>`
    select account_id, key, response_body from idempotency_records
    where sealed and (account_id, key) > (${after?.accountId ?? FIRST_ID}, ${after?.key ?? ''})
    order by account_id, key limit ${BATCH_ROWS} for no key update`;
  for (const { accountId, key, responseBody } of rows) {
    const body = resealed(counts, () => box.reseal(responseBody, sealContext({ accountId, key })));
    if (body === null) continue;
    await transaction`
      update idempotency_records set response_body = ${body} where account_id = ${accountId} and key = ${key}`;
  }
  const last = rows.at(-1);
  return rows.length < BATCH_ROWS || last === undefined ? null : { accountId: last.accountId, key: last.key };
}

/** Orders that end meanwhile lose their bytes: an update finds them no more. */
async function reEncryptOrders(
  transaction: Transaction,
  box: SecretBox,
  after: string | null,
  counts: SecretCounts,
): Promise<string | null> {
  const rows = await transaction<{ id: string; sealedTransaction: Uint8Array }[]>`
    select id, sealed_transaction from order_transactions
    where id > ${after ?? FIRST_ID} and sealed_transaction is not null order by id limit ${BATCH_ROWS} for no key update`;
  for (const { id, sealedTransaction } of rows) {
    const sealed = resealed(counts, () => resealOrderTransaction(box, id, sealedTransaction));
    if (sealed === null) continue;
    await transaction`
      update order_transactions set sealed_transaction = ${sealed} where id = ${id} and sealed_transaction is not null`;
  }
  return rows.length < BATCH_ROWS ? null : (rows.at(-1)?.id ?? null);
}
