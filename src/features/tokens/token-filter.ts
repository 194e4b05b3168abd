import { unpublishedLimits } from '../../shared/contract-limits.ts';
import { compareDecimals, type DecimalString } from '../../shared/decimal.ts';
import { parseInstant } from '../../shared/instant.ts';
import { type FieldErrorCode, Problem } from '../../shared/problem.ts';
import { publicTextFault } from '../../shared/public-text.ts';
import { requestedMints } from '../../shared/requested-mints.ts';
import type { LaunchType, TokenStatus } from './record.ts';
import { searchKey } from './search-key.ts';

/** What lists of tokens are sorted by, the largest value first. */
export const tokenSorts = [
  'launchedAt',
  'marketCap',
  'volume24h',
  'trades1h',
  'priceChange1h',
  'graduationProgress',
  'lastTradeAt',
] as const;
export type TokenSort = (typeof tokenSorts)[number];
/** Sorts by a value of `token_rankings`. */
export type RankedSort = Exclude<TokenSort, 'launchedAt'>;

/** Bounds of a value, both inclusive. */
export interface Bounds {
  min?: string | undefined;
  max?: string | undefined;
}

export type TokenBounds = Partial<Record<RankedSort, Bounds>>;

/** Which tokens a list has, and their order. */
export interface TokenFilter {
  status?: TokenStatus | undefined;
  launchType?: LaunchType | undefined;
  creatorWallet?: string | undefined;
  bounds: TokenBounds;
}

/** What a request asks for: tokens by address, tokens that match a text, or a sorted list. */
export type TokenSelection =
  | { kind: 'mints'; mints: string[] }
  | { kind: 'search'; text: string; key: string; filter: TokenFilter }
  | { kind: 'list'; sort: TokenSort; filter: TokenFilter };

/** The query of `listTokens`, once its schema has passed. */
export interface TokenQuery {
  status?: TokenStatus;
  launchType?: LaunchType;
  query?: string;
  creatorWallet?: string;
  mints?: string;
  sort?: TokenSort;
  cursor?: string;
  minMarketCap?: string;
  maxMarketCap?: string;
  minVolume24h?: string;
  maxVolume24h?: string;
  minTrades1h?: number;
  minPriceChange1h?: string;
  maxPriceChange1h?: string;
  minGraduationProgress?: string;
  maxGraduationProgress?: string;
  minLastTradeAt?: string;
}

const { listedMints, searchLength } = unpublishedLimits;

/** Parameters that no list of mints takes. */
const NOT_WITH_MINTS = [
  'status',
  'launchType',
  'query',
  'creatorWallet',
  'sort',
  'cursor',
  'minMarketCap',
  'maxMarketCap',
  'minVolume24h',
  'maxVolume24h',
  'minTrades1h',
  'minPriceChange1h',
  'maxPriceChange1h',
  'minGraduationProgress',
  'maxGraduationProgress',
  'minLastTradeAt',
] as const satisfies readonly (keyof TokenQuery)[];

/** Throws `validation_failed` for a parameter that is wrong, or does not go with another one. */
export function tokenSelection(query: TokenQuery): TokenSelection {
  if (query.mints !== undefined) return { kind: 'mints', mints: mintsOf(query, query.mints) };
  const filter = filterOf(query);
  if (query.query !== undefined) return searchOf(query, query.query, filter);
  const sort = query.sort ?? 'launchedAt';
  if (filter.creatorWallet !== undefined && sort !== 'launchedAt')
    throw refused('sort', 'invalid_value', 'must be launchedAt beside creatorWallet');
  return { kind: 'list', sort, filter };
}

/** True when a list has a filter that its index does not serve: it reads more rows than it shows. */
export function isFiltered({ creatorWallet, bounds }: TokenFilter): boolean {
  return creatorWallet !== undefined || Object.keys(bounds).length > 0;
}

/** A bound of the value by which a list is sorted is a range of its index. */
const BOUND = /^(?:min|max)([A-Z])(.*)$/;

/** A list of mints, a search, or a list with filters that no index serves: it reads more than a page of an index. */
export function isSelective(query: URLSearchParams): boolean {
  if (['mints', 'query', 'creatorWallet'].some((name) => query.has(name))) return true;
  const sort = query.get('sort') ?? 'launchedAt';
  if (sort !== 'launchedAt' && query.has('launchType')) return true;
  return query.keys().some((name) => {
    const [, first, rest] = BOUND.exec(name) ?? [];
    return first !== undefined && first.toLowerCase() + rest !== sort;
  });
}

function mintsOf(query: TokenQuery, text: string): string[] {
  for (const name of NOT_WITH_MINTS)
    if (query[name] !== undefined) throw refused(name, 'invalid_value', 'must be absent beside mints');
  return requestedMints(text, listedMints);
}

function searchOf(query: TokenQuery, given: string, filter: TokenFilter): TokenSelection {
  if (query.sort !== undefined)
    throw refused('sort', 'invalid_value', 'must be absent beside query, whose best matches come first');
  if (filter.creatorWallet !== undefined)
    throw refused('creatorWallet', 'invalid_value', 'must be absent beside query');
  const text = given.trim();
  const fault = publicTextFault(text, { isLine: true });
  if (fault !== null) throw refused('query', 'invalid_value', `must not contain ${fault}`);
  const key = searchKey(text);
  if (key === '') throw refused('query', 'too_short', 'must have at least one character');
  if ([...text].length > searchLength)
    throw refused('query', 'too_long', `must have at most ${searchLength} characters`);
  return { kind: 'search', text, key, filter };
}

function filterOf(query: TokenQuery): TokenFilter {
  const { status, launchType, creatorWallet } = query;
  const bounds: TokenBounds = {};
  const add = (sort: RankedSort, name: string, { min, max }: Bounds) => {
    if (min === undefined && max === undefined) return;
    if (min !== undefined && max !== undefined && isAbove(min, max))
      throw refused(`max${name}`, 'out_of_range', `must not be below min${name}`);
    bounds[sort] = { min, max };
  };
  add('marketCap', 'MarketCap', { min: query.minMarketCap, max: query.maxMarketCap });
  add('volume24h', 'Volume24h', { min: query.minVolume24h, max: query.maxVolume24h });
  add('trades1h', 'Trades1h', { min: query.minTrades1h?.toString() });
  add('priceChange1h', 'PriceChange1h', { min: query.minPriceChange1h, max: query.maxPriceChange1h });
  add('graduationProgress', 'GraduationProgress', {
    min: query.minGraduationProgress,
    max: query.maxGraduationProgress,
  });
  add('lastTradeAt', 'LastTradeAt', { min: parseInstant(query.minLastTradeAt)?.toISOString() });
  return { status, launchType, creatorWallet, bounds };
}

/** Compares decimals that may be below zero. */
function isAbove(left: string, right: string): boolean {
  const [leftIsNegative, rightIsNegative] = [left.startsWith('-'), right.startsWith('-')];
  if (leftIsNegative !== rightIsNegative) return rightIsNegative;
  // Their schema has checked both.
  const [leftSize, rightSize] = [left, right].map((text) => text.replace('-', '') as DecimalString);
  if (leftSize === undefined || rightSize === undefined) return false;
  const order = compareDecimals(leftSize, rightSize);
  return leftIsNegative ? order < 0 : order > 0;
}

function refused(field: string, code: FieldErrorCode, message: string): Problem {
  return new Problem('validation_failed', { errors: [{ path: `/query/${field}`, code, message }] });
}
