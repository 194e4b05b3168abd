import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** Below `node_modules`, so that the bundle's own imports resolve from there. */
const FOLDER = 'node_modules/.cache/launchwire-bench';

/** Bundles of this process, by script. */
const bundles = new Map<string, Promise<string>>();

/** A script as JavaScript that Node runs: its own files in one bundle, packages as they are installed. Returns its path. */
export function bundleForNode(script: string): Promise<string> {
  let bundle = bundles.get(script);
  if (bundle === undefined) {
    bundle = buildBundle(script);
    bundles.set(script, bundle);
  }
  return bundle;
}

async function buildBundle(script: string): Promise<string> {
  const built = await Bun.build({
    entrypoints: [script],
    target: 'node',
    format: 'esm',
    packages: 'external',
  });
  const [output] = built.outputs;
  if (output === undefined) throw new Error(`${script} was not bundled`);
  const text = await output.text();
  const name = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const file = join(FOLDER, `${name}.mjs`);
  await Bun.write(file, text);
  return file;
}
