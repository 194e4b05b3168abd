// bun run images:pin [--check] [--registry ORIGIN]: writes the digest of every image into the files that
// name one, as the registry gives it now; with --check it changes nothing and ends with 1 where a digest is missing or another.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { digestOf, imageFiles, imagesOf, withDigests } from './pinned-images.ts';

const { values, positionals } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    registry: { type: 'string', default: 'https://registry-1.docker.io' },
  },
  allowPositionals: true,
});
const files: readonly string[] = positionals.length > 0 ? positionals : imageFiles;

const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
const images = [...texts.values()].flatMap(imagesOf);
const digests = new Map<string, string>();
for (const image of images) {
  const name = `${image.repository}:${image.tag}`;
  if (!digests.has(name)) digests.set(name, await digestOf(values.registry, image));
}
const outdated = images.filter(
  ({ repository, tag, digest }) => digests.get(`${repository}:${tag}`) !== digest,
);
if (values.check) {
  for (const { repository, tag, digest } of outdated) {
    const name = `${repository}:${tag}`;
    process.stderr.write(`${name} is pinned to ${digest ?? 'nothing'}, and is ${digests.get(name)}\n`);
  }
  process.exitCode = outdated.length > 0 ? 1 : 0;
} else {
  // Every digest is known by now: a registry that fails changes no file.
  for (const [file, text] of texts) writeFileSync(file, withDigests(text, digests));
  for (const [name, digest] of digests) process.stdout.write(`${name}@${digest}\n`);
}
