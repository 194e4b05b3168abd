import type { Arguments } from '../operations.ts';
import type { Invocation, Option } from './command.ts';
import { UsageError } from './failures.ts';

const LEVELS = ['auto', 'min', 'low', 'medium', 'high', 'veryHigh'];
const ROUTES = ['fast', 'protected'] as const;

/** How a transaction is sent, and what it offers for that. */
export const sendingOptions = {
  priority: {
    kind: 'text',
    value: 'LEVEL',
    help: `price of priority: ${LEVELS.join(', ')}, or micro-lamports per compute unit`,
  },
  'max-priority': { kind: 'text', value: 'LAMPORTS', help: 'the most that priority may cost' },
  tip: {
    kind: 'text',
    value: 'LAMPORTS',
    help: 'tip to a landing service. Default: the tip that the operator set',
  },
  route: {
    kind: 'text',
    choices: ROUTES,
    help: 'fast sends it to every address, protected only to those that show it to nobody before it lands',
  },
} as const satisfies Readonly<Record<string, Option>>;

type Sending = Pick<
  Arguments<'createSwap'>,
  'computeUnitPrice' | 'maxPriorityLamports' | 'tipLamports' | 'route'
>;

/** The fields of a request; throws UsageError, before any request. */
export function sendingOf(invocation: Invocation): Sending {
  const price = textOrUndefined(invocation, 'priority');
  if (price !== undefined && !LEVELS.includes(price) && !isWhole(price))
    throw new UsageError(`--priority is one of ${LEVELS.join(', ')}, or a whole number, not "${price}"`);
  const lamports = lamportsOf(invocation, 'max-priority');
  const tip = lamportsOf(invocation, 'tip');
  const route = ROUTES.find((one) => one === textOrUndefined(invocation, 'route'));
  return {
    ...(price !== undefined && { computeUnitPrice: price }),
    ...(lamports !== undefined && { maxPriorityLamports: lamports }),
    ...(tip !== undefined && { tipLamports: tip }),
    ...(route !== undefined && { route }),
  };
}

function lamportsOf(invocation: Invocation, name: string): string | undefined {
  const text = textOrUndefined(invocation, name);
  if (text === undefined || isWhole(text)) return text;
  throw new UsageError(`--${name} is a whole number of lamports, not "${text}"`);
}

const isWhole = (text: string) => /^(0|[1-9]\d{0,19})$/.test(text);

function textOrUndefined({ options }: Invocation, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}
