import { isRecord } from '../shared/is-record.ts';
import { meant } from '../shared/nearest.ts';
import { defaultRateLimits, type RateLimit } from '../shared/rate-policies.ts';

/** The largest integer of a structured field (RFC 9651): `RateLimit-Policy` names both. */
const LARGEST = 999_999_999_999_999;
const FIELDS = ['limit', 'windowSeconds'] as const;
const EXAMPLE = '{"public-read-cheap":{"limit":1000,"windowSeconds":60}}';

/** A limit under any other name would limit nothing. */
const policies = Object.keys(defaultRateLimits);

export function rateLimits(text: string): Readonly<Record<string, RateLimit>> {
  const value = parse(text);
  const mistakes = isRecord(value)
    ? Object.entries(value).flatMap(([policy, limit]) => mistakesOf(policy, limit))
    : [`must be a JSON object like ${EXAMPLE}, not ${kindOf(value)}`];
  if (mistakes.length > 0) throw new Error(mistakes.slice(0, MISTAKES_SHOWN_MAX).join('; '));
  return value as Record<string, RateLimit>;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`must be JSON like ${EXAMPLE}`);
  }
}

const MISTAKES_SHOWN_MAX = 5;
const NAME_SHOWN_MAX = 40;

/** Describes the mistakes in one policy, each with its path. */
function mistakesOf(policy: string, limit: unknown): string[] {
  if (!policies.includes(policy)) {
    const shown = policy.slice(0, NAME_SHOWN_MAX);
    const near = meant(shown, policies);
    const hint = near === undefined ? `there are ${policies.join(', ')}` : `the nearest is "${near}"`;
    return [`names no policy ${JSON.stringify(shown)}: ${hint}`];
  }
  if (!isRecord(limit))
    return [`${policy} must be an object with "limit" and "windowSeconds", not ${kindOf(limit)}`];
  const unknown = Object.keys(limit).filter((field) => !FIELDS.some((known) => known === field));
  return [
    ...FIELDS.flatMap((field) => {
      const value = limit[field];
      if (value === undefined) return [`${policy}.${field} is missing`];
      if (!isPositiveInteger(value))
        return [`${policy}.${field} must be a whole number of at least 1, not ${shownValue(value)}`];
      return value <= LARGEST ? [] : [`${policy}.${field} must be at most ${LARGEST}, not ${value}`];
    }),
    ...unknown.map((field) => {
      const shown = JSON.stringify(field.slice(0, NAME_SHOWN_MAX));
      return `${policy} has no field ${shown}, only ${FIELDS.join(' and ')}`;
    }),
  ];
}

function shownValue(value: unknown): string {
  return typeof value === 'number' ? String(value) : kindOf(value);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  const kind = typeof value;
  return kind === 'object' ? 'an object' : `a ${kind}`;
}

function isPositiveInteger(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}
