import { readFileSync, statSync } from 'node:fs';
import type { Launchwire } from '../../client.ts';
import type { Arguments, Schemas } from '../../operations.ts';
import { pause } from '../../pause.ts';
import { rawAmount, SOL_DECIMALS, type Unit, withAmount } from '../amounts.ts';
import { argumentOf, type Command, type Invocation, numberOf, textOf } from '../command.ts';
import { UsageError } from '../failures.ts';
import { idempotencyKeyOf, idempotencyOption } from '../idempotency-key.ts';
import { keyFileOption, readKeyFile } from '../key-file.ts';
import { sendingOf, sendingOptions } from '../sending.ts';

type Launch = Schemas['Launch'];

const sol: Unit = { name: 'sol', decimals: SOL_DECIMALS };
/** The service sees a pool within a second or two of its transaction, unless no node shows it. */
const POOL_MS = 30_000;
const PAUSE_MS = 500;
/** The largest picture that the service takes. */
const IMAGE_BYTES_MAX = 5 * 1024 * 1024;
/** The quote that shows the price: of 0.001 SOL. */
const PRICED_LAMPORTS = '1000000';

export const launchCommand: Command = {
  name: 'launch',
  summary: 'Launch a token with its pool, buy the first tokens, and wait until it can be traded',
  details:
    'Moves money. It ends with exit code 1 when the transaction did not confirm: then nothing was launched. Under an ' +
    'idempotency key the same line continues the same launch for 24 hours, after a crash too, and never launches twice.',
  arguments: [],
  options: {
    name: { kind: 'text', value: 'TEXT', help: 'name of the token, at most 32 bytes', required: true },
    symbol: { kind: 'text', value: 'TEXT', help: 'ticker of the token, at most 10 bytes', required: true },
    description: { kind: 'text', value: 'TEXT', help: 'text about the token' },
    image: {
      kind: 'text',
      value: 'FILE',
      help: 'picture: a PNG, JPEG, GIF or WebP file, which is uploaded, or an https, ipfs or ar address',
    },
    website: { kind: 'text', value: 'URL', help: 'website of the token' },
    twitter: { kind: 'text', value: 'NAME', help: 'X (Twitter) name or address' },
    telegram: { kind: 'text', value: 'NAME', help: 'Telegram name or address' },
    config: { kind: 'text', value: 'NAME', help: 'curve config of the operator. Default: the first one' },
    buy: { kind: 'text', value: 'SOL', help: 'what to spend on the first tokens, fee included, as 0.1' },
    slippage: {
      kind: 'text',
      value: 'BPS',
      help: 'how much worse the first buy may become, in basis points from 0 to 10000',
    },
    'key-file': { ...keyFileOption, required: false },
    'dry-run': {
      kind: 'flag',
      help: 'quote terms, costs and first buy under the config; launch nothing',
    },
    ...idempotencyOption,
    ...sendingOptions,
  },
  examples: [
    'launchwire launch --name Copper --symbol COPPER --image copper.png --config standard --buy 0.1 --key-file wallet.json',
    'launchwire launch --name Copper --symbol COPPER --config standard --buy 0.1 --dry-run',
  ],
  async run(invocation) {
    const { client, output, signal } = invocation;
    const idempotencyKey = idempotencyKeyOf(invocation);
    const texts = launchOf(invocation);
    const sending = sendingOf(invocation);
    const picture = pictureOf(invocation);
    if (invocation.options['dry-run'] === true) return quoteLaunch(invocation, texts);
    const signer = await readKeyFile(textOf(invocation, 'key-file'));
    const parameters = { ...texts, ...sending, ...(await imageOf(invocation, picture)) };
    const { launch, intent } = await client().launch(parameters, signer, {
      signal,
      onStep: noteStep(invocation),
      idempotencyKey,
    });
    const seen = await withPool(client(), launch.id, signal);
    const { mintAddress: mint, status, poolAddress, metadataUrl } = seen;
    const price = status === 'bonding' ? await priceOf(client(), mint, signal) : null;
    output.record({
      mintAddress: mint,
      poolAddress,
      status,
      metadataUrl,
      spotPriceInSol: price,
      boughtRaw: launch.initialBuy?.amountOutRaw ?? null,
      launchId: launch.id,
      transactionSignature: intent.transactionSignature,
    });
    if (status !== 'bonding')
      output.note(
        'The transaction has landed, and the service has not seen the pool yet: read the launch again.',
      );
  },
};

/** The fields of the launch. Throws UsageError before any request. */
function launchOf(invocation: Invocation): Arguments<'createLaunch'> {
  const { options } = invocation;
  const given = (name: string) => (typeof options[name] === 'string' ? { [name]: options[name] } : {});
  const links = { ...given('website'), ...given('twitter'), ...given('telegram') };
  const slippageBps = numberOf(invocation, 'slippage', 0, 10_000);
  const amountRaw = typeof options.buy === 'string' ? lamportsOf(options.buy) : undefined;
  if (slippageBps !== undefined && amountRaw === undefined) throw new UsageError('--slippage is for --buy');
  return {
    name: textOf(invocation, 'name'),
    symbol: textOf(invocation, 'symbol'),
    ...given('description'),
    ...given('config'),
    ...(Object.keys(links).length > 0 && { links }),
    ...(amountRaw !== undefined && {
      initialBuy: { amountRaw, ...(slippageBps !== undefined && { slippageBps }) },
    }),
  };
}

