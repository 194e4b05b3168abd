import { relative } from 'node:path';
import type { SandboxFolder } from '../shared/sandbox-folder.ts';
import type { SandboxState } from '../shared/state-file.ts';

/** The text that `npm start` prints when everything runs. */
export function summary(state: SandboxState, folder: SandboxFolder, took: string): string {
  const { baseUrl, docsUrl, inboxUrl, apiKey, mint, operationId, rpcUrl, sendUrls } = state;
  const logs = shortest(folder.logs);
  const read = mint === null ? `${baseUrl}/tokens` : `${baseUrl}/tokens/${mint}`;
  const asUser = `curl -s -H 'Authorization: Bearer ${apiKey}' ${baseUrl}`;
  // Every shell, Node 20 and Bun accept this quoted argument.
  const withNode = `node -e 'fetch("${baseUrl}/me", { headers: { Authorization: "Bearer ${apiKey}" } }).then((r) => r.json()).then(console.log)'`;
  const demoCommands = [
    `    curl -s '${read}/prediction-rounds?limit=2'`,
    `    ${asUser}/operations/${operationId}`,
  ];
  const chain =
    sendUrls === null
      ? []
      : [
          `  Chain    ${rpcUrl}`,
          `           fast ${sendUrls.fastUrl} (with a tip), private ${sendUrls.privateUrl}; full blocks and forks: docs/sandbox-chain.md`,
        ];
  return [
    '',
    `Launchwire is running (ready after ${took}).`,
    '',
    `  Live     ${inboxUrl}`,
    `  Docs     ${docsUrl}`,
    `  Try it   ${docsUrl}/reference/operations/createSwap#key=${apiKey}`,
    `  API      ${baseUrl}`,
    `  API key  ${apiKey}`,
    ...chain,
    '',
    '  Try it, in another terminal:',
    '',
    `    curl -s ${read}`,
    `    ${asUser}/me`,
    `    ${withNode}`,
    ...(mint === null ? [] : demoCommands),
    '    npx --no-install launchwire events follow',
    '    npm run example:bot',
    '',
    `  Logs are in ${logs}. These addresses and keys are in ${shortest(folder.stateFile)}.`,
    '  Ctrl-C stops everything and keeps the data; `npm start -- --fresh` starts without it.',
    '',
  ].join('\n');
}

function shortest(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith('..') ? path : fromHere;
}
