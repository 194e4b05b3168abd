import { ByteReader, MalformedBytes } from '../byte-reader.ts';
import type { StoredAccount } from '../vm.ts';
import { ACCOUNT_STATES, EXTENSION_NAMES } from './extension-names.ts';
import {
  base64Of,
  base64OrNull,
  type Field,
  f64Text,
  flag,
  i16,
  i64,
  key,
  keyOrNull,
  type Layout,
  layout,
  named,
  readOrNull,
  text32,
  u16,
  u64,
} from './field-layouts.ts';

// Extensions follow the classic bytes of a token account and one byte that tells mint from account.
const EXTENSIONS_OFFSET = 166;
const CIPHERTEXT_BYTES = 64;
const DECRYPTABLE_BYTES = 36;
const ELGAMAL_KEY_BYTES = 32;

/** One extension of a mint or token account as nodes show it; `state` is absent where there is none. */
export interface ExtensionJson {
  readonly extension: string;
  readonly state?: Readonly<Record<string, unknown>>;
}

const ciphertext = base64Of(CIPHERTEXT_BYTES);
const decryptable = base64Of(DECRYPTABLE_BYTES);
const elgamalKey = base64Of(ELGAMAL_KEY_BYTES);
const elgamalKeyOrNull = base64OrNull(ELGAMAL_KEY_BYTES);
const transferFee: Field = layout({ epoch: u64, maximumFee: u64, transferFeeBasisPoints: u16 });

const additionalMetadata: Field = (reader) =>
  Array.from({ length: reader.u32() }, () => [text32(reader), text32(reader)]);

const STATES: Readonly<Partial<Record<(typeof EXTENSION_NAMES)[number], Layout>>> = {
  transferFeeConfig: layout({
    transferFeeConfigAuthority: keyOrNull,
    withdrawWithheldAuthority: keyOrNull,
    withheldAmount: u64,
    olderTransferFee: transferFee,
    newerTransferFee: transferFee,
  }),
  transferFeeAmount: layout({ withheldAmount: u64 }),
  mintCloseAuthority: layout({ closeAuthority: keyOrNull }),
  confidentialTransferMint: layout({
    authority: keyOrNull,
    autoApproveNewAccounts: flag,
    auditorElgamalPubkey: elgamalKeyOrNull,
  }),
  confidentialTransferAccount: layout({
    approved: flag,
    elgamalPubkey: elgamalKey,
    pendingBalanceLo: ciphertext,
    pendingBalanceHi: ciphertext,
    availableBalance: ciphertext,
    decryptableAvailableBalance: decryptable,
    allowConfidentialCredits: flag,
    allowNonConfidentialCredits: flag,
    pendingBalanceCreditCounter: u64,
    maximumPendingBalanceCreditCounter: u64,
    expectedPendingBalanceCreditCounter: u64,
    actualPendingBalanceCreditCounter: u64,
  }),
  defaultAccountState: layout({ accountState: named(ACCOUNT_STATES) }),
  memoTransfer: layout({ requireIncomingTransferMemos: flag }),
  interestBearingConfig: layout({
    rateAuthority: keyOrNull,
    initializationTimestamp: i64,
    preUpdateAverageRate: i16,
    lastUpdateTimestamp: i64,
    currentRate: i16,
  }),
  cpiGuard: layout({ lockCpi: flag }),
  permanentDelegate: layout({ delegate: keyOrNull }),
  transferHook: layout({ authority: keyOrNull, programId: keyOrNull }),
  transferHookAccount: layout({ transferring: flag }),
  confidentialTransferFeeConfig: layout({
    authority: keyOrNull,
    withdrawWithheldAuthorityElgamalPubkey: elgamalKeyOrNull,
    harvestToMintEnabled: flag,
    withheldAmount: ciphertext,
  }),
  confidentialTransferFeeAmount: layout({ withheldAmount: ciphertext }),
  metadataPointer: layout({ authority: keyOrNull, metadataAddress: keyOrNull }),
  tokenMetadata: layout({
    updateAuthority: keyOrNull,
    mint: key,
    name: text32,
    symbol: text32,
    uri: text32,
    additionalMetadata,
  }),
  groupPointer: layout({ authority: keyOrNull, groupAddress: keyOrNull }),
  tokenGroup: layout({ updateAuthority: keyOrNull, mint: key, size: u64, maxSize: u64 }),
  groupMemberPointer: layout({ authority: keyOrNull, memberAddress: keyOrNull }),
  tokenGroupMember: layout({ mint: key, group: key, memberNumber: u64 }),
  confidentialMintBurn: layout({
    confidentialSupply: ciphertext,
    decryptableSupply: decryptable,
    supplyElgamalPubkey: elgamalKey,
    pendingBurn: ciphertext,
  }),
  scaledUiAmount: layout({
    authority: keyOrNull,
    multiplier: f64Text,
    newMultiplierEffectiveTimestamp: i64,
    newMultiplier: f64Text,
  }),
  pausable: layout({ authority: keyOrNull, paused: flag }),
  permissionedBurn: layout({ authority: keyOrNull }),
};

// Nodes show these under another name than instructions give them.
const SHOWN_NAMES: Readonly<Record<string, string>> = {
  scaledUiAmount: 'scaledUiAmountConfig',
  pausable: 'pausableConfig',
  permissionedBurn: 'permissionedBurnConfig',
};

/** Extensions of a mint or token account in their order; none when one of them is unknown, as on a node. */
export function extensionsOf(account: StoredAccount): ExtensionJson[] {
  return (
    readOrNull(account.data, (reader) =>
      entriesOf(reader).map(({ name, bytes }) => ({
        extension: SHOWN_NAMES[name] ?? name,
        ...stateOf(STATES[name], bytes),
      })),
    ) ?? []
  );
}

/** State of one extension, or null when the account does not have it. */
export function extensionBytes(
  account: StoredAccount,
  wanted: (typeof EXTENSION_NAMES)[number],
): Uint8Array | null {
  const entries = readOrNull(account.data, entriesOf) ?? [];
  return entries.find(({ name }) => name === wanted)?.bytes ?? null;
}

function stateOf(
  read: Layout | undefined,
  bytes: Uint8Array,
): Omit<ExtensionJson, 'extension'> & { extension?: string } {
  if (read === undefined) return {};
  const state = readOrNull(bytes, read);
  return state === null ? { extension: 'unparseableExtension' } : { state };
}

/** Type and length before each one; a type of zero ends the list. @throws MalformedBytes */
function entriesOf({ bytes }: ByteReader): { name: (typeof EXTENSION_NAMES)[number]; bytes: Uint8Array }[] {
  const reader = new ByteReader(bytes, Math.min(EXTENSIONS_OFFSET, bytes.length));
  const entries: { name: (typeof EXTENSION_NAMES)[number]; bytes: Uint8Array }[] = [];
  while (reader.remaining >= 2) {
    const type = reader.u16();
    if (type === 0) break;
    const name = EXTENSION_NAMES[type];
    if (name === undefined) throw new MalformedBytes('unknown extension');
    entries.push({ name, bytes: reader.take(reader.u16()) });
  }
  return entries;
}
