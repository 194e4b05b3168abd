import { eventType } from '../../shared/events/catalogue.ts';
import recorded from '../reference/response-examples.json' with { type: 'json' };

const SIGNATURE = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';
const KEY_ID = '7Kq2LmNpRsTv4fGh';
const LATER = '2026-11-25T10:00:00.000Z';

const {
  getToken: token,
  getPresale: presale,
  getPredictionRound: round,
  getOwnedPrediction: prediction,
  createCreatorTransfer: transfer,
} = recorded;
const created = recorded.listEvents.data.find(({ type }) => type === eventType('launch.created'));
const [trade] = recorded.listTokenTrades.data;
const { intentId: _claimedBy, ...distribution } = { ...recorded.listTokenFeeDistributions.data[0] };
const [claimed] = recorded.createFeeClaims.intents;
const operation = { ...recorded.getOperation, resultUrl: null };
const { serializedTransaction: _transaction, ...submitted } = recorded.submitTransactionIntent;
const intent = { ...submitted, transactionSignature: null, completedAt: null };
const { serializedTransaction: _landed, ...landed } = recorded.getTransactionIntent;
const {
  pausedUntil: _pausedUntil,
  pauseReason: _pauseReason,
  signingKeyIds: _signingKeyIds,
  warnings: _warnings,
  ...endpoint
} = recorded.getWebhookEndpoint;

const { order: cancelled } = recorded.cancelOrder;
const order = recorded.signOrder;
const triggered = {
  ...order,
  status: 'triggered',
  version: 3,
  triggeredBy: {
    tradeId: trade?.id,
    slot: trade?.slot,
    price: trade?.pricePerTokenInSol,
    at: LATER,
  },
};
const sent = {
  ...triggered,
  version: 5,
  intentId: landed.id,
  transactionSignature: SIGNATURE,
  completedAt: LATER,
};

/**
 * An example of `subject` and `data` for each event: records of a running sandbox (`npm run examples:write`), in the state
 * that the event reports.
 */
