import { relative } from 'node:path';
import { type ServerStatus, statusLines } from './control.ts';
import type { Cluster } from './start-cluster.ts';

/** The text that `npm run cluster` prints when everything runs. */
export function clusterSummary(cluster: Cluster, servers: readonly ServerStatus[], took: string): string {
  const { origin, folder, state } = cluster;
  const dir = relative(process.cwd(), folder.root) || '.';
  return [
    '',
    `The cluster is running (ready after ${took}).`,
    '',
    `  ${origin}`,
    '',
    `  Live     ${state.inboxUrl}`,
    `  Docs     ${state.docsUrl}`,
    `  API      ${state.baseUrl}`,
    `  API key  ${state.apiKey}`,
    '',
    ...statusLines(servers),
    '',
    '  In another terminal:',
    '',
    `    LAUNCHWIRE_STATE=${dir}/state.json npm run example:bot`,
    '    npm run cluster -- --status',
    '    npm run cluster -- --kill postgres-1     as a crash of its machine; --start brings it back',
    '    npm run cluster -- --pause nats-2        it stands still; --resume',
    '    npm run cluster -- --switchover          makes the standby the primary',
    '',
    `  Logs are in ${dir}/logs. Ctrl-C stops everything and keeps the data.`,
    '',
  ].join('\n');
}
