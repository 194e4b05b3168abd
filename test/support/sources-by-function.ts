import { readFileSync } from 'node:fs';
import { Glob } from 'bun';

const functionStart = /^(?:export )?(?:async )?function\*? (\w+)/;
const methodStart = /^ {2}(?:async )?#?(\w+)\([^;]*\{$/;

/** The sources of the service and the relay, each with its file. */
export function sources(): [string, string][] {
  const files = [...new Glob('{src,relay}/**/*.ts').scanSync('.')].sort();
  return files.map((file) => [file, readFileSync(file, 'utf8')]);
}

/** The lines of a source that are no comments, each with the function that it is in. */
export function linesByFunction(source: string): [string, string][] {
  let name = '(module)';
  return source.split('\n').flatMap((line): [string, string][] => {
    name = (functionStart.exec(line) ?? methodStart.exec(line))?.[1] ?? name;
    return /^\s*(?:\/?\*|\/\/)/.test(line) ? [] : [[name, line]];
  });
}