export const eventExamples = {
  'launch.created': { subject: token.mintAddress, data: { ...created?.body.data } },
  'launch.graduated': {
    subject: token.mintAddress,
    data: { ...token, status: 'graduated', solCollectedInSol: '85', graduatedAt: LATER },
  },
  'launch.failed': {
    subject: token.mintAddress,
    data: { ...token, status: 'failed', currentPriceInSol: null, marketCapInSol: null, launchedAt: null },
  },
  'token.curve_completed': {
    subject: token.mintAddress,
    data: { ...token, status: 'graduating_migration_pending', solCollectedInSol: '85' },
  },
  'token.creator_changed': {
    subject: transfer.mintAddress,
    data: {
      mintAddress: transfer.mintAddress,
      poolAddress: transfer.poolAddress,
      creatorWallet: transfer.newCreatorWallet,
      previousCreatorWallet: transfer.creatorWallet,
      slot: String(BigInt(transfer.slot) + 12n),
    },
  },
  'wallet.traded': { subject: trade?.traderWallet ?? '', data: { ...trade } },
  'token.traded': { subject: token.mintAddress, data: { ...trade } },
  'presale.opened': { subject: presale.id, data: { ...presale, status: 'active' } },
  'presale.settled': {
    subject: presale.id,
    data: {
      ...presale,
      status: 'settled',
      totalDepositedLamports: presale.maxCapLamports,
      participantCount: 84,
    },
  },
  'presale.failed': { subject: presale.id, data: { ...presale, status: 'failed' } },
  'prediction_round.opened': { subject: round.id, data: { ...round, status: 'open' } },
  'prediction_round.locked': {
    subject: round.id,
    data: { ...round, status: 'locked', lockedAt: round.locksAt },
  },
  'prediction_round.settled': {
    subject: round.id,
    data: {
      ...round,
      status: 'settled',
      lockedAt: round.locksAt,
      settledAt: round.settlesAt,
      settlementPriceInSol: token.currentPriceInSol,
    },
  },
  'prediction_round.voided': { subject: round.id, data: { ...round, status: 'voided' } },
  'prediction.submitted': { subject: prediction.id, data: prediction },
  'fee_distribution.completed': { subject: token.mintAddress, data: distribution },
  'fees.claimed': {
    subject: String(claimed?.intent.id),
    data: {
      intentId: claimed?.intent.id,
      walletAddress: recorded.createFeeClaims.walletAddress,
      transactionSignature: SIGNATURE,
      claimedLamports: claimed?.claimedLamports,
      claims: claimed?.claims.map(({ quoteRaw, baseRaw: _baseRaw, ...claim }) => ({
        ...claim,
        paidLamports: quoteRaw,
      })),
    },
  },
  'operation.succeeded': { subject: operation.id, data: operation },
  'operation.failed': {
    subject: operation.id,
    data: {
      ...operation,
      status: 'failed',
      error: {
        type: 'https://api.example/docs/reference/errors#api_dependency_unavailable',
        title: 'Dependency unavailable',
        status: 503,
        detail: 'A backing dependency is unavailable.',
        instance: `/api/v2/operations/${operation.id}`,
        code: 'api_dependency_unavailable',
        requestId: 'req_4bf92f3577b34da6a3ce929d0e0e4736',
      },
    },
  },
  'operation.cancelled': {
    subject: operation.id,
    data: { ...operation, status: 'cancelled', progress: { completed: 0, total: 40 }, startedAt: null },
  },
  'transaction_intent.prepared': {
    subject: intent.id,
    data: { ...intent, status: 'prepared', version: 1, submittedAt: null },
  },
  'transaction_intent.submitted': { subject: intent.id, data: intent },
  'transaction_intent.confirmed': {
    subject: intent.id,
    data: {
      ...intent,
      status: 'confirmed',
      transactionSignature: SIGNATURE,
      finality: 'confirmed',
      version: 3,
      completedAt: intent.expiresAt,
    },
  },
  'transaction_intent.failed': {
    subject: intent.id,
    data: {
      ...intent,
      status: 'failed',
      transactionSignature: SIGNATURE,
      error: { code: 'solana_transaction_failed', detail: 'The chain reported that the transaction failed.' },
      finality: 'confirmed',
      version: 3,
      completedAt: intent.expiresAt,
    },
  },
  'transaction_intent.expired': {
    subject: intent.id,
    data: { ...intent, status: 'expired', submittedAt: null, completedAt: intent.expiresAt },
  },
  'transaction_intent.finalized': {
    subject: landed.id,
    data: { ...landed, finality: 'finalized', version: 5 },
  },
  'transaction_intent.reverted': {
    subject: landed.id,
    data: { ...landed, landed: null, finality: 'reverted', version: 5 },
  },
  'order.opened': { subject: order.id, data: order },
  'order.triggered': { subject: order.id, data: triggered },
  'order.landed': { subject: order.id, data: { ...sent, status: 'landed', landed: landed.landed } },
  'order.failed': {
    subject: order.id,
    data: { ...sent, status: 'failed', reason: 'transaction_failed' },
  },
  'order.cancelled': {
    subject: order.id,
    data: cancelled,
  },
  'order.expired': {
    subject: order.id,
    data: { ...order, status: 'expired', reason: 'not_triggered', version: 3, completedAt: order.expiresAt },
  },
  'order.voided': {
    subject: order.id,
    data: { ...order, status: 'voided', reason: 'nonce_spent', version: 3, completedAt: LATER },
  },
  'webhook_endpoint.failing': {
    subject: endpoint.id,
    data: { ...endpoint, failingSince: endpoint.updatedAt },
  },
  'webhook_endpoint.disabled': {
    subject: endpoint.id,
    data: { ...endpoint, status: 'disabled', disabledReason: 'failing', version: 2, updatedAt: LATER },
  },
  'webhook_endpoint.created': { subject: endpoint.id, data: { ...endpoint, byKeyId: KEY_ID } },
  'webhook_endpoint.changed': {
    subject: endpoint.id,
    data: { ...endpoint, version: 2, updatedAt: LATER, byKeyId: KEY_ID, changes: ['url', 'eventTypes'] },
  },
  'webhook_endpoint.secret_rotated': {
    subject: endpoint.id,
    data: { ...endpoint, secretRotatedAt: LATER, version: 2, updatedAt: LATER, byKeyId: KEY_ID },
  },
  'api_key.revoked': {
    subject: '4fGh7Kq2LmNpRsTv',
    data: {
      keyId: '4fGh7Kq2LmNpRsTv',
      name: 'reports',
      revokedAt: LATER,
      revokedByKeyId: KEY_ID,
    },
  },
  'webhook.ping': { subject: endpoint.id, data: { endpointId: endpoint.id } },
};
