import {
  createClient,
  isLaunchwireError,
  type Launchwire,
  ProblemError,
  secretKeySigner,
  type TransactionSigner,
} from 'launchwire';
import { between, type Random } from '../../bench/measurement/seeded-random.ts';
import { wait } from '../../src/shared/loop.ts';
import type { OrderCall, OrderEntry } from '../evidence/histories.ts';
import { recordingFetch } from './recording-fetch.ts';
import type { ClientSetting, Credentials } from './setting.ts';

export interface BotOptions extends Credentials {
  readonly name: string;
  readonly wallet: { readonly address: string; readonly secretKey: Uint8Array };
  readonly mints: readonly string[];
  readonly random: Random;
}

const LEAST_LAMPORTS = 1_000_000;
const PAUSE_MS = [200, 1_500] as const;
const TIMEOUT_MS = 10_000;
/** An order whose outcome is unknown is repeated under its key, this often at most. */
const REPEATS_MAX = 12;
const REPEAT_PAUSE_MS = 1_000;
/** This share of the orders is sent twice at once; another share is sent again when it has ended. */
const TWICE_SHARE = 0.15;
const AGAIN_SHARE = 0.25;

/** Buys small amounts until the walk ends, each order under a key of its own, and repeats those of unknown outcome. */
export async function runBot(setting: ClientSetting, options: BotOptions): Promise<OrderEntry[]> {
  const { name, wallet, mints, random, accountId, apiKey } = options;
  const client = createClient({
    baseUrl: setting.origin,
    apiKey,
    timeoutMs: TIMEOUT_MS,
    maxRetries: 4,
    fetch: recordingFetch(name, setting.requests, setting.sinceStart) as typeof fetch,
  });
  const signer = await secretKeySigner(wallet.secretKey);
  const orders: OrderEntry[] = [];
  while (!setting.ending.aborted) {
    const number = orders.length;
    const order: OrderEntry = {
      bot: name,
      accountId,
      wallet: wallet.address,
      name: `${name}-order-${number}`,
      mint: mints[between(random, 0, mints.length - 1)] ?? '',
      amountRaw: String(LEAST_LAMPORTS + number),
      calls: [],
    };
    orders.push(order);
    const chance = random();
    const call = () => callOnce(setting, client, signer, order);
    if (chance < TWICE_SHARE) await Promise.all([call(), call()]);
    else await call();
    await repeatWhileUnknown(order, call, setting.givingUp);
    if (chance > 1 - AGAIN_SHARE) await call();
    await wait(between(random, ...PAUSE_MS), setting.ending);
  }
  return orders;
}

async function repeatWhileUnknown(
  order: OrderEntry,
  call: () => Promise<OrderCall>,
  givingUp: AbortSignal,
): Promise<void> {
  for (let repeats = 0; repeats < REPEATS_MAX; repeats += 1) {
    if (givingUp.aborted || order.calls.some(({ outcome }) => outcome !== 'unknown')) return;
    await wait(REPEAT_PAUSE_MS, givingUp);
    await call();
  }
}

async function callOnce(
  { sinceStart, givingUp }: ClientSetting,
  client: Launchwire,
  signer: TransactionSigner,
  order: OrderEntry,
): Promise<OrderCall> {
  const atMs = sinceStart();
  const { mint, amountRaw, name } = order;
  let intentId: string | null = null;
  const end = (outcome: OrderCall['outcome'], detail: string) => {
    const call = { atMs, lastedMs: sinceStart() - atMs, outcome, intentId, detail };
    order.calls.push(call);
    return call;
  };
  try {
    const { intent } = await client.swap({ mint, side: 'buy', amountRaw, slippageBps: 2_000 }, signer, {
      idempotencyKey: name,
      signal: givingUp,
      onStep: (_, record) => {
        intentId = 'intentId' in record ? record.intentId : record.id;
      },
    });
    intentId = intent.id;
    return end('confirmed', '');
  } catch (error) {
    if (givingUp.aborted) return end('unknown', 'it had not ended when the walk did');
    if (!isLaunchwireError(error)) throw error;
    if (error.name === 'IntentError') return end('ended', error.code);
    const isFinal = error instanceof ProblemError && error.status < 500 && error.status !== 429;
    return end(isFinal ? 'refused' : 'unknown', error.message.slice(0, 200));
  }
}
