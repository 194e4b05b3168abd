import { expect, test } from 'bun:test';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { readPrograms } from '../../sandbox/chain/program-files.ts';
import { createTempDir } from '../support/run/temp-dir.ts';
import { runBun } from '../support/sandbox/sandbox-process.ts';

const folder = createTempDir('programs');
const address = Keypair.generate().publicKey.toBase58();

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const elf = file('native.so', readFileSync('/proc/self/exe').subarray(0, 4_096));
const pointer = file('pointer.so', 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n');
const text = file('text.so', 'hello');
const subfolder = join(folder, 'folder.so');
mkdirSync(subfolder);

const mistakes = [
  ['notanaddress=x.so', '--program notanaddress=x.so: notanaddress is no base58 address.'],
  [`${address.slice(4)}=${elf}`, `${address.slice(4)} is no base58 address.`],
  [`${address}0=${elf}`, `${address}0 is no base58 address.`],
  [address, `--program ${address} is not ADDRESS=FILE.`],
  [`${address}=`, `--program ${address}= is not ADDRESS=FILE.`],
  [`=${elf}`, `--program =${elf} is not ADDRESS=FILE.`],
  [`${address}=${folder}/missing.so`, `--program: ${folder}/missing.so cannot be read (ENOENT).`],
  [`${address}=${subfolder}`, `--program: ${subfolder} cannot be read (EISDIR).`],
  [
    `${address}=${pointer}`,
    `--program: ${pointer} is a Git LFS pointer; fetch the file itself (git lfs pull).`,
  ],
  [`${address}=${text}`, `--program: ${text} is no ELF file.`],
] as const;

/** The lines that are no usage. */
async function refusal(entry: string, ...programs: string[]) {
  const options = programs.flatMap((program) => ['--program', program]);
  const { code, output } = await runBun([entry, ...options], { SANDBOX_DIR: join(folder, 'sandbox') });
  const lines = output.trim().split('\n');
  return { code, lines: lines.filter((line) => !line.startsWith('usage: ')) };
}

test('a program that cannot be loaded is refused with one sentence', () => {
  for (const [program, sentence] of mistakes) expect(() => readPrograms([program])).toThrow(sentence);
});

test.each(['sandbox/start.ts', 'sandbox/chain/main.ts'])(
  '%s refuses programs that it cannot load with that sentence alone, before it starts anything',
  async (entry) => {
    const twice = await refusal(entry, `${address}=${elf}`, `${address}=${elf}`);
    expect(twice).toEqual({ code: 2, lines: [`--program names ${address} more than once.`] });
  },
);

test('the chain says so when an ELF file is no program', async () => {
  const { code, lines } = await refusal('sandbox/chain/main.ts', `${address}=${elf}`);
  expect({ code, lines }).toEqual({
    code: 2,
    lines: [expect.stringContaining(`--program: ${elf} is no program of the chain (`)],
  });
});
