export interface ProblemDefinition {
  status: number;
  /** Status on reads, where it differs (contract/endpoints#problems). */
  readStatus?: number;
  /** `Retry-After` of a 503 that does not end soon; 1 s where it is absent. */
  retryAfterSeconds?: number;
  /** Short stable summary. */
  title: string;
  /** Public explanation for an occurrence without a more precise one. */
  detail: string;
}

/** Wait after a permanent refusal (contract/responses#retry-after). */
export const LASTING_RETRY_AFTER_SECONDS = 3_600;

/**
 * The closed table of problems (contract/endpoints#problems): code → status, title, default detail.
 * Codes are append-only: clients branch on them (contract/versioning#stable-codes).
 */
export const problemTable = {
  // Any operation
  not_found: problem(404, 'Not found', 'No route matches this path.'),
  method_not_allowed: problem(405, 'Method not allowed', 'This path does not support the method.'),
  request_body_too_large: problem(
    413,
    'Request body too large',
    'The body is larger than its operation takes.',
  ),
  invalid_api_key: problem(
    401,
    'Invalid API key',
    'The API key is missing, malformed, unknown, expired, revoked or of another environment.',
  ),
  insufficient_scope: problem(
    403,
    'Insufficient scope',
    'The API key does not carry every scope of this operation.',
  ),
  rate_limit_exceeded: problem(429, 'Rate limit exceeded', 'Too many requests under this rate policy.'),
  stream_limit_reached: problem(429, 'Too many streams', 'The maximum number of streams is open.'),
  rate_limit_unavailable: problem(
    503,
    'Rate limiter unavailable',
    'The rate limiter cannot be reached; the request was not processed.',
  ),
  unsupported_content_type: problem(
    415,
    'Unsupported content type',
    'The body must be sent as application/json.',
  ),
  idempotency_key_invalid: problem(
    400,
    'Invalid idempotency key',
    'Idempotency-Key must be 8 to 128 printable ASCII characters.',
  ),
  precondition_required: problem(428, 'Precondition required', 'If-Match is required.'),
  precondition_invalid: problem(
    400,
    'Invalid precondition',
    'If-Match must be one strong ETag that holds a positive integer, in quotes: "3".',
  ),
  malformed_json: problem(400, 'Malformed JSON', 'The body is not valid JSON in UTF-8.'),
  validation_failed: problem(422, 'Validation failed', 'One or more fields are invalid.'),
  cursor_invalid: problem(
    400,
    'Invalid cursor',
    'The cursor is malformed, altered, or belongs to another query.',
  ),
  idempotency_key_reused: problem(409, 'Idempotency key reused', 'The key was used for a different request.'),
  idempotency_request_in_progress: problem(
    409,
    'Request in progress',
    'The first attempt with this key is still running.',
  ),
  precondition_failed: problem(
    412,
    'Precondition failed',
    'If-Match does not match the version of the resource.',
  ),
  internal_error: problem(500, 'Internal error', 'The request could not be completed.'),
  api_dependency_unavailable: problem(503, 'Dependency unavailable', 'A backing dependency is unavailable.'),
  // Identity and chain
  api_key_not_found: problem(404, 'API key not found', 'No API key of this account has this id.'),
  identity_unavailable: problem(503, 'Identity unavailable', 'The key store cannot be reached.'),
  manifest_unavailable: problem(503, 'Manifest unavailable', 'The chain has not been reached yet.'),
  // Tokens and market data
  token_not_found: problem(404, 'Token not found', 'No visible token has this mint address.'),
  holder_stats_not_found: problem(404, 'Holder statistics not found', 'No holder snapshot is indexed yet.'),
  market_time_range_invalid: problem(
    422,
    'Invalid time range',
    'The window is empty, reversed, or holds more than 1,000 points.',
  ),
  token_index_unavailable: problem(503, 'Token index unavailable', 'The token index cannot be reached.'),
  market_data_unavailable: problem(503, 'Market data unavailable', 'Market data cannot be read.'),
  // Trading
  send_route_unavailable: problem(
    409,
    'Send route unavailable',
    'This deployment has no address for transactions of this route.',
  ),
  token_not_tradable: problem(409, 'Token not tradable', 'The token has no pool that takes swaps now.'),
  swap_amount_out_of_range: problem(
    422,
    'Swap amount out of range',
    'The amount is zero, too small to produce any output, or more than the pool can fill.',
  ),
  swap_refused: problem(409, 'Swap refused', 'The chain would refuse this swap now.'),
  swap_quote_outdated: problem(
    409,
    'Quote outdated',
    'The pool has moved beyond the limit of the earlier quote.',
  ),
  platform_fee_account_missing: problem(
    409,
    'No fee account',
    'The operator has registered no account for platform fees of this customer.',
  ),
  platform_fee_account_unusable: problem(
    409,
    'Fee account unusable',
    'The registered account cannot get this platform fee.',
  ),
  chain_unavailable: problem(503, 'Chain unavailable', 'No node of the chain gives a usable response.'),
  // Fees, staking and presales
  fee_claims_empty: problem(
    409,
    'Nothing to claim',
    'The wallet has nothing to claim that this request asks for.',
  ),
  fee_claims_refused: problem(409, 'Claims refused', 'The chain would refuse these claims now.'),
  fee_state_not_found: problem(404, 'Fee state not found', 'The fees of this token were not read yet.'),
  staking_pool_not_found: problem(
    404,
    'Staking pool not found',
    'Staking is not enabled, or the pool is not indexed yet.',
  ),
  presale_not_found: problem(404, 'Presale not found', 'No public presale has this id.'),
  presale_participation_not_found: problem(
    404,
    'Participation not found',
    'The wallet has not participated in this presale.',
  ),
  // Predictions
  prediction_wallet_mismatch: problem(
    403,
    'Wallet mismatch',
    'walletAddress is not the wallet of the API key.',
  ),
  prediction_authorization_invalid: problem(
    403,
    'Invalid authorization',
    'The delegated intent is not signed by its wallet.',
  ),
  prediction_intent_not_found: problem(
    404,
    'Prediction intent not found',
    'No delegated intent exists for this prediction.',
  ),
  prediction_round_not_found: problem(404, 'Prediction round not found', 'No prediction round has this id.'),
  prediction_not_found: problem(404, 'Prediction not found', 'No prediction of this account has this id.'),
  prediction_token_not_enabled: {
    ...problem(409, 'Predictions not enabled', 'The token has no prediction allocation.'),
    readStatus: 404,
  },
  prediction_round_not_open: problem(409, 'Round not open', 'The round does not accept predictions now.'),
  prediction_wallet_not_verified: problem(409, 'Wallet not verified', 'The wallet is not verified.'),
  prediction_username_required: problem(409, 'Username required', 'The wallet has no username.'),
  prediction_insufficient_balance: problem(
    409,
    'Insufficient balance',
    'The finalized balance is below the minimum of the round.',
  ),
  prediction_already_submitted: problem(
    409,
    'Already submitted',
    'The wallet has a prediction in this round.',
  ),
  prediction_intent_expired: problem(409, 'Prediction intent expired', 'The delegated intent has expired.'),
  prediction_intent_consumed: problem(
    409,
    'Prediction intent consumed',
    'The delegated intent was used before.',
  ),
  prediction_exact_values_locked: problem(
    409,
    'Exact values locked',
    'Standings exist only after the round has locked.',
  ),
  prediction_price_out_of_range: problem(
    422,
    'Price out of range',
    'The price must be positive, with at most 12 integer and 18 fractional digits.',
  ),
  prediction_balance_unavailable: problem(
    503,
    'Balance unavailable',
    'The finalized balance cannot be read.',
  ),
  // Operations and transaction intents
  operation_not_found: problem(404, 'Operation not found', 'No operation of this account has this id.'),
  operation_not_cancellable: problem(
    409,
    'Operation not cancellable',
    'The operation has ended, or its account did not start it.',
  ),
  operation_limit_reached: problem(
    409,
    'Operation limit reached',
    'The account has the maximum number of unfinished operations of this kind, or their files have the maximum size.',
  ),
  transaction_intent_not_found: problem(
    404,
    'Transaction intent not found',
    'No transaction intent of this account has this id.',
  ),
  transaction_intent_not_prepared: problem(
    409,
    'Intent not prepared',
    'The intent no longer awaits a signature.',
  ),
  transaction_intent_expired: problem(
    409,
    'Intent expired',
    'The blockhash window of the intent has closed; a fresh intent is needed.',
  ),
  transaction_intent_version_conflict: problem(
    412,
    'Version conflict',
    'The version is not the current version of the intent.',
  ),
  landing_report_range_invalid: problem(
    422,
    'Invalid range of a report',
    'The range is empty, reversed, too long, or has too many intents.',
  ),
  transaction_intent_tampered: problem(
    422,
    'Transaction tampered',
    'The signed transaction differs from the prepared one.',
  ),
  transaction_intent_wrong_signer: problem(422, 'Wrong signer', 'The expected signer is another wallet.'),
  transaction_intent_invalid_signature: problem(
    422,
    'Invalid signature',
    'The signature of the expected signer does not verify.',
  ),
  // Launches
  launches_unavailable: {
    ...problem(503, 'Launches unavailable', 'This deployment launches no tokens.'),
    retryAfterSeconds: LASTING_RETRY_AFTER_SECONDS,
  },
  launch_not_found: problem(404, 'Launch not found', 'No launch of this account has this id.'),
  launch_limit_reached: problem(
    409,
    'Launch limit reached',
    'An account has at most 20 launches that have not ended.',
  ),
  launch_config_not_found: problem(
    404,
    'Launch config not found',
    'No launch config of this deployment has this name.',
  ),
  launch_buy_out_of_range: problem(
    422,
    'Initial buy out of range',
    'The curve does not take an initial buy of this amount.',
  ),
  launch_refused: problem(409, 'Launch refused', 'The chain would refuse the launch now.'),
  // Images
  images_unavailable: {
    ...problem(503, 'Images unavailable', 'This deployment stores no images.'),
    retryAfterSeconds: LASTING_RETRY_AFTER_SECONDS,
  },
  image_invalid: problem(422, 'Invalid image', 'The file is no image that can be stored.'),
  image_limit_reached: problem(
    409,
    'Image limit reached',
    'The account has uploaded as many images, or as many bytes of them, as it may in a day.',
  ),
  creator_transfer_refused: problem(
    409,
    'Change of creator refused',
    'The pool of the token cannot be given to another creator now.',
  ),
  // Orders
  orders_unavailable: problem(503, 'Orders unavailable', 'No worker of this deployment can send orders now.'),
  order_slot_not_found: problem(404, 'Order slot not found', 'No order slot of this account has this id.'),
  order_slot_not_ready: problem(
    409,
    'Order slot not ready',
    'Only a slot that is ready can be used or closed.',
  ),
  order_slot_exists: problem(
    409,
    'Order slot exists',
    'Another slot of this account has this nonce account.',
  ),
  order_slot_limit_reached: problem(
    409,
    'Order slot limit reached',
    'An account has at most 20 order slots that are not closed.',
  ),
  order_slot_refused: problem(409, 'Order slot refused', 'The chain would refuse the transaction now.'),
  nonce_account_unusable: problem(
    422,
    'Nonce account unusable',
    'The wallet of the key cannot advance a nonce of this account.',
  ),
  order_slot_in_use: problem(
    409,
    'Order slot in use',
    'The slot holds an order of another group that has not ended.',
  ),
  order_limit_reached: problem(
    409,
    'Order limit reached',
    'An account has at most 100 orders that have not ended, and 20 of one token.',
  ),
  order_not_found: problem(404, 'Order not found', 'No order of this account has this id.'),
  order_not_unsigned: problem(409, 'Order not unsigned', 'Only an unsigned order takes signatures.'),
  order_nonce_spent: problem(
    409,
    'Nonce spent',
    'The nonce that the order is signed over has advanced: its transactions can never land.',
  ),
  order_not_cancellable: problem(
    409,
    'Order not cancellable',
    'The order was sent, or its transactions can never land.',
  ),
  // Webhooks
  webhook_endpoint_not_found: problem(
    404,
    'Webhook endpoint not found',
    'No webhook endpoint of this account has this id.',
  ),
  webhook_delivery_not_found: problem(
    404,
    'Webhook delivery not found',
    'No delivery of this account has this id.',
  ),
  webhook_delivery_not_replayable: problem(
    409,
    'Delivery not replayable',
    'Only succeeded and dead-lettered deliveries can be replayed.',
  ),
  webhook_delivery_not_retrying: problem(
    409,
    'Delivery not retrying',
    'Only a delivery that waits for its next attempt can be sent early.',
  ),
  event_not_found: problem(404, 'Event not found', 'No event that this key may read has this id.'),
  webhook_endpoint_limit_reached: problem(
    409,
    'Endpoint limit reached',
    'An account holds at most 20 webhook endpoints.',
  ),
  webhook_delivery_replay_limit_reached: problem(
    409,
    'Replay limit reached',
    'A delivery can be replayed at most 10 times.',
  ),
  webhook_endpoint_disabled: problem(
    409,
    'Webhook endpoint disabled',
    'The endpoint is disabled: nothing is sent to it.',
  ),
  webhook_url_disallowed: problem(422, 'Webhook URL disallowed', 'The URL policy refuses this destination.'),
  // The internal API alone
  internal_state_conflict: problem(
    409,
    'State conflict',
    'The record is not in a state that allows this request.',
  ),
} as const satisfies Record<string, ProblemDefinition>;

export type ProblemCode = keyof typeof problemTable;

export function problemStatus(code: ProblemCode, method: string | undefined): number {
  const definition: ProblemDefinition = problemTable[code];
  return (method === 'GET' ? definition.readStatus : undefined) ?? definition.status;
}

function problem<const Status extends number>(status: Status, title: string, detail: string) {
  return { status, title, detail };
}
