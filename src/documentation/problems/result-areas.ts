import { deliveryResults } from './delivery-results.ts';
import { intentResults, type ResultExplanation } from './intent-results.ts';

/** Result codes that share a field of a record. They are not HTTP errors. */
export interface ResultArea {
  /** Anchor in the list. */
  id: string;
  title: string;
  /** Noun for one of its codes. */
  kind: string;
  introduction: string;
  results: readonly Result[];
}

export interface Result extends ResultExplanation {
  code: string;
  /**
   * Anchor in the list and name of the page: with a prefix, since a result may have the name of a problem
   * code.
   */
  id: string;
}

export const resultAreas: readonly ResultArea[] = [
  {
    id: 'delivery-results',
    title: 'Webhook delivery results',
    kind: 'webhook delivery result',
    introduction:
      'Found in `lastErrorCode` of a webhook delivery. They are not HTTP errors: they are reasons why the last attempt, or the whole delivery, failed.',
    results: resultsOf('delivery', deliveryResults),
  },
  {
    id: 'intent-results',
    title: 'Transaction intent results',
    kind: 'transaction intent result',
    introduction:
      'Found in `error.code` of a transaction intent whose `status` is `failed`. They are not HTTP errors: the submission itself was accepted.',
    results: resultsOf('intent', intentResults),
  },
];

function resultsOf(prefix: string, explanations: Readonly<Record<string, ResultExplanation>>): Result[] {
  return Object.entries(explanations).map(([code, explanation]) => ({
    code,
    id: `${prefix}-${code.replace(/[<>]/g, '')}`,
    ...explanation,
  }));
}
