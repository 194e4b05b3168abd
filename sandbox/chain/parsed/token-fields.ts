import type { ByteReader } from '../byte-reader.ts';
import { EXTENSION_NAMES } from './extension-names.ts';
import { type Field, type Layout, nameAt } from './field-layouts.ts';
import type { AuthorityNames } from './instruction-form.ts';
import { uiTokenAmount } from './ui-amount.ts';

/** `name`, or the same as a multisig account: `multisigName`. */
export function signedBy(name: string): AuthorityNames {
  return { single: name, multisig: `multisig${name.charAt(0).toUpperCase()}${name.slice(1)}` };
}

/** An amount followed by the decimals the sender expects. */
export const checkedAmount: Field = (reader) => uiTokenAmount(reader.u64(), reader.u8());

/** Amount, decimals and fee, in this order. */
export const checkedAmountAndFee: Layout = (reader) => {
  const amount = reader.u64();
  const decimals = reader.u8();
  return {
    tokenAmount: uiTokenAmount(amount, decimals),
    feeAmount: uiTokenAmount(reader.u64(), decimals),
  };
};

/** Names of extensions, two bytes each, up to the end. */
export const extensionTypes = (reader: ByteReader): string[] => {
  const names: string[] = [];
  while (reader.remaining > 0) names.push(nameAt(EXTENSION_NAMES, reader.u16()));
  return names;
};

/** The same, left out when there are none. */
export const extensionTypesIfAny: Field = (reader) => {
  const names = extensionTypes(reader);
  return names.length === 0 ? undefined : names;
};
