import { beforeAll, expect, test } from 'bun:test';
import { type Keypair, PublicKey } from '@solana/web3.js';
import fc from 'fast-check';
import { type SandboxChain, startChain } from '../../sandbox/chain/server.ts';
import type { RunningChild } from '../../sandbox/services/child-process.ts';
import { freePort } from '../../sandbox/services/free-port.ts';
import { createChainRpcs } from '../../src/chain/rpc.ts';
import { checkPreparation } from '../../src/intents/prepare/check-preparation.ts';
import { openPolicy } from '../../src/intents/prepare/preparation.ts';
import { prepareIntent } from '../../src/intents/prepare/prepare-intent.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { startApiProcess } from '../support/api/api-process.ts';
import { pacedSlots } from '../support/chain/paced-slots.ts';
import { preparing } from '../support/intents/intents.ts';
import { submitIntent } from '../support/intents/submit-intent.ts';
import { fundedWallet, signedTransfer } from '../support/intents/submitted-intent.ts';
import { allHaveStatus, missingDeliveries, openDeliveries } from '../support/mixed-load/settled-work.ts';
import { startRelayProcess, startWorkerProcess } from '../support/processes/service-processes.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { type Receiver, startReceiver } from '../support/webhooks/webhook-receiver.ts';
import { createRelayWorld, type RelayWorld } from '../support/webhooks/webhook-relay.ts';

const TRANSFER_LAMPORTS = 1_000_000;
const processNames = ['api', 'worker', 'relay'] as const;
type ProcessName = (typeof processNames)[number];

interface SignedIntent {
  readonly id: string;
  readonly to: string;
  readonly bytes: Uint8Array;
}

/** One process of each kind, which a model kills and starts; its chain moves only when the model moves it. */
interface ModelledService {
  readonly world: RelayWorld;
  readonly chain: SandboxChain;
  readonly key: TestKey;
  readonly receiver: Receiver;
  /** Requests that the receiver still refuses. */
  refusals: number;
  kill(name: ProcessName): Promise<void>;
  start(name: ProcessName): Promise<void>;
  prepare(): Promise<SignedIntent>;
  /** The status of a submission under the intent's own key, or null where no response came. */
  submit(intent: SignedIntent): Promise<number | null>;
}

async function startModelledService(): Promise<ModelledService> {
  const chain = await startChain({ slotMs: 'manual' });
  atEnd(() => chain.stop());
  const world = await createRelayWorld({
    SOLANA_RPC_URL: chain.rpcUrl,
    WEBHOOK_RETRY_SCHEDULE: '1,1,1,1,1,1,1,1,1,1,1,1',
    RATE_LIMITS: '{"transaction-submit":{"limit":100000,"windowSeconds":1}}',
    LOG_LEVEL: 'info',
  });
  const wallet = await fundedWallet(chain.rpcUrl);
  const key = await createTestKey(world.sql, { walletAddress: wallet.publicKey.toBase58() });
  const receiver = await startReceiver({
    respond(response) {
      const isRefused = service.refusals > 0;
      if (isRefused) service.refusals -= 1;
      response.writeHead(isRefused ? 500 : 204).end();
    },
  });
  await world.createEndpoint(`${receiver.origin}/all`, { accountId: key.accountId });
  const running = new Map<ProcessName, RunningChild>();
  const apiPort = String(await freePort());
  const { environment } = world;
  const starts: Record<ProcessName, () => Promise<RunningChild>> = {
    api: async () =>
      (await startApiProcess(environment.DATABASE_URL ?? '', { ...environment, PORT: apiPort })).child,
    worker: () => startWorkerProcess(environment),
    relay: () => startRelayProcess(environment),
  };
  const service: ModelledService = {
    world,
    chain,
    key,
    receiver,
    refusals: 0,
    async kill(name) {
      await running.get(name)?.kill();
      running.delete(name);
    },
    async start(name) {
      running.set(name, await starts[name]());
    },
    prepare: () => prepareSigned({ chain, world, key, wallet }),
    submit: ({ id, bytes }) =>
      submitIntent(`http://127.0.0.1:${apiPort}/api/v2`, id, {
        key,
        signed: bytes,
        idempotencyKey: `model-${id}`,
      }).then(
        ({ status }) => status,
        () => null,
      ),
  };
  await Promise.all(processNames.map((name) => service.start(name)));
  return service;
}

async function prepareSigned({
  chain,
  world,
  key,
  wallet,
}: Pick<ModelledService, 'chain' | 'world' | 'key'> & { wallet: Keypair }): Promise<SignedIntent> {
  const { bytes, lastValidBlockHeight, to } = await signedTransfer(chain.rpcUrl, wallet, TRANSFER_LAMPORTS);
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
  const { id } = await world.sql.begin((sql) => prepareIntent(sql, checked, preparing));
  return { id, to, bytes };
}

const RUNS = 3;
const COMMANDS_MAX = 12;

/** What a client knows: `perhaps` when a submission got no response. */
type Known = 'prepared' | 'perhaps' | 'submitted';

interface Model {
  readonly intents: Known[];
  readonly down: Set<ProcessName>;
}

interface Real {
  readonly service: ModelledService;
  readonly intents: SignedIntent[];
  readonly events: string[];
}

interface Step {
  readonly text: string;
  /** Whether it can be done in this state. */
  check(model: Readonly<Model>): boolean;
  run(model: Model, real: Real): Promise<void>;
}

