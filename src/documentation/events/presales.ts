import { PresaleSchema } from '../../features/presales/schema.ts';
import recorded from '../reference/response-examples.json' with { type: 'json' };
import type { DocumentedEvent } from './documented-event.ts';

const { getPresale: presale } = recorded;

const presaleRecord = {
  schema: PresaleSchema,
  data: 'The presale as `getPresale` returns it.',
  subject: presale.id,
};

export const presaleEvents = {
  'presale.opened': {
    ...presaleRecord,
    meaning: 'A presale accepts deposits now.',
    reaction: 'Deposit before `deadline`, within `perWalletCapLamports`.',
    example: { ...presale, status: 'active' },
  },
  'presale.settled': {
    ...presaleRecord,
    meaning: 'A presale has reached its minimum and was settled; allocations can be claimed.',
    reaction: 'Read the allocation of your wallet with `getPresaleParticipation`.',
    example: {
      ...presale,
      status: 'settled',
      totalDepositedLamports: presale.maxCapLamports,
      participantCount: 84,
    },
  },
  'presale.failed': {
    ...presaleRecord,
    meaning: 'A presale has missed its minimum, and deposits were refunded.',
    reaction: 'Check that `refundedLamports` of your participation equals your deposit.',
    example: { ...presale, status: 'failed' },
  },
} satisfies Record<string, DocumentedEvent>;
