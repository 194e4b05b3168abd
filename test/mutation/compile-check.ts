import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { type Mutant, mutatedText } from './mutant.ts';

export interface CompileCheck {
  /** Whether the compiler accepts the mutated file. Files that import it are not looked at. */
  accepts(mutant: Mutant): boolean;
}

/** One program for all mutants: only the changed file is checked again. */
export function createCompileCheck(root: string, files: readonly string[]): CompileCheck {
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(
    { ...config.config, include: [], files: [] },
    ts.sys,
    root,
  );
  let changed: { path: string; text: string; version: number } | undefined;
  let version = 0;
  const textOf = (path: string) => (changed?.path === path ? changed.text : ts.sys.readFile(path));
  const service = ts.createLanguageService({
    getScriptFileNames: () => files.map((file) => join(root, file)),
    getScriptVersion: (path) => (changed?.path === path ? String(changed.version) : '0'),
    getScriptSnapshot: (path) => {
      const text = textOf(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getCompilationSettings: () => options,
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
  return {
    accepts(mutant) {
      const path = join(root, mutant.file);
      version++;
      changed = { path, text: mutatedText(readFileSync(path, 'utf8'), mutant), version };
      return (
        service.getSyntacticDiagnostics(path).length === 0 &&
        service.getSemanticDiagnostics(path).length === 0
      );
    },
  };
}
