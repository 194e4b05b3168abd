// A bot's main job: quote a swap, let the service prepare it, sign and submit it, wait until it has landed, and see it
// as a trade and as a webhook. Run it while a sandbox runs (`npm start`): npm run example:bot
import { existsSync, readFileSync } from 'node:fs';
import { createClient, secretKeySigner } from 'launchwire';

// The sandbox writes the address, key and wallet of a bot to this file; your bot has its own configuration and wallet.
const file = process.env.LAUNCHWIRE_STATE ?? '.sandbox/state.json';
if (!existsSync(file)) throw new Error(`There is no ${file}: start the sandbox first, with npm start.`);
const { baseUrl, apiKey, wallet, inboxUrl, mint } = JSON.parse(readFileSync(file, 'utf8'));
let requests = 0;
const counting = (...request: Parameters<typeof fetch>) => {
  requests += 1;
  return fetch(...request);
};
const client = createClient({ baseUrl, apiKey, fetch: counting as typeof fetch });
const signer = await secretKeySigner(wallet.secretKey);
const order = { mint, side: 'buy', amountRaw: '50000000', slippageBps: 1_000 } as const; // 0.05 SOL, at most 10 % worse

const quote = await client.getSwapQuote(order);
done('quoted', `${quote.outputRaw} of ${mint} for ${quote.inputRaw} lamports, on the ${quote.venue}`);
const before = requests;
const { intent, landed } = await client.swap(order, signer, {
  attempts: 5, // the market moves: what was refused or failed for that is prepared again
  onStep: (step, one) => done(step, 'intentId' in one ? `intent ${one.intentId}` : `version ${one.version}`),
});
done('landed', `${requests - before} round trips: two for a swap that is not prepared again`);
done(
  'filled',
  `${landed?.outputRaw} of ${mint} for ${landed?.inputRaw} lamports, ${landed?.quoteDifferenceBps} bps from the quote`,
);
done('cost', `${landed?.feeLamports} lamports of fee and ${landed?.tipLamports} of tip`);
const trade = await client.waitForTrade({ mint, transactionSignature: String(intent.transactionSignature) });
done('traded', `${trade.tokenAmount} tokens for ${trade.solAmount} SOL, in slot ${trade.slot}`);
// The sandbox's inbox received the webhook and verified its signature; examples/receivers do that in your own program.
const query = `type=build.service.transaction_intent.confirmed.v1&subject=${intent.id}&verified=true&wait=30`;
const { data: webhooks } = (await (await fetch(`${inboxUrl}/deliveries?${query}`)).json()) as {
  data: { event: object }[];
};
done('webhook', webhooks[0]?.event ?? 'none within 30 s');

/** Prints one line a step: milliseconds since the start, and the result of the step. */
function done(step: string, fact: string | object): void {
  const text = typeof fact === 'string' ? fact : JSON.stringify(fact, null, 2);
  console.log(`${step.padEnd(10)} ${`${Math.round(performance.now())} ms`.padStart(8)}   ${text}`);
}
