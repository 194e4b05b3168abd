import { Type } from '@sinclair/typebox';
import { AddressField, Nullable, UuidField } from '../../shared/field-schemas.ts';
import { WalletChange } from './submissions/wallet-change.ts';

/** contract/predictions#wallets */
export const WalletSchema = Type.Object(
  { address: AddressField, username: Nullable(Type.String()), verified: Type.Boolean() },
  { $id: 'Wallet', additionalProperties: false },
);

/** Wallets of one request. */
export const WALLETS_MAX = 100;

export const WalletBatch = Type.Object(
  { wallets: Type.Array(WalletChange, { minItems: 1, maxItems: WALLETS_MAX }) },
  { additionalProperties: false },
);

export const WalletBatchResult = Type.Object(
  { wallets: Type.Array(WalletSchema) },
  { $id: 'WalletBatch', additionalProperties: false },
);

export const InternalRoundPath = Type.Object({ roundId: UuidField });
