import { beforeAll, expect, test } from 'bun:test';
import { type Keypair, PublicKey } from '@solana/web3.js';
import { type SandboxChain, startChain } from '../../sandbox/chain/server.ts';
import { createChainRpcs } from '../../src/chain/rpc.ts';
import { checkPreparation } from '../../src/intents/prepare/check-preparation.ts';
import { openPolicy } from '../../src/intents/prepare/preparation.ts';
import { prepareIntent } from '../../src/intents/prepare/prepare-intent.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { type ApiProcess, startApiProcess } from '../support/api/api-process.ts';
import { forwardRpc } from '../support/chain/forward-rpc.ts';
import { pacedSlots } from '../support/chain/paced-slots.ts';
import { preparing } from '../support/intents/intents.ts';
import { submitIntent } from '../support/intents/submit-intent.ts';
import { fundedWallet, signedTransfer } from '../support/intents/submitted-intent.ts';
import { createWorkerStage, type WorkerStage } from '../support/processes/worker-stage.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

const LAMPORTS = 1_000_000;
const INTENTS = 24;

/** How a send ends: `lost` never arrives, `unanswered` arrives without a response, `answered` succeeds. */
type Fate = 'lost' | 'unanswered' | 'answered';

/** The connection of one process to the chain. */
interface Way {
  url: string;
  /** base64 of the transactions that the process has sent, in order. */
  sent: string[];
  /** Transactions that the process sent before their submission was committed. */
  premature: string[];
}

interface Signed {
  id: string;
  to: string;
  bytes: Uint8Array;
  wire: string;
  idempotencyKey: string;
}

let chain: SandboxChain;
let stage: WorkerStage;
let wallet: Keypair;
let key: TestKey;
let survivor: ApiProcess;
let survivorWay: Way;
const signed = new Map<string, Signed>();

beforeAll(async () => {
  chain = await startChain({ slotMs: 'manual' });
  atEnd(() => chain.stop());
  stage = await createWorkerStage();
  wallet = await fundedWallet(chain.rpcUrl);
  key = await createTestKey(stage.db, { walletAddress: wallet.publicKey.toBase58() });
  survivorWay = openWay(() => 'answered');
  survivor = await startApi(survivorWay);
});

function startApi({ url }: Way): Promise<ApiProcess> {
  return startApiProcess(stage.databaseUrl, {
    NATS_URL: stage.nats.url,
    SOLANA_RPC_URL: url,
    RATE_LIMITS: '{"transaction-submit":{"limit":100000,"windowSeconds":1}}',
  });
}

/** @param fateOf gets the number of a send, from 0 */
function openWay(fateOf: (send: number) => Fate): Way {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      if (request.method !== 'POST') return new Response('no sockets here', { status: 405 });
      const body = await request.text();
      const { method, params } = JSON.parse(body) as { method: string; params?: [string] };
      if (method !== 'sendTransaction') return forwardRpc(chain.rpcUrl, request, body);
      const [wire = ''] = params ?? [];
      const fate = fateOf(way.sent.length);
      way.sent.push(wire);
      if (!(await isSubmitted(wire))) way.premature.push(wire);
      if (fate !== 'lost') {
        const answer = await forwardRpc(chain.rpcUrl, new Request(request.url), body);
        if (fate === 'answered') return answer;
      }
      return new Promise<Response>(() => {});
    },
  });
  atEnd(() => server.stop(true));
  const way: Way = { url: `http://127.0.0.1:${server.port}`, sent: [], premature: [] };
  return way;
}

/** Whether a submission with exactly these bytes is committed. */
async function isSubmitted(wire: string): Promise<boolean> {
  const rows = await stage.db`
    select from transaction_intents where signed_transaction = ${Buffer.from(wire, 'base64')} and status <> 'prepared'`;
  return rows.count === 1;
}

