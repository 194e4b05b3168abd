import { candleIntervals } from '../../db/values/trades.ts';
import type { CandleInterval } from '../../indexer/market/fold-candles.ts';
import { isAddress } from '../../shared/address.ts';
import { unpublishedLimits } from '../../shared/contract-limits.ts';
import { isUuid } from '../../shared/field-schemas.ts';
import { type FieldError, Problem } from '../../shared/problem.ts';
import type { Scope } from '../../shared/scopes.ts';
import { parseFilter, type TradeFilter, WALLETS_MAX } from './trade-filter.ts';

/** Topics of one stream (contract/streams#limits). */
export const TOPICS_MAX: number = unpublishedLimits.streamTopics;

/** A topic of a stream (contract/streams#topics). */
export type Topic = { text: string } & (
  | { kind: 'tokens' | 'events' | 'launches' | 'graduations' }
  | { kind: 'presales' | 'rounds' }
  | { kind: 'presale'; presaleId: string }
  | { kind: 'token-rounds'; mint: string }
  | { kind: 'intents' | 'orders' | 'operations' | 'deliveries' }
  | { kind: 'trades'; filter?: TradeFilter }
  | { kind: 'token-trades'; mint: string; filter?: TradeFilter }
  | { kind: 'wallet'; wallet: string }
  | { kind: 'token' | 'stats'; mint: string }
  | { kind: 'candles'; mint: string; interval: CandleInterval }
);

/** Scopes of the topics of an account; the others need no key. */
const topicScopes: Partial<Record<Topic['kind'], Scope>> = {
  intents: 'operations:read',
  orders: 'operations:read',
  operations: 'operations:read',
  deliveries: 'webhooks:read',
};

/** Forms of a topic, for messages and documents. */
export const topicForms = [
  'tokens',
  'token:{mint}',
  'trades',
  'trades:{mint}',
  'wallet:{address}',
  'launches',
  'graduations',
  'candles:{mint}:{interval}',
  'stats:{mint}',
  'presales',
  'presale:{id}',
  'rounds',
  'rounds:{mint}',
  'events',
  'intents',
  'orders',
  'operations',
  'deliveries',
] as const;

/** The scope that a key needs for a topic; null for a topic that needs no key. */
export function scopeOf(topic: Topic): Scope | null {
  return topicScopes[topic.kind] ?? null;
}

/** The mint of a topic, or null. */
export function mintOf(topic: Topic): string | null {
  return 'mint' in topic ? topic.mint : null;
}

/**
 * The topics of a request, without repetitions. Throws `validation_failed` with an error for every text that
 * is no topic.
 * @param path of the field that holds them, for the errors
 */
export function parseTopics(texts: readonly string[], path: string): Topic[] {
  const distinct = [...new Set(texts)];
  if (distinct.length === 0) throw invalid([{ path, code: 'too_short', message: 'must name a topic' }]);
  if (distinct.length > TOPICS_MAX)
    throw invalid([{ path, code: 'too_long', message: `must name at most ${TOPICS_MAX} topics` }]);
  const parsed = distinct.map(parseTopic);
  const errors = parsed.flatMap((topic, at) =>
    typeof topic === 'string'
      ? [{ path, code: 'invalid_value' as const, message: `"${shorten(distinct[at])}" ${topic}` }]
      : [],
  );
  if (errors.length > 0) throw invalid(errors);
  const topics = new Map(
    parsed.flatMap((topic) => (typeof topic === 'string' ? [] : [[topic.text, topic] as const])),
  );
  requireFewWallets([...topics.values()], path);
  return [...topics.values()];
}

/** Throws `validation_failed` when topics name more wallets than one stream may follow. */
export function requireFewWallets(topics: readonly Topic[], path: string): void {
  const count = topics.reduce((sum, topic) => sum + walletsOf(topic).length, 0);
  if (count > WALLETS_MAX)
    throw invalid([{ path, code: 'too_long', message: `must name at most ${WALLETS_MAX} wallets` }]);
}

/** The wallets that a topic names. */
export function walletsOf(topic: Topic): readonly string[] {
  if (topic.kind === 'wallet') return [topic.wallet];
  return 'filter' in topic ? (topic.filter?.wallets ?? []) : [];
}

const EXPECTED = `is no topic; expected ${topicForms.join(', ')}`;

/** A topic, or what is wrong with the text. */
function parseTopic(text: string): Topic | string {
  const [base = '', ...parts] = text.split(';');
  const topic = parsePlain(base);
  if (topic === null) return EXPECTED;
  if (parts.length === 0) return topic;
  if (topic.kind !== 'trades' && topic.kind !== 'token-trades') return 'takes no filter: only trades do';
  const parsed = parseFilter(parts);
  if ('mistake' in parsed) return `has a wrong filter: ${parsed.mistake}`;
  return { ...topic, text: `${base};${parsed.text}`, filter: parsed.filter };
}

function parsePlain(text: string): Topic | null {
  const [kind, mint, interval, ...more] = text.split(':');
  if (more.length > 0) return null;
  if (mint === undefined) {
    switch (kind) {
      case 'trades':
        return { text, kind };
      case 'tokens':
      case 'events':
      case 'presales':
      case 'rounds':
      case 'launches':
      case 'graduations':
      case 'intents':
      case 'orders':
      case 'operations':
      case 'deliveries':
        return { text, kind };
      default:
        return null;
    }
  }
  if (kind === 'presale') return interval === undefined ? presaleTopic(mint) : null;
  if (!isAddress(mint)) return null;
  if (kind === 'candles') {
    const known = candleIntervals.find((name) => name === interval);
    return known === undefined ? null : { text, kind, mint, interval: known };
  }
  if (interval !== undefined) return null;
  if (kind === 'token' || kind === 'stats') return { text, kind, mint };
  if (kind === 'rounds') return { text, kind: 'token-rounds', mint };
  if (kind === 'wallet') return { text, kind, wallet: mint };
  return kind === 'trades' ? { text, kind: 'token-trades', mint } : null;
}

function presaleTopic(id: string): Topic | null {
  const presaleId = id.toLowerCase();
  return isUuid(presaleId) ? { text: `presale:${presaleId}`, kind: 'presale', presaleId } : null;
}

const SHOWN_MAX = 80;

function shorten(text = ''): string {
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}

function invalid(errors: readonly FieldError[]): Problem {
  return new Problem('validation_failed', { errors });
}
