import { type ByteReader, MalformedBytes } from '../byte-reader.ts';
import { base64, key, layout, tagged, u8, u64, u64Text } from './field-layouts.ts';

/** `parsed` of an account; kinds that hold nothing have no `info`. */
export interface ParsedAccount {
  readonly type: string;
  readonly info?: unknown;
}

const LOOKUP_TABLE_HEADER_BYTES = 56;
const BUFFER_HEADER_BYTES = 37;
const PROGRAM_DATA_HEADER_BYTES = 45;
const KEY_BYTES = 32;
const UNINITIALIZED: ParsedAccount = { type: 'uninitialized' };

/** A durable nonce; other accounts of the system program are not parsed. @throws MalformedBytes */
export function parseNonce(reader: ByteReader): ParsedAccount {
  const version = reader.u32();
  const state = reader.u32();
  if (version > 1 || state !== 1) throw new MalformedBytes('not a nonce');
  const feeCalculator = layout({ lamportsPerSignature: u64Text });
  return { type: 'initialized', info: layout({ authority: key, blockhash: key, feeCalculator })(reader) };
}

/** An address lookup table. @throws MalformedBytes */
export function parseLookupTable(reader: ByteReader): ParsedAccount {
  const kind = reader.u32();
  if (kind === 0) return UNINITIALIZED;
  if (kind !== 1) throw new MalformedBytes('not a lookup table');
  const slots = layout({
    deactivationSlot: u64Text,
    lastExtendedSlot: u64Text,
    lastExtendedSlotStartIndex: u8,
  });
  const info = slots(reader);
  const authority = tagged(key)(reader);
  reader.offset = LOOKUP_TABLE_HEADER_BYTES;
  if (reader.remaining < 0 || reader.remaining % KEY_BYTES !== 0)
    throw new MalformedBytes('not a lookup table');
  const addresses = Array.from({ length: reader.remaining / KEY_BYTES }, () => key(reader));
  return { type: 'lookupTable', info: { ...info, ...(authority === null ? {} : { authority }), addresses } };
}

/** What the upgradeable loader keeps: buffers, programs and their data. @throws MalformedBytes */
export function parseUpgradeable(reader: ByteReader): ParsedAccount {
  switch (reader.u32()) {
    case 0:
      return UNINITIALIZED;
    case 1: {
      const authority = tagged(key)(reader);
      return {
        type: 'buffer',
        info: { authority, data: dataBehind(reader, BUFFER_HEADER_BYTES, authority) },
      };
    }
    case 2:
      return { type: 'program', info: { programData: key(reader) } };
    case 3: {
      const slot = u64(reader);
      const authority = tagged(key)(reader);
      const data = dataBehind(reader, PROGRAM_DATA_HEADER_BYTES, authority);
      return { type: 'programData', info: { slot, authority, data } };
    }
    default:
      throw new MalformedBytes('unknown kind of loader account');
  }
}

/** Nodes show the data from where the header ends, and without an authority from where its key would begin. */
function dataBehind(reader: ByteReader, headerBytes: number, authority: string | null): [string, 'base64'] {
  const offset = authority === null ? headerBytes - KEY_BYTES : headerBytes;
  return [base64(reader.bytes.subarray(offset)), 'base64'];
}