class Command implements fc.AsyncCommand<Model, Real> {
  readonly #step: Step;
  constructor(step: Step) {
    this.#step = step;
  }
  check = (model: Readonly<Model>) => this.#step.check(model);
  run = (model: Model, real: Real) => this.#step.run(model, real);
  toString = () => this.#step.text;
}

/** The model's conclusion from a response; a killed process may have committed before. */
function learn(model: Model, at: number, status: number | null): void {
  expect([202, null]).toContain(status);
  if (status === 202) model.intents[at] = 'submitted';
  else if (model.intents[at] === 'prepared') model.intents[at] = 'perhaps';
}

const prepare: Step = {
  text: 'prepare',
  check: () => true,
  async run(model, real) {
    real.intents.push(await real.service.prepare());
    model.intents.push('prepared');
  },
};

const submit = (choice: number): Step => ({
  text: `submit ${choice}`,
  check: ({ intents }) => intents.length > 0,
  async run(model, { service, intents }) {
    const at = choice % intents.length;
    const intent = intents[at];
    if (intent === undefined) throw new Error('no intent');
    const status = await service.submit(intent);
    if (!model.down.has('api')) expect(status).toBe(202);
    learn(model, at, status);
  },
});

/** The submission, its send and its event are under way when the process ends. */
const submitAndKill = (choice: number, name: ProcessName): Step => ({
  text: `submit ${choice} while the ${name} is killed`,
  check: ({ intents, down }) => intents.length > 0 && !down.has(name),
  async run(model, { service, intents }) {
    const at = choice % intents.length;
    const intent = intents[at];
    if (intent === undefined) throw new Error('no intent');
    const [status] = await Promise.all([service.submit(intent), service.kill(name)]);
    model.down.add(name);
    learn(model, at, status);
  },
});

const kill = (name: ProcessName): Step => ({
  text: `kill the ${name}`,
  check: ({ down }) => !down.has(name),
  async run({ down }, { service }) {
    await service.kill(name);
    down.add(name);
  },
});

const start = (name: ProcessName): Step => ({
  text: `start the ${name}`,
  check: ({ down }) => down.has(name),
  async run({ down }, { service }) {
    await service.start(name);
    down.delete(name);
  },
});

const append: Step = {
  text: 'commit an event',
  check: () => true,
  async run(_, { service, events }) {
    events.push(await service.world.append({ accountId: service.key.accountId }));
  },
};

const advance = (slots: number): Step => ({
  text: `${slots} slots pass`,
  check: () => true,
  async run(_, { service }) {
    service.chain.advanceSlots(slots);
  },
});

const refuse = (requests: number): Step => ({
  text: `the receiver refuses ${requests}`,
  check: () => true,
  async run(_, { service }) {
    service.refusals = requests;
  },
});

const name = fc.constantFrom(...processNames);
const choice = fc.nat({ max: 20 });
const commands = [
  fc.constant(prepare),
  choice.map(submit),
  fc.tuple(choice, name).map(([at, victim]) => submitAndKill(at, victim)),
  name.map(kill),
  name.map(start),
  fc.constant(append),
  fc.integer({ min: 1, max: 3 }).map(advance),
  fc.integer({ min: 1, max: 3 }).map(refuse),
].map((step) => step.map((one) => new Command(one)));

let service: ModelledService;

beforeAll(async () => {
  service = await startModelledService();
});

test('whatever is killed and whenever, each submission lands once and each event reaches its subscriber', async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: COMMANDS_MAX }), async (steps) => {
      const model: Model = { intents: [], down: new Set() };
      const real: Real = { service, intents: [], events: [] };
      await fc.asyncModelRun(() => ({ model, real }), steps);
      await end(model, real);
    }),
    // A smaller case is not looked for: each costs seconds, and the seed repeats this one.
    { numRuns: RUNS, endOnFailure: true },
  );
}, 600_000);

/** Everything runs again, and clients repeat what they are not certain of. */
async function end(model: Model, { intents, events }: Real): Promise<void> {
  service.refusals = 0;
  await Promise.all([...model.down].map((one) => service.start(one)));
  model.down.clear();
  for (const intent of intents)
    await eventually('the submission is accepted', async () => (await service.submit(intent)) === 202);
  const { sql } = service.world;
  const ids = intents.map(({ id }) => id);
  const passSlots = pacedSlots(service.chain);
  await eventually('every intent lands', async () => {
    passSlots();
    return allHaveStatus(sql, 'transaction_intents', ids, 'confirmed');
  });
  await eventually(
    'every delivery ends',
    async () => (await missingDeliveries(sql)) === 0 && (await openDeliveries(sql)) === 0,
  );
  for (const { to } of intents)
    expect(service.chain.ledger.vm.getAccount(new PublicKey(to).toBase58())?.lamports).toBe(
      BigInt(TRANSFER_LAMPORTS),
    );
  const about = await sql<{ id: string; subject: string; type: string }[]>`
    select id, subject, split_part(type, '.', 4) as type from events where subject = any(${ids}) and type not like '%finalized%'
    order by type`;
  for (const id of ids)
    expect(about.filter(({ subject }) => subject === id).map(({ type }) => type)).toEqual([
      'confirmed',
      'prepared',
      'submitted',
    ]);
  const received = new Set(service.receiver.requests.map(({ headers }) => headers['webhook-id']));
  for (const event of [...events, ...about.map(({ id }) => id)]) expect(received).toContain(event);
}
