const HEADER_BYTES = 64;
const PROGRAM_HEADER_BYTES = 56;
const SECTION_HEADER_BYTES = 64;
const PROGRAM_HEADERS = 3;
const MACHINE_SBPF = 247;
const TYPE_SHARED_OBJECT = 3;
/** A call to a function of the runtime, named by a dynamic symbol. */
const RELOCATION_SYSCALL = 10n;

/** Where the read-only data of an image begins, as an offset into the file. */
export function readOnlyOffset(textBytes: number): number {
  return align(textOffset() + textBytes);
}

export function align(bytes: number): number {
  return (bytes + 7) & ~7;
}

/** A `call` instruction of the text: its offset, and the name of the syscall it makes. */
export interface SyscallSite {
  readonly offset: number;
  readonly name: string;
}

interface Section {
  readonly name: string;
  readonly type: number;
  readonly flags: number;
  readonly content: Buffer;
  readonly link: number;
  readonly entryBytes: number;
}

/**
 * An sBPF v0 shared object that the loader of a validator accepts: code, read-only data, and a dynamic section that
 * names the syscalls. Virtual addresses equal file offsets.
 */
export function elfImage(text: Buffer, readOnly: Buffer, syscalls: readonly SyscallSite[]): Buffer {
  const names = [...new Set(syscalls.map(({ name }) => name))];
  const { strings, symbols } = symbolTable(names);
  const textAt = textOffset();
  const readOnlyAt = readOnlyOffset(text.length);
  const dynamicAt = align(readOnlyAt + readOnly.length);
  const dynamicBytes = 16 * 8;
  const symbolsAt = align(dynamicAt + dynamicBytes);
  const stringsAt = align(symbolsAt + symbols.length);
  const relocationsAt = align(stringsAt + strings.length);
  const relocations = words(
    syscalls.flatMap(({ offset, name }) => [
      BigInt(textAt + offset),
      (BigInt(names.indexOf(name) + 1) << 32n) | RELOCATION_SYSCALL,
    ]),
  );
  const namesAt = align(relocationsAt + relocations.length);
  // Tags: symbols, their size, strings, their length, relocations, their length and size; null ends the list.
  const dynamic = words(
    [
      6,
      symbolsAt,
      11,
      24,
      5,
      stringsAt,
      10,
      strings.length,
      17,
      relocationsAt,
      18,
      relocations.length,
      19,
      16,
    ]
      .concat([0, 0])
      .map(BigInt),
  );
  const section = (name: string, type: number, flags: number, content: Buffer, link = 0, entryBytes = 0) => ({
    name,
    type,
    flags,
    content,
    link,
    entryBytes,
  });
  const sections: Section[] = [
    section('', 0, 0, Buffer.alloc(0)),
    section('.text', 1, 6, text),
    section('.rodata', 1, 2, readOnly),
    section('.dynamic', 6, 2, dynamic, 5, 16),
    section('.dynsym', 11, 2, symbols, 5, 24),
    section('.dynstr', 3, 2, strings),
    section('.rel.dyn', 9, 2, relocations, 4, 16),
  ];
  const sectionNames = Buffer.from([...sections.map(({ name }) => `${name}\0`), '.shstrtab\0'].join(''));
  sections.push(section('.shstrtab', 3, 0, sectionNames));
  const places = [0, textAt, readOnlyAt, dynamicAt, symbolsAt, stringsAt, relocationsAt, namesAt];
  const headersAt = align(namesAt + sectionNames.length);
  const elf = Buffer.alloc(headersAt + SECTION_HEADER_BYTES * sections.length);
  writeHeader(elf, textAt, headersAt, sections.length);
  writeSegments(elf, [
    { type: 1, flags: 5, at: textAt, bytes: text.length },
    { type: 1, flags: 4, at: readOnlyAt, bytes: namesAt - readOnlyAt },
    { type: 2, flags: 4, at: dynamicAt, bytes: dynamic.length },
  ]);
  writeSections(elf, headersAt, sections, places);
  return elf;
}

function textOffset(): number {
  return align(HEADER_BYTES + PROGRAM_HEADER_BYTES * PROGRAM_HEADERS);
}

function symbolTable(names: readonly string[]): { strings: Buffer; symbols: Buffer } {
  let strings = '\0';
  const symbols = Buffer.alloc(24 * (names.length + 1));
  names.forEach((name, index) => {
    const at = 24 * (index + 1);
    symbols.writeUInt32LE(strings.length, at);
    // A global symbol without a section: defined by the runtime.
    symbols[at + 4] = 0x10;
    strings += `${name}\0`;
  });
  return { strings: Buffer.from(strings), symbols };
}

/** Little-endian 64-bit words. */
export function words(values: readonly bigint[]): Buffer {
  const bytes = Buffer.alloc(8 * values.length);
  values.forEach((value, index) => {
    bytes.writeBigUInt64LE(BigInt.asUintN(64, value), 8 * index);
  });
  return bytes;
}

function writeHeader(elf: Buffer, textAt: number, headersAt: number, sectionCount: number): void {
  elf.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  elf.writeUInt16LE(TYPE_SHARED_OBJECT, 16);
  elf.writeUInt16LE(MACHINE_SBPF, 18);
  elf.writeUInt32LE(1, 20);
  elf.writeBigUInt64LE(BigInt(textAt), 24);
  elf.writeBigUInt64LE(BigInt(HEADER_BYTES), 32);
  elf.writeBigUInt64LE(BigInt(headersAt), 40);
  const halves = [
    HEADER_BYTES,
    PROGRAM_HEADER_BYTES,
    PROGRAM_HEADERS,
    SECTION_HEADER_BYTES,
    sectionCount,
    sectionCount - 1,
  ];
  halves.forEach((value, index) => {
    elf.writeUInt16LE(value, 52 + 2 * index);
  });
}

function writeSegments(
  elf: Buffer,
  segments: readonly { type: number; flags: number; at: number; bytes: number }[],
): void {
  segments.forEach(({ type, flags, at, bytes }, index) => {
    const start = HEADER_BYTES + PROGRAM_HEADER_BYTES * index;
    elf.writeUInt32LE(type, start);
    elf.writeUInt32LE(flags, start + 4);
    words([at, at, at, bytes, bytes, 8].map(BigInt)).copy(elf, start + 8);
  });
}

function writeSections(
  elf: Buffer,
  headersAt: number,
  sections: readonly Section[],
  places: readonly number[],
): void {
  let nameAt = 0;
  sections.forEach(({ name, type, flags, content, link, entryBytes }, index) => {
    const start = headersAt + SECTION_HEADER_BYTES * index;
    const at = places[index] ?? 0;
    elf.writeUInt32LE(nameAt, start);
    nameAt += name.length + 1;
    if (type === 0) return;
    elf.writeUInt32LE(type, start + 4);
    words([flags, flags === 0 ? 0 : at, at, content.length].map(BigInt)).copy(elf, start + 8);
    elf.writeUInt32LE(link, start + 40);
    words([8n, BigInt(entryBytes)]).copy(elf, start + 48);
    content.copy(elf, at);
  });
}
