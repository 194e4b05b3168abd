import type { ByteReader } from '../byte-reader.ts';
import { flag, ifTagged, keyOrNull, layout, nameAt, text32, u64 } from './field-layouts.ts';
import type { InstructionForm } from './instruction-form.ts';

const METADATA_AND_AUTHORITY = ['metadata', 'updateAuthority'] as const;
const GROUP_AND_AUTHORITY = ['group', 'updateAuthority'] as const;
const FIXED_FIELDS = ['name', 'symbol', 'uri'] as const;

export const INTERFACE_DISCRIMINATOR_BYTES = 8;

/** One of the three fixed fields, or one by its own name. */
function metadataField(reader: ByteReader): string {
  const number = reader.u8();
  return number === FIXED_FIELDS.length ? text32(reader) : nameAt(FIXED_FIELDS, number);
}

const METADATA_FORMS: Readonly<Record<string, InstructionForm>> = {
  initialize_account: {
    type: 'initializeTokenMetadata',
    accounts: [...METADATA_AND_AUTHORITY, 'mint', 'mintAuthority'],
    args: layout({ name: text32, symbol: text32, uri: text32 }),
  },
  updating_field: {
    type: 'updateTokenMetadataField',
    accounts: METADATA_AND_AUTHORITY,
    args: layout({ field: metadataField, value: text32 }),
  },
  remove_key_ix: {
    type: 'removeTokenMetadataKey',
    accounts: METADATA_AND_AUTHORITY,
    args: layout({ idempotent: flag, key: text32 }),
  },
  update_the_authority: {
    type: 'updateTokenMetadataAuthority',
    accounts: METADATA_AND_AUTHORITY,
    args: layout({ newAuthority: keyOrNull }),
  },
  emitter: {
    type: 'emitTokenMetadata',
    accounts: ['metadata'],
    args: layout({ start: ifTagged(u64), end: ifTagged(u64) }),
  },
};

const GROUP_FORMS: Readonly<Record<string, InstructionForm>> = {
  initialize_token_group: {
    type: 'initializeTokenGroup',
    accounts: ['group', 'mint', 'mintAuthority'],
    args: layout({ updateAuthority: keyOrNull, maxSize: u64 }),
  },
  update_group_max_size: {
    type: 'updateTokenGroupMaxSize',
    accounts: GROUP_AND_AUTHORITY,
    args: layout({ maxSize: u64 }),
  },
  update_authority: {
    type: 'updateTokenGroupAuthority',
    accounts: GROUP_AND_AUTHORITY,
    args: layout({ newAuthority: keyOrNull }),
  },
  initialize_member: {
    type: 'initializeTokenGroupMember',
    accounts: ['member', 'memberMint', 'memberMintAuthority', 'group', 'groupUpdateAuthority'],
  },
};

/** Forms of the token-metadata and token-group interfaces by their eight-byte discriminator in hex. */
export const INTERFACE_FORMS: ReadonlyMap<string, InstructionForm> = new Map([
  ...byDiscriminator('spl_token_metadata_interface', METADATA_FORMS),
  ...byDiscriminator('spl_token_group_interface', GROUP_FORMS),
]);

function byDiscriminator(
  interfaceName: string,
  forms: Readonly<Record<string, InstructionForm>>,
): [string, InstructionForm][] {
  return Object.entries(forms).map(([name, form]) => {
    const hash = new Bun.CryptoHasher('sha256').update(`${interfaceName}:${name}`).digest();
    return [hash.subarray(0, INTERFACE_DISCRIMINATOR_BYTES).toString('hex'), form];
  });
}
