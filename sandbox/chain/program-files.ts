import { readFileSync } from 'node:fs';
import bs58 from 'bs58';

/** A program to load: its address and its ELF file. */
export interface ProgramBinary {
  readonly address: string;
  readonly file: string;
  readonly elf: Uint8Array;
}

/** A program that cannot be loaded; the message is one sentence for the user. */
export class ProgramRefused extends Error {
  override readonly name = 'ProgramRefused';
}

const ELF_MAGIC = Buffer.from([0x7f, 0x45, 0x4c, 0x46]);
const LFS_POINTER = 'version https://git-lfs.github.com/spec/';
const ADDRESS_BYTES = 32;

/** Reads the programs of `--program ADDRESS=FILE`. Throws ProgramRefused: the virtual machine would end the process. */
export function readPrograms(options: readonly string[]): ProgramBinary[] {
  const programs = options.map(readProgram);
  const addresses = new Set<string>();
  for (const { address } of programs) {
    if (addresses.has(address)) throw new ProgramRefused(`--program names ${address} more than once.`);
    addresses.add(address);
  }
  return programs;
}

function readProgram(option: string): ProgramBinary {
  const separator = option.indexOf('=');
  const [address, file] = [option.slice(0, separator), option.slice(separator + 1)];
  if (separator <= 0 || file === '') throw new ProgramRefused(`--program ${option} is not ADDRESS=FILE.`);
  if (!isAddress(address)) throw new ProgramRefused(`--program ${option}: ${address} is no base58 address.`);
  return { address, file, elf: readElf(file) };
}

function readElf(file: string): Uint8Array {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ProgramRefused(`--program: ${file} cannot be read (${code}).`, { cause: error });
  }
  if (bytes.toString('latin1', 0, LFS_POINTER.length) === LFS_POINTER)
    throw new ProgramRefused(
      `--program: ${file} is a Git LFS pointer; fetch the file itself (git lfs pull).`,
    );
  if (!bytes.subarray(0, ELF_MAGIC.length).equals(ELF_MAGIC))
    throw new ProgramRefused(`--program: ${file} is no ELF file.`);
  return bytes;
}

function isAddress(text: string): boolean {
  return bs58.decodeUnsafe(text)?.length === ADDRESS_BYTES;
}
