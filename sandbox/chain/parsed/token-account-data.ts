import { decodeMint, decodeMultisig, decodeTokenAccount } from '../token-accounts.ts';
import type { StoredAccount } from '../vm.ts';
import type { ParsedForm } from './instruction-form.ts';
import { extensionsOf } from './token-extension-states.ts';
import type { AmountDisplay } from './ui-amount.ts';

/** How amounts of a mint are shown; undefined when there is no such mint. */
export type AmountDisplays = (mint: string) => AmountDisplay | undefined;

/** A token account, mint or multisig of either token program; null when it is none of them. */
export function parsedTokenData(account: StoredAccount, displays: AmountDisplays): ParsedForm | null {
  return parsedTokenAccount(account, displays) ?? parsedMint(account) ?? parsedMultisig(account);
}

function parsedTokenAccount(account: StoredAccount, displays: AmountDisplays): ParsedForm | null {
  const token = decodeTokenAccount(account);
  const display = token === null ? undefined : displays(token.mint);
  if (token === null || display === undefined) return null;
  const reserve = token.nativeReserveLamports;
  return {
    type: 'account',
    info: {
      isNative: reserve !== null,
      mint: token.mint,
      owner: token.owner,
      state: token.state,
      tokenAmount: display(token.amount),
      ...(reserve === null ? {} : { rentExemptReserve: display(reserve) }),
      ...(token.delegate === null
        ? {}
        : { delegate: token.delegate, delegatedAmount: display(token.delegatedAmount) }),
      ...(token.closeAuthority === null ? {} : { closeAuthority: token.closeAuthority }),
      ...extensionsIfAny(account),
    },
  };
}

function parsedMint(account: StoredAccount): ParsedForm | null {
  const mint = decodeMint(account);
  if (mint === null) return null;
  return {
    type: 'mint',
    info: {
      decimals: mint.decimals,
      freezeAuthority: mint.freezeAuthority,
      isInitialized: true,
      mintAuthority: mint.mintAuthority,
      supply: mint.supply.toString(),
      ...extensionsIfAny(account),
    },
  };
}

function parsedMultisig(account: StoredAccount): ParsedForm | null {
  const multisig = decodeMultisig(account);
  if (multisig === null) return null;
  return {
    type: 'multisig',
    info: {
      numRequiredSigners: multisig.required,
      numValidSigners: multisig.valid,
      isInitialized: true,
      signers: multisig.signers,
    },
  };
}

function extensionsIfAny(account: StoredAccount): Record<string, unknown> {
  const extensions = extensionsOf(account);
  return extensions.length === 0 ? {} : { extensions };
}
