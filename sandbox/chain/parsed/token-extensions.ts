import { ByteReader, MalformedBytes } from '../byte-reader.ts';
import { type Field, key, keyOrNull, type Layout, layout, readOrNull, text32 } from './field-layouts.ts';

// Extensions follow the classic bytes of a token account and one byte that distinguishes a mint from an account.
const EXTENSIONS_OFFSET = 166;

interface Extension {
  readonly name: string;
  /** Absent where the extension has no state. */
  readonly state?: Layout;
}

const additionalMetadata: Field = (reader) =>
  Array.from({ length: reader.u32() }, () => [text32(reader), text32(reader)]);

/** The extensions that launched tokens and their accounts have, by number. */
const EXTENSIONS: Readonly<Record<number, Extension>> = {
  3: { name: 'mintCloseAuthority', state: layout({ closeAuthority: keyOrNull }) },
  7: { name: 'immutableOwner' },
  18: { name: 'metadataPointer', state: layout({ authority: keyOrNull, metadataAddress: keyOrNull }) },
  19: {
    name: 'tokenMetadata',
    state: layout({
      updateAuthority: keyOrNull,
      mint: key,
      name: text32,
      symbol: text32,
      uri: text32,
      additionalMetadata,
    }),
  },
};

/** Names of extensions, two bytes each up to the end; left out when there are none. */
export const extensionTypes: Field = (reader) => {
  const names: string[] = [];
  while (reader.remaining > 0) {
    const extension = EXTENSIONS[reader.u16()];
    if (extension === undefined) throw new MalformedBytes('unknown extension');
    names.push(extension.name);
  }
  return names.length === 0 ? undefined : names;
};

/** Extensions of a mint or token account in their order; an unknown one is an `unparseableExtension`. */
export function extensionsOf(data: Uint8Array): { extension: string; state?: unknown }[] {
  return readOrNull(data, readExtensions) ?? [];
}

/** Type and length come before each one; a type of zero ends the list. */
function readExtensions({ bytes }: ByteReader): { extension: string; state?: unknown }[] {
  const reader = new ByteReader(bytes, Math.min(EXTENSIONS_OFFSET, bytes.length));
  const found: { extension: string; state?: unknown }[] = [];
  while (reader.remaining >= 2) {
    const type = reader.u16();
    if (type === 0) break;
    found.push(shown(EXTENSIONS[type], reader.take(reader.u16())));
  }
  return found;
}

function shown(extension: Extension | undefined, bytes: Uint8Array): { extension: string; state?: unknown } {
  if (extension === undefined) return { extension: 'unparseableExtension' };
  const { name, state: read } = extension;
  if (read === undefined) return { extension: name };
  const state = readOrNull(bytes, read);
  return state === null ? { extension: 'unparseableExtension' } : { extension: name, state };
}
