import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { generatedFiles } from '../../packages/client/scripts/generated-files.ts';
import { operationTable } from '../../packages/client/src/generated/operation-table.ts';
import { contractDefinitions } from '../../src/api/routes.ts';

test('the generated files of the client are those of the committed document', async () => {
  for (const [path, text] of await generatedFiles()) {
    expect(readFileSync(path, 'utf8') === text, `${path} is old: run \`npm run openapi:write\``).toBe(true);
  }
});

test('every operation with a JSON response is a method of the client, with what its policy asks for', () => {
  const rows = Object.entries<{ method: string; path: string; anonymous?: true; versioned?: true }>(
    operationTable,
  );
  for (const { id, method, path, auth, versioned } of contractDefinitions) {
    const [, row] = rows.find(([name]) => name === id) ?? [];
    if (id === 'openStream') continue;
    expect(row, id).toMatchObject({ method, path: path.replace(/:(\w+)/g, '{$1}') });
    expect([row?.anonymous === true, row?.versioned === true]).toEqual([
      auth === 'anonymous',
      versioned === true,
    ]);
  }
});

test('no operation has a parameter of the same name in two of path, query and body', () => {
  for (const { id, params, query, body } of contractDefinitions) {
    const names = [params, query, body].flatMap((schema) => Object.keys(schema?.properties ?? {}));
    expect(
      names.filter((name, index) => names.indexOf(name) !== index),
      id,
    ).toEqual([]);
  }
});
