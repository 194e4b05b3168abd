import { type Static, Type } from '@sinclair/typebox';
import { participationStatuses, presaleStatuses } from '../../db/values/presales.ts';
import { paginationFields } from '../../http/lists/pages.ts';
import {
  AddressField,
  CountField,
  CreatedAtField,
  described,
  IdField,
  IntStringField,
  MintAddressField,
  Named,
  Nullable,
  OneOf,
  TimestampField,
  UpdatedAtField,
  UuidField,
  WalletAddressField,
} from '../../shared/field-schemas.ts';

const BasisPoints = Type.Integer({ minimum: 0, maximum: 10_000 });

/** contract/presales#presale */
export const PresaleSchema = Named('Presale', {
  id: IdField,
  mintAddress: MintAddressField,
  status: described('State of the record.', OneOf(presaleStatuses)),
  allocationsBps: described(
    'How the supply is divided, in basis points.',
    Type.Object({
      burn: described('Share that is burnt.', BasisPoints),
      pool: described('Part that goes into the pool.', BasisPoints),
      sale: described('Share that is sold.', BasisPoints),
    }),
  ),
  creatorCommitmentLamports: described('Lamports that the creator has to deposit.', IntStringField),
  minCapLamports: described('Minimum for the presale to succeed.', IntStringField),
  maxCapLamports: described('Maximum that the presale accepts.', IntStringField),
  perWalletCapLamports: described('Maximum that one wallet may deposit.', IntStringField),
  totalDepositedLamports: described('Lamports that all wallets deposited.', IntStringField),
  participantCount: described('Wallets that take part.', CountField),
  publicStartAt: described('From this time on deposits count.', TimestampField),
  deadline: described('From this time on no deposit counts.', TimestampField),
  createdAt: CreatedAtField,
  updatedAt: UpdatedAtField,
});
export type Presale = Static<typeof PresaleSchema>;

/** A draft is not public (contract/presales#drafts). */
export type PublicPresaleStatus = Exclude<(typeof presaleStatuses)[number], 'draft'>;
const publicStatuses = presaleStatuses.filter((status) => status !== 'draft');

export const PresalesQuery = Type.Object({
  ...paginationFields,
  status: described('Only presales with this status.', Type.Optional(OneOf(publicStatuses))),
  mint: described('Only presales of this token.', Type.Optional(AddressField)),
});

export const PresalePath = Type.Object({ id: described('Presale id.', UuidField) });

/** Deposits, refunds and claims of the key's wallet (contract/presales#participation). */
export const PresaleParticipationSchema = Named('PresaleParticipation', {
  presaleId: described('The presale.', UuidField),
  walletAddress: WalletAddressField,
  status: described('State of the record.', OneOf(participationStatuses)),
  depositedLamports: described('Lamports that the wallet deposited.', IntStringField),
  refundedLamports: described('Lamports that were refunded to the wallet.', IntStringField),
  allocationRaw: described(
    'Base units that the wallet may claim; null before settlement.',
    Nullable(IntStringField),
  ),
  claimedRaw: described('Base units that were claimed.', IntStringField),
  createdAt: CreatedAtField,
  updatedAt: UpdatedAtField,
});
export type Participation = Static<typeof PresaleParticipationSchema>;
