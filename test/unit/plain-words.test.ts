import { expect, test } from 'bun:test';
import { Glob } from 'bun';

/** Habits that stop a reader, each with the usual words for it. */
const HABITS: Readonly<Record<string, RegExp>> = {
  'say "if unset" or "if there is none"':
    /\b(?:null|undefined|missing|empty|none|default|all|0) without (?:it|one|them)\b|[;,] without (?:it|one|them)[,. ](?!\w+ing)/i,
  'name the amount': /\b(?:so|that) many (?!of\b)(?!.*\bthat\b)/i,
  'begin a sentence with its subject': /(?:^|\. )As for (?:any|a|an|the)\b/,
};

const folders = ['src', 'relay', 'bench', 'faults', 'sandbox', 'packages/client/src', 'examples'];

test.each(Object.entries(HABITS))('comments and texts of the code: %s', async (_advice, habit) => {
  const stops: string[] = [];
  for (const folder of folders)
    for await (const file of new Glob(`${folder}/**/*.ts`).scan()) {
      if (file.includes('/generated/')) continue;
      for (const [at, line] of (await Bun.file(file).text()).split('\n').entries())
        if (habit.test(line)) stops.push(`${file}:${at + 1} ${line.trim()}`);
    }
  expect(stops).toEqual([]);
});
