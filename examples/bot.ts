// A bot's main job: quote a swap, have it prepared, sign it, submit it, wait until it has landed, and see it as a trade
// and as a webhook. Run it while a sandbox runs (`npm start`): npm run example:bot
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, isLaunchwireError, secretKeySigner } from 'launchwire';

// The sandbox writes what a bot needs to this file; your bot has its own configuration and its own wallet.
const stateFile = process.env.LAUNCHWIRE_STATE ?? '.sandbox/state.json';
if (!existsSync(stateFile))
  throw new Error(`There is no ${stateFile}: start the sandbox first, with npm start.`);
const { baseUrl, apiKey, wallet, inboxUrl, mint } = JSON.parse(readFileSync(stateFile, 'utf8'));
const client = createClient({ baseUrl, apiKey });
const signer = await secretKeySigner(wallet.secretKey);
const order = { mint, side: 'buy', amountRaw: '50000000', slippageBps: 1_000 } as const; // 0.05 SOL, at most 10 % worse

const quote = await client.getSwapQuote(order);
done('quoted', `${quote.inputRaw} lamports for ${quote.outputRaw} of ${mint}, on the ${quote.venue}`);
const { id, transactionSignature } = await buy(5);
const trade = await eventually(async () => {
  const { data } = await client.listTokenTrades({ mint, limit: 100 });
  return data.find((one) => one.transactionSignature === transactionSignature);
});
done('traded', `${trade.tokenAmount} tokens for ${trade.solAmount} SOL, in slot ${trade.slot}`);
const event = await eventually(async () => {
  // The sandbox's inbox has verified the signatures of what it received.
  const query = `type=build.service.transaction_intent.confirmed.v1&subject=${id}`;
  const response = await fetch(`${inboxUrl}/deliveries?${query}`);
  const { data } = (await response.json()) as { data: { verified: boolean; event: object }[] };
  return data.find(({ verified }) => verified)?.event;
});
done('webhook', JSON.stringify(event, null, 2));

/** The market moves: what was refused or failed for that is prepared again. */
async function buy(tries: number) {
  try {
    const { intent } = await client.swap(order, signer, {
      onStep: (step, record) =>
        done(step, 'intentId' in record ? `intent ${record.intentId}` : `version ${record.version}`),
    });
    return intent;
  } catch (error) {
    const moved = [
      'swap_refused',
      'token_not_tradable',
      'solana_transaction_failed',
      'solana_blockhash_expired',
    ];
    if (tries === 1 || !isLaunchwireError(error) || !moved.includes(error.code)) throw error;
    done('again', error.code);
    await sleep(1_000);
    return buy(tries - 1);
  }
}

async function eventually<Value>(look: () => Promise<Value | undefined>, tries = 150): Promise<Value> {
  const found = await look();
  if (found !== undefined) return found;
  if (tries === 1) throw new Error('not within 30 s');
  await sleep(200);
  return eventually(look, tries - 1);
}

function done(step: string, fact: string): void {
  console.log(`${step.padEnd(10)} ${`${Math.round(performance.now())} ms`.padStart(8)}   ${fact}`);
}
