import { KILL_API_LINE } from '../inbox/api-process.ts';
import { canBind, freePort } from '../services/free-port.ts';
import { readPrivateJson } from '../shared/private-file.ts';
import { type ProcessContext, startBun } from './product-processes.ts';
import { stages } from './supervisor.ts';

/** The report of the market when it is ready. */
export interface MarketFacts {
  readonly mint: string;
  readonly decimals: number;
  /** A market wallet with an account for the token. */
  readonly recipient: string;
}

const READY_LINE = /^\{"ready":true/;

/** Starts the demo market; the sandbox's user creates its first token and is kept supplied. */
export async function startMarket(context: ProcessContext): Promise<MarketFacts> {
  const facts = Promise.withResolvers<MarketFacts>();
  await startBun(context, {
    name: 'market',
    entry: 'sandbox/market/main.ts',
    args: ['--file', context.folder.marketFile],
    stage: stages.sources,
    ready: READY_LINE,
    onLine: (line) => READY_LINE.test(line) && facts.resolve(JSON.parse(line) as MarketFacts),
  });
  return facts.promise;
}

/** Starts the simulated users of the market in the background. */
export async function startCommunity(context: ProcessContext, baseUrl: string): Promise<void> {
  await startBun(context, {
    name: 'community',
    entry: 'sandbox/community/main.ts',
    extraEnvironment: { LAUNCHWIRE_BASE_URL: baseUrl },
    stage: stages.sources,
    ready: () => Promise.resolve(true),
  });
}

export interface InboxFacts {
  readonly inboxUrl: string;
  /** Why it has no endpoint, when the api refused one. */
  readonly problem: string | undefined;
}

/** Starts the inbox, on the port of the last run when that is free: its endpoint is registered under it. */
export async function startInbox(
  context: ProcessContext,
  api: { readonly baseUrl: string; readonly apiKey: string },
): Promise<InboxFacts> {
  const { inboxFile } = context.folder;
  const port = await inboxPort(inboxFile);
  const facts = Promise.withResolvers<{ problem?: string }>();
  const onLine = (line: string) => {
    if (READY_LINE.test(line)) facts.resolve(JSON.parse(line) as { problem?: string });
    if (line === KILL_API_LINE) context.supervisor.signalTo('api', 'SIGKILL');
  };
  await startBun(context, {
    name: 'inbox',
    entry: 'sandbox/inbox/main.ts',
    args: ['--port', String(port), '--file', inboxFile],
    extraEnvironment: { LAUNCHWIRE_BASE_URL: api.baseUrl, LAUNCHWIRE_API_KEY: api.apiKey },
    stage: stages.inbox,
    ready: READY_LINE,
    onLine,
  });
  return { inboxUrl: `http://127.0.0.1:${port}`, problem: (await facts.promise).problem };
}

async function inboxPort(inboxFile: string): Promise<number> {
  const saved = readPrivateJson<{ url: string }>(inboxFile);
  const port = saved === undefined ? 0 : Number(new URL(saved.url).port);
  return port > 0 && (await canBind(port)) ? port : freePort();
}
