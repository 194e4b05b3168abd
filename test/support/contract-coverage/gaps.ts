import { contractDefinitions } from '../../../src/api/routes.ts';
import { internalDefinitions } from '../../../src/internal/routes.ts';
import { readCoverage } from './coverage-file.ts';
import { type DescribedValue, unseenFields } from './fields.ts';
import { describedMessages } from './messages.ts';
import { unseenOutcomes } from './outcomes.ts';

/** Fields that cannot show what is asked of others, as `name: what`, each with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  'FeeClaims.intents[].rentLamports: 1 of 2 values': 'the account that a claim opens has one size',
  'LaunchCost.metadataFeeLamports: 1 of 2 values': 'a number of the metadata program',
  'LaunchCost.signatureFeeLamports: 1 of 2 values': 'a launch has two signatures',
  'LaunchTerms.tradingFee.rateLimiter.maximumPercent: 1 of 2 values': 'a number of the curve program',
  'LaunchTerms.tradingFee.shares.protocolPercent: 1 of 2 values': 'a number of the curve program',
  'PlatformFeeAccount.maxPlatformFeeBps: 1 of 2 values': 'a limit of the contract',
  'Swap.version: 1 of 2 values': 'an intent that was just prepared',
  'TopTraders.data[].lastBuyAt: null': 'a gain needs a purchase',
  'TopTraders.data[].lastSellAt: null': 'a gain needs a sale',
  'TransactionIntent.createdAt: null': 'promised, and always known',
  'WebhookEndpoint.byKeyId: null': 'no command of an operator changes an endpoint',
  'getSolanaManifest.network.blockhashBlocks: 1 of 2 values': 'a number of the chain',
  'listEvents.page.nextCursor: null': 'a reader of events always has a place to go on from',
  'message:ready.retryMs: 1 of 2 values': 'one pause for every stream',
};

/** What the documents promise and no test of the run has seen. */
export function coverageGaps(file: string): string[] {
  const lines = readCoverage(file);
  const missing = unseenFields(describedValues(), lines);
  const unseen = missing.filter((gap) => !Object.hasOwn(exceptions, gap));
  const seen = Object.keys(exceptions).filter((gap) => !missing.includes(gap));
  return [
    ...unseenOutcomes(lines).map(
      (outcome) => `no test makes an operation answer what it documents: ${outcome}`,
    ),
    ...unseen.map((gap) => `no test sees a field with what it documents: ${gap}`),
    ...seen.map(
      (gap) => `a field is excepted in test/support/contract-coverage/gaps.ts, and a test sees it: ${gap}`,
    ),
  ];
}

function describedValues(): DescribedValue[] {
  const operations = [...contractDefinitions, ...internalDefinitions].filter(({ isStream }) => !isStream);
  return [...operations.map(({ id, response }) => ({ name: id, schema: response })), ...describedMessages];
}
