import { FeesClaimedSchema } from '../../features/fees/claims/schema.ts';
import { FeeDistributionSchema } from '../../features/fees/schema.ts';
import recorded from '../reference/response-examples.json' with { type: 'json' };
import { type DocumentedEvent, EXAMPLE_SIGNATURE } from './documented-event.ts';

const { intentId: _claimedBy, ...distribution } = { ...recorded.listTokenFeeDistributions.data[0] };
const [claimed] = recorded.createFeeClaims.intents;

export const feeEvents = {
  'fee_distribution.completed': {
    schema: FeeDistributionSchema,
    meaning: 'Fees of a token were paid out to one recipient, on chain.',
    data: 'One distribution as `listTokenFeeDistributions` lists it.',
    reaction: 'Book `amountLamports`; `transactionSignature` proves the payment.',
    subject: recorded.getToken.mintAddress,
    example: distribution,
  },
  'fees.claimed': {
    schema: FeesClaimedSchema,
    meaning:
      'A transaction that `createFeeClaims` prepared for your account has landed, and its claims were paid.',
    data: 'The intent, the transaction and its claims, each with what the chain paid for it.',
    reaction:
      'Book `claimedLamports`; the payments are in `listTokenFeeDistributions` with the same `intentId`. It is sent once, about when `transaction_intent.confirmed` is; a fork that drops the block is reported by `transaction_intent.reverted`.',
    subject: String(claimed?.intent.id),
    example: {
      intentId: claimed?.intent.id,
      walletAddress: recorded.createFeeClaims.walletAddress,
      transactionSignature: EXAMPLE_SIGNATURE,
      claimedLamports: claimed?.claimedLamports,
      claims: claimed?.claims.map(({ quoteRaw, baseRaw: _baseRaw, ...claim }) => ({
        ...claim,
        paidLamports: quoteRaw,
      })),
    },
  },
} satisfies Record<string, DocumentedEvent>;
