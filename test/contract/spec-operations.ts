import type { Scope } from '../../src/db/schema/accounts.ts';
import type { ProblemCode } from '../../src/shared/problem-table.ts';

/** One row of the endpoint table (spec 4), with what 4.1 lists for it. */
export interface SpecOperation {
  method: string;
  path: string;
  id: string;
  auth: 'anonymous' | 'any-key' | Scope;
  ratePolicy: string;
  success: number;
  /** Problem codes that spec 4.1, 7.3, 7.4 or D9 name for the operation itself. */
  problems: ProblemCode[];
}

function row(
  method: string,
  path: string,
  id: string,
  auth: SpecOperation['auth'],
  ratePolicy: string,
  success: number,
  problems: ProblemCode[],
): SpecOperation {
  return { method, path, id, auth, ratePolicy, success, problems };
}

const rounds = '/tokens/{mint}/prediction-rounds';

/** Transcribed by hand from api-v2.md section 4; where it says "not shown", from decisions.md D1 and D4. */
export const specOperations: readonly SpecOperation[] = [
  row('GET', '/solana/manifest', 'getSolanaManifest', 'anonymous', 'public-read-cheap', 200, [
    'manifest_unavailable',
  ]),
  row('GET', '/me', 'getApiIdentity', 'any-key', 'api-key-read', 200, ['identity_unavailable']),
  row('GET', '/tokens', 'listTokens', 'anonymous', 'public-read-cheap', 200, [
    'cursor_invalid',
    'token_index_unavailable',
  ]),
  row('GET', '/tokens/{mint}', 'getToken', 'anonymous', 'public-read-cheap', 200, [
    'token_not_found',
    'token_index_unavailable',
  ]),
  row('GET', '/wallets/{address}/holdings', 'listWalletHoldings', 'anonymous', 'public-read-expensive', 200, [
    'market_data_unavailable',
  ]),
  row('GET', '/tokens/{mint}/market', 'getTokenMarketSnapshot', 'anonymous', 'public-read-cheap', 200, [
    'token_not_found',
    'market_data_unavailable',
  ]),
  row('GET', '/tokens/{mint}/candles', 'listTokenCandles', 'anonymous', 'public-read-expensive', 200, [
    'token_not_found',
    'market_time_range_invalid',
    'market_data_unavailable',
  ]),
  row('GET', '/tokens/{mint}/trades', 'listTokenTrades', 'anonymous', 'public-read-cheap', 200, [
    'cursor_invalid',
    'token_not_found',
    'market_data_unavailable',
  ]),
  row('GET', '/tokens/{mint}/holders', 'getTokenHolderStats', 'anonymous', 'public-read-cheap', 200, [
    'token_not_found',
    'holder_stats_not_found',
    'market_data_unavailable',
  ]),
  row(
    'GET',
    '/tokens/{mint}/supply-composition',
    'getTokenSupplyComposition',
    'anonymous',
    'public-read-expensive',
    200,
    ['token_not_found'],
  ),
  row('GET', '/tokens/{mint}/staking', 'getStakingPool', 'anonymous', 'public-read-cheap', 200, [
    'staking_pool_not_found',
  ]),
  row(
    'GET',
    '/tokens/{mint}/staking/leaderboard',
    'listStakingLeaderboard',
    'anonymous',
    'public-read-expensive',
    200,
    ['staking_pool_not_found'],
  ),
  row(
    'GET',
    '/tokens/{mint}/staking/positions',
    'listOwnedStakingPositions',
    'staking:read',
    'api-key-read',
    200,
    ['staking_pool_not_found'],
  ),
  row('GET', '/tokens/{mint}/fees', 'getTokenFeeState', 'fees:read', 'api-key-read', 200, [
    'token_not_found',
  ]),
  row(
    'GET',
    '/tokens/{mint}/fee-distributions',
    'listTokenFeeDistributions',
    'fees:read',
    'api-key-read',
    200,
    ['token_not_found', 'cursor_invalid'],
  ),
  row('GET', '/presales', 'listPresales', 'anonymous', 'public-read-cheap', 200, ['cursor_invalid']),
  row('GET', '/presales/{id}', 'getPresale', 'anonymous', 'public-read-cheap', 200, ['presale_not_found']),
  row(
    'GET',
    '/presales/{id}/participation',
    'getPresaleParticipation',
    'presales:read',
    'api-key-read',
    200,
    ['presale_participation_not_found'],
  ),
  row('GET', rounds, 'listPredictionRounds', 'anonymous', 'public-read-cheap', 200, [
    'prediction_token_not_enabled',
    'cursor_invalid',
  ]),
  row('GET', `${rounds}/{roundId}`, 'getPredictionRound', 'anonymous', 'public-read-cheap', 200, [
    'prediction_round_not_found',
    'prediction_token_not_enabled',
  ]),
  row(
    'GET',
    `${rounds}/{roundId}/predictions`,
    'listRoundPredictions',
    'anonymous',
    'public-read-expensive',
    200,
    ['prediction_round_not_found', 'cursor_invalid'],
  ),
  row(
    'GET',
    `${rounds}/{roundId}/standings`,
    'listPredictionStandings',
    'anonymous',
    'public-read-expensive',
    200,
    ['prediction_round_not_found', 'prediction_exact_values_locked'],
  ),
  row(
    'GET',
    `${rounds}/{roundId}/eligibility`,
    'getPredictionEligibility',
    'predictions:read',
    'api-key-read',
    200,
    ['prediction_round_not_found', 'prediction_balance_unavailable'],
  ),
  row('GET', '/predictions/{predictionId}', 'getOwnedPrediction', 'predictions:read', 'api-key-read', 200, [
    'prediction_not_found',
  ]),
  row('POST', '/predictions', 'createPrediction', 'predictions:write', 'prediction-submit', 201, [
    'prediction_wallet_mismatch',
    'prediction_authorization_invalid',
    'prediction_intent_not_found',
    'prediction_round_not_found',
    'prediction_token_not_enabled',
    'prediction_round_not_open',
    'prediction_wallet_not_verified',
    'prediction_username_required',
    'prediction_insufficient_balance',
    'prediction_already_submitted',
    'prediction_intent_expired',
    'prediction_intent_consumed',
    'prediction_price_out_of_range',
    'prediction_balance_unavailable',
  ]),
  row('GET', '/operations/{operationId}', 'getOperation', 'operations:read', 'operation-read', 200, [
    'operation_not_found',
  ]),
  row(
    'GET',
    '/transaction-intents/{intentId}',
    'getTransactionIntent',
    'operations:read',
    'operation-read',
    200,
    ['transaction_intent_not_found'],
  ),
  row(
    'POST',
    '/transaction-intents/{intentId}/submissions',
    'submitTransactionIntent',
    'transactions:write',
    'transaction-submit',
    202,
    [
      'precondition_invalid',
      'malformed_json',
      'idempotency_key_invalid',
      'invalid_api_key',
      'insufficient_scope',
      'transaction_intent_not_found',
      'transaction_intent_not_prepared',
      'transaction_intent_expired',
      'idempotency_key_reused',
      'idempotency_request_in_progress',
      'transaction_intent_version_conflict',
      'transaction_intent_tampered',
      'transaction_intent_wrong_signer',
      'transaction_intent_invalid_signature',
      'precondition_required',
      'rate_limit_exceeded',
    ],
  ),
  row('POST', '/webhook-endpoints', 'createWebhookEndpoint', 'webhooks:write', 'webhook-admin', 201, [
    'webhook_endpoint_limit_reached',
    'webhook_url_disallowed',
  ]),
  row('GET', '/webhook-endpoints', 'listWebhookEndpoints', 'webhooks:read', 'api-key-read', 200, []),
  row('GET', '/webhook-endpoints/{endpointId}', 'getWebhookEndpoint', 'webhooks:read', 'api-key-read', 200, [
    'webhook_endpoint_not_found',
  ]),
  row(
    'PATCH',
    '/webhook-endpoints/{endpointId}',
    'updateWebhookEndpoint',
    'webhooks:write',
    'webhook-admin',
    200,
    ['webhook_endpoint_not_found', 'webhook_url_disallowed', 'precondition_failed'],
  ),
  row(
    'DELETE',
    '/webhook-endpoints/{endpointId}',
    'deleteWebhookEndpoint',
    'webhooks:write',
    'webhook-admin',
    200,
    ['webhook_endpoint_not_found', 'precondition_failed'],
  ),
  row(
    'POST',
    '/webhook-endpoints/{endpointId}/secret-rotations',
    'rotateWebhookSecret',
    'webhooks:write',
    'webhook-admin',
    201,
    ['webhook_endpoint_not_found', 'precondition_failed'],
  ),
  row(
    'GET',
    '/webhook-endpoints/{endpointId}/deliveries',
    'listWebhookDeliveries',
    'webhooks:read',
    'api-key-read',
    200,
    ['webhook_endpoint_not_found', 'cursor_invalid'],
  ),
  row(
    'POST',
    '/webhook-deliveries/{deliveryId}/replays',
    'replayWebhookDelivery',
    'webhooks:write',
    'webhook-admin',
    202,
    [
      'webhook_delivery_not_found',
      'webhook_delivery_not_replayable',
      'webhook_delivery_replay_limit_reached',
    ],
  ),
];

