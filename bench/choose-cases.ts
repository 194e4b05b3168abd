import { registry } from './registry.ts';

/** Cases by exact name or by group (`http` stands for `http/…`), in the order of the registry; all without any. */
export function chooseCases(
  wanted: readonly string[],
  known: readonly string[] = Object.keys(registry),
): readonly string[] {
  const matches = (name: string, word: string) => name === word || name.startsWith(`${word}/`);
  const unknown = wanted.find((word) => !known.some((name) => matches(name, word)));
  if (unknown !== undefined) throw new Error(`no case ${unknown}; there are ${known.join(', ')}`);
  return wanted.length === 0 ? known : known.filter((name) => wanted.some((word) => matches(name, word)));
}
