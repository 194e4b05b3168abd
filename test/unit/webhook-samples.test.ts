import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';

/** Functions at the beginning of a line, by name, as each language ends them. */
const functionsOf = {
  ts: /^function (\w+)\([\s\S]*?\n}$/gm,
  py: /^def (\w+)\([\s\S]*?(?=\n+\S)/gm,
  go: /^func (?:\(\w+ \w+\) )?(\w+)\([\s\S]*?\n}$/gm,
} as const;

function namedFunctions(language: keyof typeof functionsOf, code: string): Map<string, string> {
  return new Map([...code.matchAll(functionsOf[language])].map(([text, name = '']) => [name, text]));
}

/** `test/e2e/webhook-receivers.test.ts` runs the receivers against forgeries; the guide shows the same functions. */
describe('the guide verifies with the functions of a tested receiver', () => {
  const guide = readFileSync('docs/guides/webhooks.md', 'utf8');
  test.each([
    ['ts', 'node-crypto.ts', ['readSecrets', 'isGenuine']],
    ['py', 'receiver.py', ['read_secrets', 'is_genuine']],
    ['go', 'receiver.go', ['readKeys', 'isGenuine', 'hasMAC', 'hasSigned']],
  ] as const)('%s', (language, file, names) => {
    const blocks = [
      ...guide.matchAll(new RegExp(`\`\`\`${language}(?: tab)?\\n([\\s\\S]*?)\`\`\``, 'g')),
    ].map(([, code = '']) => namedFunctions(language, code));
    const shown = blocks.find((block) => block.has(names[0])) ?? new Map<string, string>();
    const tested = namedFunctions(language, readFileSync(`examples/receivers/${file}`, 'utf8'));
    for (const name of names) {
      expect(tested.get(name)).toBeString();
      expect(shown.get(name)).toBe(tested.get(name) ?? '');
    }
  });
});
