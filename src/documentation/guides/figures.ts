import { publishedLimits, unpublishedLimits } from '../../shared/contract-limits.ts';
import { authenticationFailures, type ratePolicies } from '../../shared/rate-policies.ts';
import { scopeMeanings } from '../../shared/scopes.ts';
import type { SiteOptions } from '../options.ts';

/**
 * Address of the sandbox in the guides, which are valid as they are with `npm start`; pages replace it with
 * that of their deployment.
 */
const SANDBOX_ADDRESS = 'http://localhost:3000';

/**
 * Fills figures from code and configuration into a guide: a line `<!-- name -->` becomes a table, `{{name}}`
 * a number. Throws for an unknown name.
 */
export function fillFigures(source: string, options: SiteOptions): string {
  return source
    .replaceAll(/^<!-- ([a-z-]+) -->$/gm, (_, name: string) => known(tables[name], name)(options))
    .replaceAll(/\{\{([A-Za-z]+)\}\}/g, (_, name: string) => known(numbers[name], name).toLocaleString('en'))
    .replaceAll(SANDBOX_ADDRESS, options.publicUrl);
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

const tables: Readonly<Record<string, (options: SiteOptions) => string>> = {
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
