// A bot's main job: quote a swap, have it prepared, sign it, submit it, wait until it has landed, and see it as a trade
// and as a webhook. Run it while a sandbox runs (`npm start`): npm run example:bot
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
const { baseUrl, apiKey, wallet, inboxUrl, mint } = JSON.parse(readFileSync(stateFile, 'utf8'));
const amountRaw = '50000000'; // 0.05 SOL
const slippageBps = 1_000;
const tries = 5;

/** One request; throws the problem of an error response. Retries up to four times what may be retried: with the same
 * Idempotency-Key it takes effect once, even after a lost response. */
// biome-ignore lint/suspicious/noExplicitAny: bodies of several operations
async function call(path: string, init: RequestInit = {}, attempt = 1): Promise<[any, Headers]> {
  const headers = { ...init.headers, Authorization: `Bearer ${apiKey}` };
  const response = await fetch(baseUrl + path, { ...init, headers }).catch(() => null);
  // biome-ignore lint/suspicious/noExplicitAny: a problem, or the body of the operation
  const body = (await response?.json().catch(() => null)) as any;
  if (response?.ok && body != null) return [body, response.headers];
  const { status = 503 } = response ?? {};
  const mayRepeat = body == null || status >= 429 || body.code === 'idempotency_request_in_progress';
  if (!mayRepeat || attempt > 4)
    throw new Error(`${body?.detail} ${JSON.stringify(body?.context ?? {})}`, {
      cause: body?.code ?? 'unreachable',
    });
  await sleep(Number(response?.headers.get('Retry-After') ?? attempt) * 1000);
  return call(path, init, attempt + 1);
}

function post(path: string, key: string, body: object, headers: Record<string, string> = {}) {
  const json = { 'Content-Type': 'application/json', 'Idempotency-Key': key };
  return call(path, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) });
}

let stepStartedAt = performance.now();
function done(step: string, fact: string): void {
  const tookMs = Math.round(performance.now() - stepStartedAt);
  console.log(`${step.padEnd(10)} ${`${tookMs} ms`.padStart(8)}   ${fact}`);
  stepStartedAt = performance.now();
}

async function run(): Promise<void> {
  const order = { side: 'buy', amountRaw, slippageBps };
  const [quote] = await call(
    `/tokens/${mint}/quote?side=buy&amountRaw=${amountRaw}&slippageBps=${slippageBps}`,
  );
  done('quoted', `${quote.inputRaw} lamports for ${quote.outputRaw} of ${mint}, on the ${quote.venue}`);

  const [swap] = await post(`/tokens/${mint}/swaps`, crypto.randomUUID(), order);
  const { intentId, version } = swap;
  done('prepared', `intent ${intentId}: at least ${swap.quote.minimumOutputRaw}`);

  const path = `/transaction-intents/${intentId}`;
  let [intent, headers] = await call(path);
  // Sign exactly these bytes: a changed message is refused as transaction_intent_tampered.
  const transaction = VersionedTransaction.deserialize(Buffer.from(intent.serializedTransaction, 'base64'));
  transaction.sign([Keypair.fromSecretKey(bs58.decode(wallet.secretKey))]);
  const signedTransaction = Buffer.from(transaction.serialize()).toString('base64');
  done('signed', `by ${wallet.address}`);

  const match = { 'If-Match': `"${version}"` };
  [intent, headers] = await post(`${path}/submissions`, `bot-${intentId}`, { signedTransaction }, match);
  done('submitted', `${intent.status}, version ${intent.version}`);

  while (intent.status === 'submitted') {
    await sleep(Number(headers.get('Retry-After') ?? 2) * 1000);
    [intent, headers] = await call(path);
  }
  const cause = intent.error?.code ?? `transaction_intent_${intent.status}`;
  if (intent.status !== 'confirmed') throw new Error(intent.error?.detail, { cause });
  done('confirmed', `on chain as ${intent.transactionSignature}`);

  const trade = await eventually('trade', async () => {
    const [{ data }] = await call(`/tokens/${mint}/trades?limit=100`);
    return data.find(
      (one: { transactionSignature: string }) => one.transactionSignature === intent.transactionSignature,
    );
  });
  done('traded', `${trade.tokenAmount} tokens for ${trade.solAmount} SOL, in slot ${trade.slot}`);
  const type = 'build.service.transaction_intent.confirmed.v1';
  const event = await eventually(type, async () => {
    // The sandbox's inbox has verified the signatures of what it received.
    const response = await fetch(`${inboxUrl}/deliveries?type=${type}&subject=${intentId}`);
    const { data } = (await response.json()) as { data: { verified: boolean; event: object }[] };
    return data.find(({ verified }) => verified)?.event;
  });
  done('webhook', JSON.stringify(event, null, 2));
}

async function eventually<Value>(what: string, look: () => Promise<Value | undefined>): Promise<Value> {
  for (let attempt = 0; attempt < 150; attempt += 1) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(200);
  }
  throw new Error(`no ${what} within 30 s`);
}

const advice: Record<string, string> = {
  token_not_tradable: 'The token is between its curve and the AMM: try again in a moment.',
  transaction_intent_expired: 'Its blockhash is too old: have a new swap prepared.',
  solana_transaction_failed: 'The pool moved beyond the slippage: quote again.',
  unreachable: 'Is the sandbox running? Start it with npm start.',
};
/** The market moves: what was refused or failed for that is quoted again. */
async function runAgain(attempt: number): Promise<void> {
  try {
    await run();
  } catch (error) {
    const { cause } = error as Error;
    if (attempt >= tries || !moved.includes(String(cause))) throw error;
    done('again', String(cause));
    await sleep(attempt * 1000);
    await runAgain(attempt + 1);
  }
}

const moved = ['swap_refused', 'token_not_tradable', 'solana_transaction_failed', 'solana_blockhash_expired'];
await runAgain(1).catch(({ message, cause }: Error) => {
  console.error(`${cause ?? 'failed'}: ${message}\n${advice[String(cause)] ?? ''}`);
  process.exit(1);
});
