import type { Scope } from '../scopes.ts';

/** Prefix and suffix of every event type on the wire (contract/events#catalogue). */
const PREFIX = 'build.service.';
const SUFFIX = '.v1';

/**
 * The receivers of an event: every account, the account that owns the fact, or the endpoints that name its
 * subject (contract/events#catalogue).
 */
export type Audience = 'public' | 'account' | 'followers';

/**
 * The event catalogue (contract/events#catalogue): short name → audience and meaning of the CloudEvents
 * `subject`.
 */
export const eventCatalogue = {
  'launch.created': { audience: 'public', subject: 'mint' },
  'launch.graduated': { audience: 'public', subject: 'mint' },
  'launch.failed': { audience: 'public', subject: 'mint' },
  'token.curve_completed': { audience: 'public', subject: 'mint' },
  'token.creator_changed': { audience: 'public', subject: 'mint' },
  'wallet.traded': { audience: 'followers', subject: 'wallet' },
  'token.traded': { audience: 'followers', subject: 'mint' },
  'presale.opened': { audience: 'public', subject: 'presale id' },
  'presale.settled': { audience: 'public', subject: 'presale id' },
  'presale.failed': { audience: 'public', subject: 'presale id' },
  'prediction_round.opened': { audience: 'public', subject: 'round id' },
  'prediction_round.locked': { audience: 'public', subject: 'round id' },
  'prediction_round.settled': { audience: 'public', subject: 'round id' },
  'prediction_round.voided': { audience: 'public', subject: 'round id' },
  'prediction.submitted': { audience: 'account', subject: 'prediction id' },
  'fee_distribution.completed': { audience: 'public', subject: 'mint' },
  'fees.claimed': { audience: 'account', subject: 'intent id' },
  'operation.succeeded': { audience: 'account', subject: 'operation id' },
  'operation.failed': { audience: 'account', subject: 'operation id' },
  'operation.cancelled': { audience: 'account', subject: 'operation id' },
  'transaction_intent.prepared': { audience: 'account', subject: 'intent id' },
  'transaction_intent.submitted': { audience: 'account', subject: 'intent id' },
  'transaction_intent.confirmed': { audience: 'account', subject: 'intent id' },
  'transaction_intent.failed': { audience: 'account', subject: 'intent id' },
  'transaction_intent.expired': { audience: 'account', subject: 'intent id' },
  'transaction_intent.finalized': { audience: 'account', subject: 'intent id' },
  'transaction_intent.reverted': { audience: 'account', subject: 'intent id' },
  'order.opened': { audience: 'account', subject: 'order id' },
  'order.triggered': { audience: 'account', subject: 'order id' },
  'order.landed': { audience: 'account', subject: 'order id' },
  'order.failed': { audience: 'account', subject: 'order id' },
  'order.cancelled': { audience: 'account', subject: 'order id' },
  'order.expired': { audience: 'account', subject: 'order id' },
  'order.voided': { audience: 'account', subject: 'order id' },
  'webhook_endpoint.failing': { audience: 'account', subject: 'endpoint id' },
  'webhook_endpoint.disabled': { audience: 'account', subject: 'endpoint id' },
  'webhook_endpoint.created': { audience: 'account', subject: 'endpoint id' },
  'webhook_endpoint.changed': { audience: 'account', subject: 'endpoint id' },
  'webhook_endpoint.secret_rotated': { audience: 'account', subject: 'endpoint id' },
  'api_key.revoked': { audience: 'account', subject: 'key id' },
  'webhook.ping': { audience: 'account', subject: 'endpoint id' },
} as const satisfies Record<string, { audience: Audience; subject: string }>;

export type EventName = keyof typeof eventCatalogue;
export type EventSubject = (typeof eventCatalogue)[EventName]['subject'];

/** What a subject looks like: endpoints name addresses and ids (UUIDs) as `subjects`, and nothing else. */
export type SubjectForm = 'address' | 'uuid' | 'other';

export const subjectForms: Readonly<Record<EventSubject, SubjectForm>> = {
  mint: 'address',
  wallet: 'address',
  'presale id': 'uuid',
  'round id': 'uuid',
  'prediction id': 'uuid',
  'intent id': 'uuid',
  'operation id': 'uuid',
  'order id': 'uuid',
  'endpoint id': 'uuid',
  'key id': 'other',
};

export const eventNames = Object.keys(eventCatalogue) as readonly EventName[];

/**
 * Read scopes that open account events to an endpoint, by the first part of the event's name
 * (contract/events#filter-scopes).
 */
const scopeByGroup: Readonly<Record<string, Scope>> = {
  operation: 'operations:read',
  transaction_intent: 'operations:read',
  fees: 'operations:read',
  order: 'operations:read',
  prediction: 'predictions:read',
};

/** By full type of an account event: the scope that a key needs to create an endpoint for it. */
export const eventScopes: ReadonlyMap<string, Scope> = new Map(
  eventNames.flatMap((name) => {
    const scope = scopeByGroup[name.slice(0, name.indexOf('.'))];
    return scope === undefined || eventCatalogue[name].audience !== 'account'
      ? []
      : [[eventType(name), scope]];
  }),
);

/** Selects the scopes that open events. */
export function eventScopesOf(scopes: readonly string[]): Scope[] {
  return [...new Set(eventScopes.values())].filter((scope) => scopes.includes(scope));
}

/** Types of trades that endpoints follow: only those that name them in full get them, and only of their subjects. */
export const followedTypes: readonly string[] = eventNames
  .filter((name) => eventCatalogue[name].audience === 'followers')
  .map(eventType);

/** `launch.created` → `build.service.launch.created.v1`. */
export function eventType(name: EventName): string {
  return `${PREFIX}${name}${SUFFIX}`;
}

/**
 * The full form of a filter: `order.landed` and `order.*` are short for the type and the prefix, as the command line writes
 * them (contract/events#filter-short-names). Any other text is returned as it is.
 */
export function fullEventFilter(filter: string): string {
  if (Object.hasOwn(eventCatalogue, filter)) return eventType(filter as EventName);
  const isShort = filter.endsWith('.*') && eventNames.some((name) => name.startsWith(filter.slice(0, -1)));
  return isShort ? PREFIX + filter : filter;
}

/** Returns the catalogue name of a full event type, or null when there is none. */
export function eventName(type: string): EventName | null {
  if (!type.startsWith(PREFIX) || !type.endsWith(SUFFIX)) return null;
  const name = type.slice(PREFIX.length, -SUFFIX.length);
  return Object.hasOwn(eventCatalogue, name) ? (name as EventName) : null;
}
