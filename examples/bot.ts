// A bot's main job: sign a prepared transaction, submit it, wait until it is confirmed on chain, and read the webhook
// that reports it. Run it while a sandbox runs (`npm start`): npm run example:bot
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';

// The sandbox writes what a bot needs to this file; your bot has its own configuration and its own wallet.
const stateFile = process.env.LAUNCHWIRE_STATE ?? '.sandbox/state.json';
if (!existsSync(stateFile)) {
  console.error(`There is no ${stateFile}: start the sandbox first, with npm start.`);
  process.exit(1);
}
const { baseUrl, apiKey, intentId, wallet, inboxUrl } = JSON.parse(readFileSync(stateFile, 'utf8'));

interface Intent {
  status: 'prepared' | 'submitted' | 'confirmed' | 'expired' | 'failed';
  version: number;
  serializedTransaction: string;
  transactionSignature: string | null;
  error: { code: string; detail: string } | null;
}

/** One request; throws the problem of an error response. Retries up to four times what may be retried: with the same
 * Idempotency-Key it takes effect once, even after a lost response. */
async function call(path: string, init: RequestInit = {}, attempt = 1): Promise<[Intent, Headers]> {
  const headers = { ...init.headers, Authorization: `Bearer ${apiKey}` };
  const response = await fetch(baseUrl + path, { ...init, headers }).catch(() => null);
  const body = await response?.json().catch(() => null);
  if (response?.ok && body != null) return [body as Intent, response.headers];
  const problem = body as { code: string; detail: string } | null | undefined;
  const { status = 503 } = response ?? {};
  const mayRepeat = body == null || status >= 429 || problem?.code === 'idempotency_request_in_progress';
  if (!mayRepeat || attempt > 4) throw new Error(problem?.detail, { cause: problem?.code ?? 'unreachable' });
  await sleep(Number(response?.headers.get('Retry-After') ?? attempt) * 1000);
  return call(path, init, attempt + 1);
}

let stepStartedAt = performance.now();
function done(step: string, fact: string): void {
  const tookMs = Math.round(performance.now() - stepStartedAt);
  console.log(`${step.padEnd(10)} ${`${tookMs} ms`.padStart(8)}   ${fact}`);
  stepStartedAt = performance.now();
}

async function run(): Promise<void> {
  const path = `/transaction-intents/${intentId}`;
  let [intent, headers] = await call(path);
  done('fetched', `intent ${intentId}: ${intent.status}, version ${intent.version}`);

  // Sign exactly these bytes: a changed message is refused as transaction_intent_tampered.
  const transaction = VersionedTransaction.deserialize(Buffer.from(intent.serializedTransaction, 'base64'));
  transaction.sign([Keypair.fromSecretKey(bs58.decode(wallet.secretKey))]);
  const signedTransaction = Buffer.from(transaction.serialize()).toString('base64');
  done('signed', `by ${wallet.address}`);

  [intent, headers] = await call(`${path}/submissions`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Idempotency-Key': `bot-${intentId}`,
      'If-Match': `"${intent.version}"`,
    },
    body: JSON.stringify({ signedTransaction }),
  });
  done('submitted', `${intent.status}, version ${intent.version}`);

  while (intent.status === 'submitted') {
    await sleep(Number(headers.get('Retry-After') ?? 2) * 1000);
    [intent, headers] = await call(path);
  }
  const cause = intent.error?.code ?? `transaction_intent_${intent.status}`;
  if (intent.status !== 'confirmed') throw new Error(intent.error?.detail, { cause });
  done('confirmed', `on chain as ${intent.transactionSignature}`);
  done('webhook', JSON.stringify(await webhook('build.service.transaction_intent.confirmed.v1'), null, 2));
}

/** The CloudEvent about the intent, from the sandbox's inbox, which has verified its signature. */
async function webhook(type: string): Promise<object> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const response = await fetch(`${inboxUrl}/deliveries?type=${type}&subject=${intentId}`);
    const { data } = (await response.json()) as { data: { verified: boolean; event: object }[] };
    const genuine = data.find(({ verified }) => verified);
    if (genuine !== undefined) return genuine.event;
    await sleep(200);
  }
  throw new Error(`no ${type} arrived within 10 s`);
}

const advice: Record<string, string> = {
  transaction_intent_not_prepared:
    'This intent was already used; the sandbox prepares a new one in a moment.',
  transaction_intent_expired: 'This intent has expired; the sandbox prepares a new one in a moment.',
  unreachable: 'Is the sandbox running? Start it with npm start.',
};
await run().catch(({ message, cause }: Error) => {
  console.error(`${cause ?? 'failed'}: ${message}\n${advice[String(cause)] ?? ''}`);
  process.exit(1);
});
