import type { Evidence } from '../evidence/evidence.ts';
import { answersAreDocumented } from './answers.ts';
import { fullBrokersAreNamed } from './brokers.ts';
import { everyEventIsDelivered, receiversBelieveOnlyGenuine } from './deliveries.ts';
import { acceptedEndsTruthfully, nothingIsStuck } from './intents.ts';
import { marketEqualsTheFold, tradesEqualTheChain } from './market.ts';
import { everyOrderIsPaidOnce, oneOutcomePerKey } from './orders.ts';
import { readersSeeEveryChange } from './readers.ts';
import { nothingIsMissing } from './undisturbed.ts';

/** The rules by name. Each returns a sentence for everything that breaks it. */
export const rules: Readonly<Record<string, (evidence: Evidence) => string[]>> = {
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
};

export interface Verdict {
  readonly rule: string;
  readonly broken: readonly string[];
}

export function judge(evidence: Evidence): Verdict[] {
  return Object.entries(rules).map(([rule, check]) => ({ rule, broken: check(evidence) }));
}
