const MINT = '7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw';
const WALLET = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';
const ID = '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e';
const OTHER_ID = '0191e7a4-7b2f-7c4d-8e6f-1a2b3c4d5e6f';
const SIGNATURE = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';
const TIME = '2026-11-20T10:00:00.000Z';
const LATER = '2026-11-20T10:00:14.250Z';
const NEXT_DAY = '2026-11-21T10:00:00.000Z';

const token = {
  mintAddress: MINT,
  creatorWallet: WALLET,
  name: 'Harbor Light',
  symbol: 'HARBOR',
  description: null,
  imageUrl: 'https://cdn.example/harbor.png',
  decimals: 6,
  totalSupply: '1000000000',
  currentPriceInSol: '0.000000029295',
  marketCapInSol: '29.295',
  solCollectedInSol: '0',
  launchType: 'dbc',
  status: 'bonding',
  launchedAt: TIME,
  graduatedAt: null,
  links: { telegram: null, twitter: 'https://x.com/harborlight', website: 'https://harbor.example/' },
};

const pool = {
  poolAddress: '8Yv2jmA5WxQ7dRk3hLzTfC9pBnE4sGuM1KqXoV6wDPhJ',
  programAddress: 'dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN',
  quoteMint: 'So11111111111111111111111111111111111111112',
  baseReserveRaw: '1000000000000000',
  quoteReserveRaw: '0',
  spotPriceInSol: '0.000000029295',
  slot: '312456789',
};

const presale = {
  id: ID,
  mintAddress: MINT,
  status: 'active',
  allocationsBps: { burn: 0, pool: 4_000, sale: 6_000 },
  creatorCommitmentLamports: '5000000000',
  minCapLamports: '50000000000',
  maxCapLamports: '200000000000',
  perWalletCapLamports: '2000000000',
  totalDepositedLamports: '5000000000',
  participantCount: 1,
  publicStartAt: TIME,
  deadline: NEXT_DAY,
  createdAt: TIME,
  updatedAt: TIME,
};

const round = {
  id: ID,
  mintAddress: MINT,
  status: 'open',
  minimumBalanceRaw: '1000000',
  prizePoolLamports: '10000000000',
  requiresDelegatedIntent: false,
  opensAt: TIME,
  locksAt: NEXT_DAY,
  settlesAt: '2026-11-22T10:00:00.000Z',
  lockedAt: null,
  settledAt: null,
  settlementPriceInSol: null,
  voidReason: null,
  participantCount: 0,
  createdAt: '2026-11-19T10:00:00.000Z',
  updatedAt: TIME,
};

const prediction = {
  id: OTHER_ID,
  roundId: ID,
  mintAddress: MINT,
  walletAddress: WALLET,
  predictedPriceInSol: '0.000000031',
  status: 'accepted',
  evaluationSlot: '312456789',
  balanceRaw: '2500000',
  submittedAt: LATER,
  rank: null,
  distancePpm: null,
  payoutLamports: null,
};

const distribution = {
  id: ID,
  mintAddress: MINT,
  recipientWallet: WALLET,
  role: 'creator',
  amountLamports: '125000000',
  transactionSignature: SIGNATURE,
  slot: '312456789',
  distributedAt: TIME,
};

const operation = {
  id: ID,
  kind: 'delivery_replay',
  status: 'succeeded',
  progress: { completed: 40, total: 40, unit: 'deliveries' },
  createdAt: TIME,
  startedAt: TIME,
  completedAt: LATER,
  resultUrl: null,
  error: null,
};

const intent = {
  id: ID,
  kind: 'launch',
  status: 'submitted',
  expectedSigner: WALLET,
  recentBlockhash: 'EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N',
  lastValidBlockHeight: '290456789',
  policy: {
    allowedPrograms: ['11111111111111111111111111111111'],
    maxComputeUnitPrice: null,
    requireSimulation: false,
  },
  transactionSignature: null,
  error: null,
  version: 2,
  expiresAt: '2026-11-20T10:01:00.000Z',
  createdAt: TIME,
  submittedAt: LATER,
  completedAt: null,
};

