import type { Arguments } from '../../operations.ts';
import { argumentOf, type Command, type Invocation, numberOf, textOf } from '../command.ts';
import { readKeyFile } from '../key-file.ts';

const mint = { name: 'mint', help: 'mint address of the token', required: true };
const order = {
  side: { kind: 'text', choices: ['buy', 'sell'], help: 'buy tokens for SOL, or sell them', required: true },
  amount: {
    kind: 'text',
    value: 'RAW',
    help: 'raw units of what goes in, or with exact-out of what comes out: lamports of SOL, base units of the token',
    required: true,
  },
  mode: {
    kind: 'text',
    choices: ['exact-in', 'exact-out'],
    help: 'what the amount is of',
    default: 'exact-in',
  },
  slippage: {
    kind: 'text',
    value: 'BPS',
    help: 'how much worse it may become, in basis points from 0 to 10000',
    default: '50',
  },
} as const;

function orderOf(invocation: Invocation): Arguments<'createSwap'> {
  const slippageBps = numberOf(invocation, 'slippage', 0, 10_000);
  return {
    mint: argumentOf(invocation, 'mint'),
    side: textOf(invocation, 'side') as 'buy' | 'sell',
    amountRaw: textOf(invocation, 'amount'),
    mode: textOf(invocation, 'mode') as 'exact-in' | 'exact-out',
    ...(slippageBps !== undefined && { slippageBps }),
  };
}

export const quoteCommand: Command = {
  name: 'quote',
  summary: 'Quote a swap; changes nothing and needs no key',
  arguments: [mint],
  options: order,
  examples: ['launchwire quote 7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw --side buy --amount 50000000'],
  async run(invocation) {
    const { client, output, signal } = invocation;
    output.record(await client().getSwapQuote(orderOf(invocation), { signal }));
  },
};

export const swapCommand: Command = {
  name: 'swap',
  summary: 'Prepare a swap, sign it with a key file, submit it and wait until it has landed',
  details:
    'Moves money. It ends with exit code 1 when the transaction did not confirm: then nothing was swapped.',
  arguments: [mint],
  options: {
    ...order,
    'key-file': {
      kind: 'text',
      value: 'FILE',
      help: 'secret key: of solana-keygen, or base58',
      required: true,
    },
  },
  examples: [
    'launchwire swap 7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw --side buy --amount 50000000 --key-file wallet.json',
  ],
  async run(invocation) {
    const { client, output, signal } = invocation;
    const parameters = orderOf(invocation);
    const signer = await readKeyFile(textOf(invocation, 'key-file'));
    const onStep = (step: string, record: { intentId?: string; id?: string }) =>
      output.note(`${step}: intent ${record.intentId ?? record.id}`);
    const { swap, intent } = await client().swap(parameters, signer, { signal, onStep });
    const { inputRaw, outputRaw } = swap.quote;
    const { id, status, transactionSignature } = intent;
    output.record({
      intentId: id,
      status,
      transactionSignature,
      quotedInputRaw: inputRaw,
      quotedOutputRaw: outputRaw,
    });
  },
};