/** Spec 4: "Idempotency-Key required". */
export const idempotentOperations = [
  'createPrediction',
  'createWebhookEndpoint',
  'updateWebhookEndpoint',
  'deleteWebhookEndpoint',
  'rotateWebhookSecret',
  'replayWebhookDelivery',
  'submitTransactionIntent',
];

/** Spec 4: "If-Match also required". */
export const versionedOperations = [
  'submitTransactionIntent',
  'updateWebhookEndpoint',
  'deleteWebhookEndpoint',
  'rotateWebhookSecret',
];

/** Codes and statuses of spec 4.1, 7.3 and 7.4. */
export const specProblemStatuses: Readonly<Record<string, number>> = {
  invalid_api_key: 401,
  insufficient_scope: 403,
  not_found: 404,
  method_not_allowed: 405,
  validation_failed: 422,
  rate_limit_exceeded: 429,
  internal_error: 500,
  api_dependency_unavailable: 503,
  rate_limit_unavailable: 503,
  malformed_json: 400,
  unsupported_content_type: 415,
  idempotency_key_invalid: 400,
  idempotency_key_reused: 409,
  idempotency_request_in_progress: 409,
  precondition_failed: 412,
  request_body_too_large: 413,
  precondition_invalid: 400,
  precondition_required: 428,
  cursor_invalid: 400,
  token_not_found: 404,
  holder_stats_not_found: 404,
  market_time_range_invalid: 422,
  token_index_unavailable: 503,
  market_data_unavailable: 503,
  identity_unavailable: 503,
  staking_pool_not_found: 404,
  presale_not_found: 404,
  presale_participation_not_found: 404,
  manifest_unavailable: 503,
  operation_not_found: 404,
  webhook_endpoint_not_found: 404,
  webhook_delivery_not_found: 404,
  webhook_delivery_not_replayable: 409,
  webhook_endpoint_limit_reached: 409,
  webhook_delivery_replay_limit_reached: 409,
  webhook_url_disallowed: 422,
  prediction_wallet_mismatch: 403,
  prediction_authorization_invalid: 403,
  prediction_intent_not_found: 404,
  prediction_round_not_found: 404,
  prediction_not_found: 404,
  prediction_token_not_enabled: 409,
  prediction_round_not_open: 409,
  prediction_wallet_not_verified: 409,
  prediction_username_required: 409,
  prediction_insufficient_balance: 409,
  prediction_already_submitted: 409,
  prediction_intent_expired: 409,
  prediction_intent_consumed: 409,
  prediction_exact_values_locked: 409,
  prediction_price_out_of_range: 422,
  prediction_balance_unavailable: 503,
  transaction_intent_not_found: 404,
  transaction_intent_not_prepared: 409,
  transaction_intent_expired: 409,
  transaction_intent_version_conflict: 412,
  transaction_intent_tampered: 422,
  transaction_intent_wrong_signer: 422,
  transaction_intent_invalid_signature: 422,
};