async function prepareSigned(): Promise<Signed> {
  const { bytes, lastValidBlockHeight, to } = await signedTransfer(chain.rpcUrl, wallet, LAMPORTS);
  const preparation = {
    accountId: key.accountId,
    kind: 'token_transfer',
    expectedSigner: wallet.publicKey.toBase58(),
    transaction: Uint8Array.from(bytes).fill(0, 1, 65),
    policy: openPolicy,
    lastValidBlockHeight,
    expiresInMs: 600_000,
  };
  const checked = await checkPreparation(preparation, createChainRpcs([chain.rpcUrl]), systemClock);
  const { id } = await stage.db.begin((sql) => prepareIntent(sql, checked, preparing));
  const wire = Buffer.from(bytes).toString('base64');
  const made = { id, to, bytes, wire, idempotencyKey: `kills-${id}` };
  signed.set(id, made);
  return made;
}

const submit = ({ baseUrl }: ApiProcess, { id, bytes, idempotencyKey }: Signed) =>
  submitIntent(baseUrl, id, { key, signed: bytes, idempotencyKey });

/** Repeats a submission like a client without a response. Returns whether the killed process had stored the
 * response. */
async function repeated(submission: Signed): Promise<boolean> {
  const response = await eventually('a response', async () => {
    const one = await submit(survivor, submission);
    return one.status === 202 ? one : null;
  });
  return response.headers.get('idempotent-replayed') === 'true';
}

test.each<[string, number, (send: number) => Fate]>([
  ['between commit and send', INTENTS, () => 'lost'],
  ['between send and record', INTENTS, () => 'unanswered'],
  [
    'in the middle of everything',
    5,
    (send) => (['lost', 'unanswered', 'answered'] as const)[send % 3] ?? 'lost',
  ],
])(
  'an api that is killed %s has sent nothing before its commit, and who repeats sends nothing twice',
  async (_when, sends, fateOf) => {
    const way = openWay(fateOf);
    const victim = await startApi(way);
    const submissions = await Promise.all(Array.from({ length: INTENTS }, prepareSigned));
    const answers = submissions.map((one) =>
      submit(victim, one).then(
        ({ status }) => status,
        () => 'no response',
      ),
    );
    await eventually('the sends', async () => way.sent.length >= sends);
    await victim.child.kill();
    for (const answer of await Promise.all(answers)) expect([202, 'no response']).toContain(answer);

    const before = survivorWay.sent.length;
    const replays = await Promise.all(submissions.map(repeated));
    const ofVictim = submissions.filter((_, at) => replays[at]);
    expect(ofVictim.length).toBeGreaterThanOrEqual(sends);
    const bySurvivor = submissions.filter((_, at) => !replays[at]).map(({ wire }) => wire);
    await eventually('its sends', async () => survivorWay.sent.length >= before + bySurvivor.length);
    expect(survivorWay.sent.slice(before).sort()).toEqual(bySurvivor.sort());
    expect([...way.premature, ...survivorWay.premature]).toEqual([]);
  },
);

test('the worker sends the remaining intents, and each is confirmed once and moves its lamports once', async () => {
  const workerWay = openWay(() => 'answered');
  await stage.startWorker({ SOLANA_RPC_URL: workerWay.url });
  const ids = [...signed.keys()];
  const passSlots = pacedSlots(chain);
  await eventually('the ends', async () => {
    passSlots();
    const [row] = await stage.db<{ open: number }[]>`
      select count(*)::int as open from transaction_intents where id = any(${ids}::uuid[]) and completed_at is null`;
    return row?.open === 0;
  });
  const ends = await stage.db<{ id: string; status: string; events: string[] }[]>`
    select i.id, i.status, array_agg(split_part(e.type, '.', 4) order by e.type) as events
    from transaction_intents i join events e on e.subject = i.id::text where i.id = any(${ids}::uuid[]) group by i.id`;
  expect(ends).toHaveLength(3 * INTENTS);
  for (const { status, events } of ends) {
    expect(status).toBe('confirmed');
    // The first ones may be final by now.
    expect(events.filter((event) => event !== 'finalized')).toEqual(['confirmed', 'prepared', 'submitted']);
  }
  for (const { to } of signed.values())
    expect(chain.ledger.vm.getAccount(new PublicKey(to).toBase58())?.lamports).toBe(BigInt(LAMPORTS));
  expect(workerWay.premature).toEqual([]);
  const wires = new Set([...signed.values()].map(({ wire }) => wire));
  expect(workerWay.sent.filter((wire) => !wires.has(wire))).toEqual([]);
});
