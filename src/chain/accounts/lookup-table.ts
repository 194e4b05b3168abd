import type { ChainAccount } from './account-data.ts';
import { fieldsOf } from './account-data.ts';
import { ADDRESS_LOOKUP_TABLE } from './programs.ts';

/** Layout of the address-lookup-table program: a header, then addresses of 32 bytes up to the end. */
const HEADER_BYTES = 56;
const ADDRESS_BYTES = 32;
const KIND_TABLE = 1;
const DEACTIVATION_SLOT_OFFSET = 4;
/** `deactivation_slot` of a table that is not being closed. */
const NEVER = 0xffff_ffff_ffff_ffffn;

export interface LookupTable {
  /** The table is being closed: the runtime resolves it for some 500 more slots. */
  isDeactivated: boolean;
  addresses: readonly string[];
}

/** The lookup table in an account. Null when the account holds none. */
export function readLookupTable({ owner, data }: ChainAccount): LookupTable | null {
  if (owner !== ADDRESS_LOOKUP_TABLE || data.byteLength < HEADER_BYTES) return null;
  const fields = fieldsOf(data);
  if (fields.u32(0) !== KIND_TABLE) return null;
  const count = Math.floor((data.byteLength - HEADER_BYTES) / ADDRESS_BYTES);
  return {
    isDeactivated: fields.u64(DEACTIVATION_SLOT_OFFSET) !== NEVER,
    addresses: Array.from({ length: count }, (_, index) =>
      fields.address(HEADER_BYTES + index * ADDRESS_BYTES),
    ),
  };
}
