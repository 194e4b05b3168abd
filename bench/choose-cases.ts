import { NotFoundError } from './read-arguments.ts';
import { byNameAlone, registry } from './registry.ts';

/**
 * Cases by exact name or by group (`http` stands for `http/…`), in the order of the registry; all without any. Those of
 * `alone` are chosen by their exact name only.
 */
export function chooseCases(
  wanted: readonly string[],
  known: readonly string[] = Object.keys(registry),
  alone: ReadonlySet<string> = byNameAlone,
): readonly string[] {
  const matches = (name: string, word: string) => name === word || name.startsWith(`${word}/`);
  const unknown = wanted.find((word) => !known.some((name) => matches(name, word)));
  if (unknown !== undefined) throw new NotFoundError(`no case ${unknown}; there are ${known.join(', ')}`);
  const isChosen = (name: string) =>
    alone.has(name)
      ? wanted.includes(name)
      : wanted.length === 0 || wanted.some((word) => matches(name, word));
  return known.filter(isChosen);
}