/** The bytes of a file, an address, or undefined. Throws UsageError before any request. */
function pictureOf({ options }: Invocation): Uint8Array<ArrayBuffer> | string | undefined {
  const { image } = options;
  if (typeof image !== 'string' || /^[a-z]+:/i.test(image)) return image === true ? undefined : image;
  try {
    if (statSync(image).size > IMAGE_BYTES_MAX) throw new UsageError(`--image ${image} has more than 5 MiB`);
    return Uint8Array.from(readFileSync(image));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`--image ${image} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}

/** Uploads a file. The same file again has the same address, so a repeated line is the same launch. */
async function imageOf(
  { client, output, signal }: Invocation,
  picture: Uint8Array<ArrayBuffer> | string | undefined,
): Promise<{ imageUrl?: string }> {
  if (picture === undefined) return {};
  if (typeof picture === 'string') return { imageUrl: picture };
  const { imageUrl, url } = await client().uploadImage(picture, { signal });
  output.note(`image: ${url}`);
  return { imageUrl };
}

/** Prints what the launch would give and cost, from the config that it names or the first one. */
async function quoteLaunch(
  { client, output, signal }: Invocation,
  { config, initialBuy }: Arguments<'createLaunch'>,
): Promise<void> {
  const name = config ?? (await client().listLaunchConfigs({}, { signal })).data[0]?.name;
  if (name === undefined) throw new UsageError('this deployment launches no tokens');
  const { amountRaw, slippageBps } = initialBuy ?? {};
  if (amountRaw === undefined) throw new UsageError('--dry-run quotes --buy');
  const quote = await client().getLaunchConfigQuote(
    { name, amountRaw, ...(slippageBps !== undefined && { slippageBps }) },
    { signal },
  );
  output.record(quote);
}

/** SOL with or without the unit: nobody buys lamports at a launch. */
function lamportsOf(text: string): string {
  const lamports = /^\d{1,20}(\.\d{1,9})?(sol)?$/i.test(text)
    ? rawAmount(/sol$/i.test(text) ? text : `${text}sol`, sol)
    : '0';
  if (lamports === '0') throw new UsageError(`--buy is an amount in SOL, as 0.1, not "${text}"`);
  return lamports;
}

const noteStep =
  ({ output }: Invocation) =>
  (step: string, record: { intentId?: string; id?: string }) =>
    output.note(`${step}: intent ${record.intentId ?? record.id}`);

/** The launch once the service has seen its pool, or as it is when that takes too long: it has landed either way. */
async function withPool(client: Launchwire, launchId: string, signal: AbortSignal): Promise<Launch> {
  const endsAtMs = performance.now() + POOL_MS;
  for (;;) {
    const launch = await client.getLaunch({ launchId }, { signal });
    if (launch.status !== 'pending_launch_init' || performance.now() > endsAtMs) return launch;
    await pause(PAUSE_MS, signal);
  }
}

/** The price of a whole token at the pool; null while the pool has no quote. */
async function priceOf(client: Launchwire, mint: string, signal: AbortSignal): Promise<string | null> {
  const order = { mint, side: 'buy', amountRaw: PRICED_LAMPORTS } as const;
  return client.getSwapQuote(order, { signal }).then(
    ({ spotPriceInSol }) => spotPriceInSol,
    () => null,
  );
}

export const transferCreatorCommand: Command = {
  name: 'transfer-creator',
  summary: 'Give the pool of a token, with its unclaimed fees, to another creator',
  details: 'Only the new creator can give it back.',
  arguments: [{ name: 'mint', help: 'mint address of the token', required: true }],
  options: {
    to: { kind: 'text', value: 'ADDRESS', help: 'wallet of the new creator', required: true },
    'key-file': keyFileOption,
    ...idempotencyOption,
    ...sendingOptions,
  },
  examples: [
    'launchwire transfer-creator 7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw --to 7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj --key-file wallet.json',
  ],
  async run(invocation) {
    const { client, output, signal } = invocation;
    const idempotencyKey = idempotencyKeyOf(invocation);
    const sending = sendingOf(invocation);
    const mint = argumentOf(invocation, 'mint');
    const newCreatorWallet = textOf(invocation, 'to');
    const signer = await readKeyFile(textOf(invocation, 'key-file'));
    const { transfer, intent } = await client().transferCreator(
      { mint, newCreatorWallet, ...sending },
      signer,
      {
        signal,
        onStep: noteStep(invocation),
        idempotencyKey,
      },
    );
    const { poolAddress, creatorWallet, claimableLamports } = transfer;
    const recordOf = (fees: string | null) => ({
      mintAddress: mint,
      poolAddress,
      formerCreatorWallet: creatorWallet,
      creatorWallet: newCreatorWallet,
      claimableLamports: fees,
      transactionSignature: intent.transactionSignature,
    });
    const shown = claimableLamports === null ? null : withAmount(claimableLamports, sol);
    output.record(recordOf(claimableLamports), recordOf(shown));
  },
};
