/**
 * The limits that the manifest publishes (contract/limits#numbers). Code that enforces one imports it from
 * here.
 */
export const publishedLimits = {
  requestBodyBytes: 1_048_576,
  idempotencyKeyLengthMin: 8,
  idempotencyKeyLengthMax: 128,
  fieldErrors: 100,
  pageLimitDefault: 50,
  pageLimitMax: 100,
  candlePoints: 1_000,
  walletHoldings: 500,
  cursorLengthMin: 16,
  cursorLengthMax: 2_048,
  webhookEndpointsPerAccount: 20,
  webhookReplaysPerDelivery: 10,
  webhookDeadlineSeconds: 10,
  webhookRedirects: 3,
  predictionPriceIntegerDigits: 12,
  predictionPriceFractionDigits: 18,
  pollingRetryAfterSeconds: 2,
} as const;

/** Limits of the contract that the manifest leaves out. */
export const unpublishedLimits = {
  idempotencyInProgressRetryAfterSeconds: 1,
  eventBytes: 65_536,
  stakingLeaderboard: 100,
  predictionStandings: 500,
  openLaunchesPerAccount: 20,
  waitSeconds: 25,
  waitingRequests: 10_000,
  waitingRequestsPerAccount: 1_000,
  waitingReads: 5_000,
  waitingReadsPerClient: 50,
  openAudienceExports: 5,
  exportBytesPerAccount: 2_147_483_648,
  streamTopics: 100,
  endpointSubjects: 100,
  followedSubjects: 1_000,
  followedEventDays: 7,
  quotedTokens: 20,
  statsTokens: 100,
  platformFeeBps: 500,
  pricedAccounts: 16,
  landingReportDays: 31,
  landingReportIntents: 50_000,
  listedMints: 100,
  searchLength: 64,
} as const;
