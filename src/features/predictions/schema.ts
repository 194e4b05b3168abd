import { Type } from '@sinclair/typebox';
import { AddressField, Closed, described, Named, Nullable, UuidField } from '../../shared/field-schemas.ts';
import { WalletChange } from './submissions/wallet-change.ts';

/** contract/predictions#wallets */
export const WalletSchema = Named('Wallet', {
  address: described('Address of the wallet.', AddressField),
  username: described('Name of the wallet’s owner.', Nullable(Type.String())),
  verified: described('Whether the platform has verified the wallet.', Type.Boolean()),
});

/** Wallets of one request. */
export const WALLETS_MAX = 100;

export const WalletBatch = Closed({
  wallets: Type.Array(WalletChange, { minItems: 1, maxItems: WALLETS_MAX }),
});

export const WalletBatchResult = Named('WalletBatch', {
  wallets: described('The wallets as they are now.', Type.Array(WalletSchema)),
});

export const InternalRoundPath = Type.Object({ roundId: described('Prediction round id.', UuidField) });
