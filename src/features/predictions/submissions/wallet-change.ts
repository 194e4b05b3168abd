import { type Static, Type } from '@sinclair/typebox';
import { isUsableWallet } from '../../../chain/verify-signature.ts';
import { decodeAddress } from '../../../shared/address.ts';
import { AddressField } from '../../../shared/field-schemas.ts';
import { publicTextFault } from '../../../shared/public-text.ts';
import { Refusal } from '../../../shared/refusal.ts';

/** Standings show it publicly: it must be one line without hidden characters. */
const USERNAME_LENGTH_MAX = 64;

function isUsername(text: string): boolean {
  return (
    text !== '' && [...text].length <= USERNAME_LENGTH_MAX && publicTextFault(text, { isLine: true }) === null
  );
}

/** The platform's report about a wallet; absent fields keep their value. */
export const WalletChange = Type.Object(
  {
    address: AddressField,
    username: Type.Optional(
      Type.String({
        maxLength: 2 * USERNAME_LENGTH_MAX,
        description: '1 to 64 visible characters',
        examples: ['ada'],
      }),
    ),
    verified: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type WalletChange = Static<typeof WalletChange>;

/** Checks a change. Throws Refusal. */
export function checkedWallet(change: WalletChange): WalletChange {
  const publicKey = decodeAddress(change.address);
  if (publicKey === null)
    throw new Refusal('invalid', 'address must be a base58 address of 32 bytes', '/address');
  // A signature of such a wallet proves nothing (contract/authentication#pinned-wallet).
  if (!isUsableWallet(publicKey))
    throw new Refusal('invalid', 'address is a small-order point: anyone could sign for it', '/address');
  if (change.username !== undefined && !isUsername(change.username))
    throw new Refusal(
      'invalid',
      'username must have 1 to 64 characters, without control characters, invisible ones or marks of direction',
      '/username',
    );
  return change;
}
