import type { Keypair } from '@solana/web3.js';
import { type SandboxChain, startChain } from '../../../sandbox/chain/server.ts';
import type { RunningChild } from '../../../sandbox/services/child-process.ts';
import { freePort } from '../../../sandbox/services/free-port.ts';
import { createChainRpcs } from '../../../src/chain/rpc.ts';
import { checkPreparation } from '../../../src/intents/prepare/check-preparation.ts';
import { openPolicy } from '../../../src/intents/prepare/preparation.ts';
import { prepareIntent } from '../../../src/intents/prepare/prepare-intent.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { createTestKey, type TestKey } from '../api/api-keys.ts';
import { startApiProcess } from '../api/api-process.ts';
import { preparing } from '../intents/intents.ts';
import { submitIntent } from '../intents/submit-intent.ts';
import { fundedWallet, signedTransfer } from '../intents/submitted-intent.ts';
import { startRelayProcess, startWorkerProcess } from '../processes/service-processes.ts';
import { atEnd } from '../run/cleanup.ts';
import { type Receiver, startReceiver } from '../webhooks/webhook-receiver.ts';
import { createRelayWorld, type RelayWorld } from '../webhooks/webhook-relay.ts';

export const TRANSFER_LAMPORTS = 1_000_000;
export const processNames = ['api', 'worker', 'relay'] as const;
export type ProcessName = (typeof processNames)[number];

export interface SignedIntent {
  readonly id: string;
  readonly to: string;
  readonly bytes: Uint8Array;
}

/** One process of each kind, which a model kills and starts; its chain moves only when it is told to. */
export interface ModelledService {
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

export async function startModelledService(): Promise<ModelledService> {
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
