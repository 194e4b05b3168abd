import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { publishedLimits, unpublishedLimits } from '../../src/shared/contract-limits.ts';

type LimitName = keyof typeof publishedLimits | keyof typeof unpublishedLimits;

const REQUESTS = 'test/contract/request-limits.test.ts';
const ACCOUNTS = 'test/contract/account-limits.test.ts';
const WAITS = 'test/unit/change-waits.test.ts';

/**
 * The test that goes to the limit: as much is accepted or returned, and one more is not; a time is compared with what was
 * stored. It names the limit as the code does.
 */
const limitTests: Readonly<Record<LimitName, string>> = {
  requestBodyBytes: REQUESTS,
  idempotencyKeyLengthMin: REQUESTS,
  idempotencyKeyLengthMax: REQUESTS,
  fieldErrors: 'test/unit/validation.test.ts',
  pageLimitDefault: REQUESTS,
  pageLimitMax: REQUESTS,
  candlePoints: REQUESTS,
  walletHoldings: 'test/contract/holdings.test.ts',
  cursorLengthMin: 'test/unit/cursor.test.ts',
  cursorLengthMax: 'test/unit/cursor.test.ts',
  webhookEndpointsPerAccount: ACCOUNTS,
  webhookReplaysPerDelivery: 'test/contract/webhook-operations.test.ts',
  webhookDeadlineSeconds: 'test/unit/relay-rules.test.ts',
  webhookRedirects: 'test/integration/relay-failure-detail.test.ts',
  predictionPriceIntegerDigits: 'test/unit/prediction-rules.test.ts',
  predictionPriceFractionDigits: 'test/unit/prediction-rules.test.ts',
  pollingRetryAfterSeconds: 'test/contract/audience-exports.test.ts',
  idempotencyInProgressRetryAfterSeconds: 'test/contract/idempotency.test.ts',
  operationBodyBytes: REQUESTS,
  eventBytes: 'test/unit/event-envelope.test.ts',
  stakingLeaderboard: 'test/contract/staking-reads.test.ts',
  predictionStandings: 'test/contract/predictions-reads.test.ts',
  openLaunchesPerAccount: 'test/contract/launches.test.ts',
  openOrderSlotsPerAccount: ACCOUNTS,
  openOrdersPerAccount: ACCOUNTS,
  openOrdersPerToken: ACCOUNTS,
  orderDays: ACCOUNTS,
  orderSigningMinutes: ACCOUNTS,
  waitSeconds: 'test/unit/wait-preference.test.ts',
  landingWaitMs: 'test/contract/waiting-submissions.test.ts',
  waitingRequests: WAITS,
  waitingRequestsPerAccount: WAITS,
  waitingReads: WAITS,
  waitingReadsPerClient: WAITS,
  openAudienceExports: ACCOUNTS,
  exportBytesPerAccount: ACCOUNTS,
  streamTopics: REQUESTS,
  endpointSubjects: REQUESTS,
  followedSubjects: REQUESTS,
  followedEventDays: 'test/integration/followed-trades.test.ts',
  quotedTokens: REQUESTS,
  statsTokens: REQUESTS,
  platformFeeBps: REQUESTS,
  pricedAccounts: REQUESTS,
  landingReportDays: REQUESTS,
  landingReportIntents: 'test/contract/landing-report.test.ts',
  listedMints: REQUESTS,
  searchLength: REQUESTS,
  imageBytes: 'test/contract/images.test.ts',
  imagePixels: 'test/contract/images.test.ts',
  imageSide: 'test/contract/images.test.ts',
  imagesPerDay: 'test/contract/images.test.ts',
  imageBytesPerDay: 'test/contract/images.test.ts',
  feeClaimMints: REQUESTS,
  feeClaimIntents: 'test/integration/fee-claims.test.ts',
};

test('every limit of the contract has a test that goes to it, and no test is named for another', () => {
  const limits = Object.keys({ ...publishedLimits, ...unpublishedLimits });
  expect(Object.keys(limitTests).sort()).toEqual(limits.sort());
});

test.each(Object.entries(limitTests))('%s is named in %s', (name, file) => {
  expect(existsSync(file)).toBe(true);
  expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`\\b${name}\\b`));
});
