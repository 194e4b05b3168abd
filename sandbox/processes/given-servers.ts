import { connect } from 'node:net';
import postgres from 'postgres';
import { type DriverAccess, driverAccess } from '../../src/db/access.ts';
import { databaseFailure, databaseFailures } from '../../src/db/failure.ts';

/** The time limit for a server's response. */
const TIMEOUT_MS = 3_000;
/** Default ports. */
const PORTS: Readonly<Record<string, number>> = {
  'nats:': 4222,
  'tls:': 4222,
  'redis:': 6379,
  'rediss:': 6379,
  'http:': 80,
  'https:': 443,
};

/** Throws an error with a sentence for each server that the user's variables name and that cannot be used. */
export async function checkGivenServers(given: NodeJS.ProcessEnv): Promise<void> {
  const addresses = ['NATS_URL', 'REDIS_URL', 'SOLANA_RPC_URL'].flatMap((name) =>
    (given[name] ?? '')
      .split(',')
      .map((text) => text.trim())
      .filter((text) => text !== '')
      .map((text) => ({ name, text })),
  );
  const findings = await Promise.all([
    databaseProblem(given),
    ...addresses.map(({ name, text }) => addressProblem(name, text)),
  ]);
  const problems = findings.filter((one) => one !== undefined);
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

async function databaseProblem(given: NodeJS.ProcessEnv): Promise<string | undefined> {
  if (!given.DATABASE_URL) return undefined;
  let access: DriverAccess;
  try {
    access = driverAccess({ databaseUrl: given.DATABASE_URL, databaseCa: given.DATABASE_CA || undefined });
  } catch {
    // The check of the configuration reports malformed values.
    return undefined;
  }
  const { url, ssl, hosts } = access;
  const database = postgres(url, {
    max: 1,
    ssl,
    ...hosts,
    connect_timeout: TIMEOUT_MS / 1000,
    onnotice: () => {},
  });
  try {
    await database`select 1`;
    return undefined;
  } catch (error) {
    const failure = databaseFailure(error);
    const cause = failure === null ? (error as Error).message : databaseFailures[failure];
    return sentence('DATABASE_URL', cause);
  } finally {
    await database.end({ timeout: 1 });
  }
}

async function addressProblem(name: string, text: string): Promise<string | undefined> {
  // The check of the configuration reports malformed addresses.
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, port } = new URL(text);
  const at = Number(port) || PORTS[protocol];
  if (at === undefined) return undefined;
  const host = hostname.replace(/^\[|\]$/g, '');
  return (await accepts(host, at)) ? undefined : sentence(name, `nobody listens on ${hostname}:${at}`);
}

function sentence(name: string, cause: string): string {
  return `${name} names a server that cannot be used: ${cause}. Start or correct it, or leave the variable out.`;
}

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const finish = (outcome: boolean) => {
      clearTimeout(deadline);
      socket.destroy();
      resolve(outcome);
    };
    const deadline = setTimeout(() => finish(false), TIMEOUT_MS);
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
  });
}
