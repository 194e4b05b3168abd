import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import recorded from '../../src/documentation/reference/response-examples.json' with { type: 'json' };
import { output, runCommand, USERS_COMPILER } from '../support/client/packed-client.ts';
import { runCleanups } from '../support/run/cleanup.ts';
import { callingPrograms, differencesOfCalls } from './calls.ts';
import { type Generator, generators } from './generators.ts';
import { parsingProgram, recordedSuccesses, sampleProgram } from './sample-program.ts';

/**
 * Makes clients from `docs/openapi.json` with generators of others, type-checks them with recorded responses, and lets
 * two of them call a sandbox:
 *
 *     npm run oracles:generators [-- <generators>]
 *
 * It installs the generators into a temporary folder, so it needs the registry.
 */
const root = join(import.meta.dir, '..', '..');
const documentFile = join(root, 'docs', 'openapi.json');
const successes = recordedSuccesses(JSON.parse(readFileSync(documentFile, 'utf8')), recorded);

/** As strict as most projects. The code of some generators does not compile with `exactOptionalPropertyTypes`. */
const compilerOptions = {
  target: 'ESNext',
  module: 'Preserve',
  moduleResolution: 'bundler',
  lib: ['ESNext', 'DOM', 'DOM.Iterable'],
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  noImplicitReturns: true,
  verbatimModuleSyntax: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
};

/** The compiler that some generators print with, and the types of what their clients call. */
const supporting = { typescript: '5.9.3', '@types/node': '24.10.1' };

async function main(): Promise<number> {
  const names = process.argv.slice(2);
  const unknown = names.filter((name) => generators[name] === undefined);
  if (unknown.length > 0) throw new Error(`unknown generators: ${unknown.join(', ')}`);
  const chosen = Object.entries(generators).filter(([name]) => names.length === 0 || names.includes(name));
  const folder = mkdtempSync(join(tmpdir(), 'generators-'));
  let failed = 0;
  try {
    for (const [name, generator] of chosen) {
      const faults = await judge(name, generator, join(folder, name));
      if (faults.length > 0) failed += 1;
      report(name, faults);
    }
  } finally {
    await runCleanups();
    rmSync(folder, { recursive: true, force: true });
  }
  process.stdout.write(`${chosen.length - failed} passed, ${failed} failed\n`);
  return failed > 0 ? 1 : 0;
}

/** Generates, compiles and runs; returns what was wrong. */
async function judge(name: string, generator: Generator, folder: string): Promise<string[]> {
  const generated = join(folder, 'generated');
  mkdirSync(generated, { recursive: true });
  const dependencies = { ...generator.packages, ...supporting };
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies }),
  );
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['generated'] }));
  await output(['bun', 'install', '--ignore-scripts', '--no-save'], { cwd: folder });
  const [executable = '', ...args] = generator.command(documentFile, 'generated');
  await output(['bun', '--bun', join('node_modules', '.bin', executable), ...args], { cwd: folder });

  const { success, imports } = generator;
  const responses = join(generated, 'responses.ts');
  const calls = join(generated, 'calls.ts');
  const text = success && sampleProgram({ imports, success }, successes);
  writeFileSync(responses, text ?? parsingProgram(imports, successes));
  const calling = callingPrograms[name];
  if (calling !== undefined) cpSync(calling, calls);
  const compiled = await runCommand([USERS_COMPILER, '-p', folder], { cwd: folder });
  if (compiled.code !== 0) return [compiled.stdout];
  const refused = await output(['bun', responses], { cwd: folder });
  return [
    ...(refused === '' ? [] : [refused]),
    ...(calling === undefined ? [] : await differencesOfCalls(calls)),
  ];
}

function report(name: string, faults: readonly string[]): void {
  process.stdout.write(`${faults.length === 0 ? 'ok    ' : 'FAILS '} ${name}\n${faults.join('\n')}`);
}

process.exitCode = await main();
