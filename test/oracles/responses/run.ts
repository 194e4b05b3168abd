import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { oddResponses } from '../../support/responses/odd-responses.ts';
import { digestOf, RECORDED_RESPONSES, type Verdict } from '../../support/responses/verdict.ts';
import { type Client, openClients, type Seen } from './clients.ts';
import { NEXT_BODY, startRowServer } from './row-server.ts';

/**
 * Sends each odd response to five HTTP clients that nobody here wrote, and records what they read:
 *
 *     npm run oracles:responses
 *
 * It needs npm and Debian's curl, python3 and golang-go.
 */
const responses = [...oddResponses.values()];

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'responses-'));
  try {
    const clients = Object.entries(await openClients(folder));
    const verdicts = await Promise.all(clients.map(([, client]) => verdictsOf(client)));
    const rows = [...oddResponses].map(([what, response], row) => {
      const read = clients.map(([name], index) => [name, verdicts[index]?.[row]]);
      return [what, { sha256: digestOf(response), ...Object.fromEntries(read) }] as const;
    });
    const versions = Object.fromEntries(clients.map(([name, { version }]) => [name, version]));
    const lines = rows.map(([what, row]) => `    ${JSON.stringify(what)}: ${JSON.stringify(row)}`);
    const text = `{\n  "versions": ${JSON.stringify(versions)},\n  "rows": {\n${lines.join(',\n')}\n  }\n}\n`;
    writeFileSync(join(import.meta.dir, '..', '..', '..', RECORDED_RESPONSES), text);
    process.stdout.write(`${rows.length} responses, read by ${Object.keys(versions).join(', ')}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function verdictsOf(client: Client): Promise<Verdict[]> {
  const server = await startRowServer(responses);
  const seen = await client.ask(server.port, responses.length);
  server.close();
  return seen.map(({ first, second }, row) => ({
    status: first.status,
    body: textOf(first),
    end: endOf(first, second, server.isKept(row)),
  }));
}

function endOf({ error }: Seen, second: Seen, isKept: boolean): Verdict['end'] {
  if (error !== null) return 'error';
  if (textOf(second) !== NEXT_BODY) return 'mixed';
  return isKept ? 'kept' : 'closed';
}

const textOf = ({ body }: Seen) => Buffer.from(body, 'base64').toString('latin1');

await main();
