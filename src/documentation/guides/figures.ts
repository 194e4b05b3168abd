import { publishedLimits, unpublishedLimits } from '../../shared/contract-limits.ts';
import { prices } from '../../shared/prices.ts';
import { authenticationFailures, defaultRateLimits, type ratePolicies } from '../../shared/rate-policies.ts';
import { scopeMeanings } from '../../shared/scopes.ts';
import type { SiteOptions } from '../options.ts';

/**
 * Address of the sandbox in the guides, which are valid as they are with `npm start`; pages replace it with
 * that of their deployment.
 */
const SANDBOX_ADDRESS = 'http://localhost:3000';

/** A table between its two marks, each on a line of its own: `<!-- scopes -->` … `<!-- /scopes -->`. */
const TABLES = /^<!-- ([a-z-]+) -->\n.*?^<!-- \/\1 -->$/gms;
/** A number with its mark behind it: `100<!-- statsTokens -->`. */
const NUMBERS = /(?<![\d,])[\d,]+<!-- ([A-Za-z]+) -->/g;
const MARK = /<!--[^<>]{0,80}>?|\{\{\w+\}\}/;

/**
 * The text of a guide for a page: its figures are those of the code and of this deployment, its addresses too,
 * and the marks are gone. Throws for an unknown name, and for a mark without its figure.
 */
export function fillFigures(source: string, options: SiteOptions): string {
  const filled = source
    .replaceAll(TABLES, (_, name: string) => known(tables[name], name)(options))
    .replaceAll(NUMBERS, (_, name: string) => numberOf(name));
  const [mark] = MARK.exec(filled) ?? [];
  if (mark !== undefined) throw new Error(`a guide has the mark "${mark}" without its figure`);
  return filled.replaceAll(SANDBOX_ADDRESS, options.publicUrl);
}

/** The text of the guide's file, whose figures are those of the code and the default limits. */
export function renewFigures(source: string): string {
  return source
    .replaceAll(
      TABLES,
      (_, name: string) =>
        `<!-- ${name} -->\n\n${known(tables[name], name)({ rateLimits: defaultRateLimits })}\n\n<!-- /${name} -->`,
    )
    .replaceAll(NUMBERS, (_, name: string) => `${numberOf(name)}<!-- ${name} -->`);
}

function numberOf(name: string): string {
  return known(numbers[name], name).toLocaleString('en');
}

function known<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`a guide shows "${name}", which nothing defines`);
  return value;
}

const numbers: Readonly<Record<string, number>> = {
  ...publishedLimits,
  ...unpublishedLimits,
  failedAuthentications: authenticationFailures.limit,
};

const uses: Readonly<Record<keyof typeof ratePolicies, string>> = {
  'public-read-cheap': 'anonymous reads of one record or a short list',
  'public-read-expensive': 'anonymous reads that compute or scan: candles, quotes, holdings, leaderboards',
  'api-key-read': 'reads with a key',
  'operation-read': 'polls of operations, intents and launches',
  'prediction-submit': 'predictions',
  'transaction-submit': 'signed transactions',
  'swap-prepare': 'preparing swaps and launches',
  'image-upload': 'uploads of images',
  'stream-open': 'opening streams and WebSockets',
  'stream-subscribe': 'topics of a WebSocket, each counted as a request',
  'report-read': 'landing reports',
  'webhook-admin': 'changes of webhook endpoints, replays, exports',
};

const tables: Readonly<Record<string, (options: Pick<SiteOptions, 'rateLimits'>) => string>> = {
  'rate-limits': ({ rateLimits }) =>
    markdownTable(
      ['Policy', 'Requests', 'Window', 'On average', 'Used by'],
      Object.entries(uses).map(([policy, use]) => {
        const { limit, windowSeconds } = rateLimits[policy as keyof typeof uses];
        return [
          `\`${policy}\``,
          limit.toLocaleString('en'),
          `${windowSeconds} s`,
          `${perSecond(limit / windowSeconds)} a second`,
          use,
        ];
      }),
    ),
  prices: () =>
    markdownTable(
      ['In', 'Field', 'Which price'],
      Object.values(prices).map(({ of, field, meaning }) => [of, `\`${field}\``, meaning]),
    ),
  scopes: () =>
    markdownTable(
      ['Scope', 'Lets a key'],
      Object.entries(scopeMeanings).map(([scope, meaning]) => [`\`${scope}\``, meaning]),
    ),
};

function perSecond(rate: number): string {
  return rate.toLocaleString('en', { maximumFractionDigits: 1 });
}

function markdownTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