const endpoint = {
  id: ID,
  purpose: 'subscription',
  url: 'https://bot.example/launchwire',
  description: 'trading bot',
  eventTypes: ['build.service.launch.*'],
  subjects: null,
  status: 'disabled',
  disabledReason: 'failing',
  secretRotatedAt: TIME,
  previousSecretExpiresAt: null,
  version: 2,
  createdAt: '2026-11-01T10:00:00.000Z',
  updatedAt: LATER,
};

/** An example of `subject` and `data` for each event. */
export const eventExamples = {
  'launch.created': { subject: MINT, data: { ...token, pool } },
  'launch.graduated': {
    subject: MINT,
    data: { ...token, status: 'graduated', solCollectedInSol: '85', graduatedAt: NEXT_DAY },
  },
  'launch.failed': {
    subject: MINT,
    data: { ...token, status: 'failed', currentPriceInSol: null, marketCapInSol: null, launchedAt: null },
  },
  'token.curve_completed': {
    subject: MINT,
    data: { ...token, status: 'graduating_migration_pending', solCollectedInSol: '85' },
  },
  'presale.opened': { subject: ID, data: presale },
  'presale.settled': {
    subject: ID,
    data: { ...presale, status: 'settled', totalDepositedLamports: '120000000000', participantCount: 84 },
  },
  'presale.failed': {
    subject: ID,
    data: { ...presale, status: 'failed', totalDepositedLamports: '12000000000', participantCount: 9 },
  },
  'prediction_round.opened': { subject: ID, data: round },
  'prediction_round.locked': {
    subject: ID,
    data: { ...round, status: 'locked', lockedAt: NEXT_DAY, participantCount: 42 },
  },
  'prediction_round.settled': {
    subject: ID,
    data: {
      ...round,
      status: 'settled',
      lockedAt: NEXT_DAY,
      settledAt: '2026-11-22T10:00:01.000Z',
      settlementPriceInSol: '0.00000003142',
      participantCount: 42,
    },
  },
  'prediction_round.voided': { subject: ID, data: { ...round, status: 'voided' } },
  'prediction.submitted': { subject: OTHER_ID, data: prediction },
  'fee_distribution.completed': { subject: MINT, data: distribution },
  'operation.succeeded': { subject: ID, data: operation },
  'operation.failed': {
    subject: ID,
    data: {
      ...operation,
      status: 'failed',
      progress: { completed: 12, total: 40, unit: 'deliveries' },
      error: {
        type: 'https://api.example/docs/reference/errors#api_dependency_unavailable',
        title: 'Dependency unavailable',
        status: 503,
        detail: 'A backing dependency is unavailable.',
        instance: `/api/v2/operations/${ID}`,
        code: 'api_dependency_unavailable',
        requestId: 'req_4bf92f3577b34da6a3ce929d0e0e4736',
      },
    },
  },
  'operation.cancelled': {
    subject: ID,
    data: { ...operation, status: 'cancelled', progress: { completed: 0, total: 40 }, startedAt: null },
  },
  'transaction_intent.prepared': {
    subject: ID,
    data: { ...intent, status: 'prepared', version: 1, submittedAt: null },
  },
  'transaction_intent.submitted': { subject: ID, data: intent },
  'transaction_intent.confirmed': {
    subject: ID,
    data: { ...intent, status: 'confirmed', transactionSignature: SIGNATURE, version: 3, completedAt: LATER },
  },
  'transaction_intent.failed': {
    subject: ID,
    data: {
      ...intent,
      status: 'failed',
      transactionSignature: SIGNATURE,
      error: { code: 'solana_transaction_failed', detail: 'The chain reported that the transaction failed.' },
      version: 3,
      completedAt: LATER,
    },
  },
  'transaction_intent.expired': {
    subject: ID,
    data: { ...intent, status: 'expired', submittedAt: null, completedAt: LATER },
  },
  'webhook_endpoint.failing': {
    subject: ID,
    data: { ...endpoint, status: 'enabled', disabledReason: null, version: 1, failingSince: TIME },
  },
  'webhook_endpoint.disabled': { subject: ID, data: endpoint },
  'webhook.ping': { subject: ID, data: { endpointId: ID } },
};
