import type { Evidence } from '../evidence/evidence.ts';
import type { DocumentedOperation } from '../evidence/facts.ts';
import type { RequestEntry } from '../evidence/histories.ts';
import { everyEventIsDelivered, receiversBelieveOnlyGenuine } from './deliveries.ts';
import { acceptedEndsTruthfully, nothingIsStuck } from './intents.ts';
import { marketEqualsTheFold, tradesEqualTheChain } from './market.ts';
import { everyOrderIsPaidOnce, oneOutcomePerKey } from './orders.ts';
import { readersSeeEveryChange } from './readers.ts';

/** The rules by name. Each returns a sentence for everything that breaks it. */
export const rules = {
  'every 202 ends truthfully, and lands at most once': acceptedEndsTruthfully,
  'no idempotency key has two outcomes': oneOutcomePerKey,
  'nothing is paid twice': everyOrderIsPaidOnce,
  'every reader of a stream sees every change once and in order': readersSeeEveryChange,
  'every event has its deliveries, and every receiver got each': everyEventIsDelivered,
  'every webhook is verified': receiversBelieveOnlyGenuine,
  'trades are those of the chain and of the feeds': tradesEqualTheChain,
  'candles, prices and holders are the fold of the trades and of the chain': marketEqualsTheFold,
  'nothing is stuck': nothingIsStuck,
  'every answer is a documented one': answersAreDocumented,
  'a broker whose disk is full is named': fullBrokersAreNamed,
  'where nothing is broken, nothing is unavailable or late': nothingIsMissing,
} as const satisfies Readonly<Record<string, (evidence: Evidence) => string[]>>;
export type RuleName = keyof typeof rules;

export interface Verdict {
  readonly rule: RuleName;
  readonly broken: readonly string[];
}

export function judge(evidence: Evidence): Verdict[] {
  const names = Object.keys(rules) as RuleName[];
  return names.map((rule) => ({ rule, broken: rules[rule](evidence) }));
}

/** The operator learns from the log which server needs room and a restart (runbook StreamReplicaMissing). */
function fullBrokersAreNamed({ fullBrokers }: Evidence): string[] {
  return fullBrokers
    .filter(({ isNamed }) => !isNamed)
    .map(
      ({ fromMs }) => `the broker's disk was full at ${(fromMs / 1000).toFixed(1)} s, and no worker said so`,
    );
}

/**
 * Where nothing was broken, no answer says that something is not available, and no transaction lands after the
 * `expiresAt` of its intent. A walk without faults tries the product at another pace of the chain.
 */
function nothingIsMissing({ wasDisturbed, histories, database }: Evidence): string[] {
  if (wasDisturbed) return [];
  const refused = histories.requests
    .filter(({ status }) => status === 503)
    .map(({ method, path, code }) => `${method} ${path} was 503 ${code}`);
  const late = database.intents
    .filter(({ landedLate }) => landedLate)
    .map(({ id }) => `intent ${id} landed after its expiresAt`);
  return [...refused, ...late];
}

/** Everything that the api answered is in its OpenAPI document: the status, and the code of a problem. */
function answersAreDocumented({ histories, documented }: Evidence): string[] {
  const found = new Map<string, number>();
  for (const request of histories.requests) {
    const mistake = undocumented(request, documented);
    if (mistake !== null) found.set(mistake, (found.get(mistake) ?? 0) + 1);
  }
  return [...found].map(([mistake, times]) => `${mistake} (${times} times)`);
}

function undocumented(
  { method, path, status, code }: RequestEntry,
  documented: readonly DocumentedOperation[],
): string | null {
  // A connection that breaks is no answer.
  if (status === null || status === 101) return null;
  const operation = documented.find((one) => one.method === method && one.pattern.test(path));
  if (operation === undefined) return `${method} ${path} is no operation`;
  const codes = operation.answers.get(status);
  if (codes === undefined) return `${operation.operationId} answered ${status} ${code ?? ''}`;
  if (status < 400) return null;
  return code !== null && codes.has(code) ? null : `${operation.operationId} answered ${status} with ${code}`;
}
