import { expect, test } from 'bun:test';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { createClient, secretKeySigner } from 'launchwire';
import { startTestApi } from '../support/api/api.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import { createTestServiceKey, startTestInternalApi } from '../support/internal/internal-api.ts';
import { startLaunchStage } from '../support/launches/launch-stage.ts';
import { createWorkerStage } from '../support/processes/worker-stage.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTempDir } from '../support/run/temp-dir.ts';

const ROOT = join(import.meta.dir, '..', '..');

/** The program of the guide: its TypeScript blocks in their order. */
function programOfGuide(): string {
  const text = readFileSync(join(ROOT, 'docs/guides/presales-and-staking.md'), 'utf8');
  const blocks = [...text.matchAll(/^```ts[^\n]*\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
  expect(blocks.length).toBe(4);
  return blocks.join('\n');
}

test('the guide’s program takes a deposit and a stake from their preparation to what the public API shows', async () => {
  const chain = await startLaunchStage({ slotMs: 150, finalizedAfterSlots: 4 });
  const stage = await createWorkerStage({ SOLANA_RPC_URL: chain.chain.rpcUrl });
  const database = { url: stage.databaseUrl, sql: stage.db, drop: async () => {} };
  const api = await startTestApi({
    database,
    environment: {
      SOLANA_RPC_URL: chain.chain.rpcUrl,
      NATS_URL: stage.nats.url,
      LAUNCH_CURVE_CONFIG: chain.config,
    },
  });
  const internal = await startTestInternalApi({
    database,
    environment: { SOLANA_RPC_URL: chain.chain.rpcUrl },
  });
  await stage.startWorker();
  await eventually('the head of the chain', async () => api.dependencies.chainHead.current());

  const wallet = await chain.fundedWallet();
  const walletAddress = wallet.publicKey.toBase58();
  const key = await createTestKey(stage.db, { walletAddress });
  const client = createClient({ baseUrl: api.origin, apiKey: key.text });
  const signer = await secretKeySigner(wallet);
  const initialBuy = { amountRaw: '1000000000' };
  const { launch } = await client.launch({ name: 'Stake', symbol: 'STK', initialBuy }, signer);
  const { mintAddress: mint } = launch;
  const serviceKey = await createTestServiceKey(internal.owner, { groups: ['intents', 'presales'] });

  const folder = createTempDir('backend');
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const paths = { launchwire: [join(ROOT, 'packages/client/src/launchwire.ts')] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { paths } }));
  const file = join(folder, 'backend.mts');
  writeFileSync(file, programOfGuide());
  const child = Bun.spawn([process.execPath, file], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      INTERNAL_URL: internal.origin,
      SERVICE_KEY: serviceKey.text,
      LAUNCHWIRE_URL: api.origin,
      LAUNCHWIRE_API_KEY: key.text,
      ACCOUNT_ID: key.accountId,
      RPC_URL: chain.chain.rpcUrl,
      NATS_URL: stage.nats.url,
      WALLET_SECRET: bs58.encode(wallet.secretKey),
      MINT: mint,
      TREASURY: Keypair.generate().publicKey.toBase58(),
    },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [errors, exitCode] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  expect({ errors: exitCode === 0 ? '' : errors, exitCode }).toEqual({ errors: '', exitCode: 0 });

  const [presale] = (await client.listPresales({ mint })).data;
  const id = presale?.id ?? expect.unreachable();
  const participation = await eventually('the deposit is applied', () =>
    client.getPresaleParticipation({ id }).catch(() => null),
  );
  expect(participation).toMatchObject({
    walletAddress,
    depositedLamports: '250000000',
    status: 'deposited',
  });
  const staked = await eventually('the stake is applied', () =>
    client.listOwnedStakingPositions({ mint }).then(
      ({ data }) => data[0],
      () => null,
    ),
  );
  expect(staked).toMatchObject({ walletAddress, stakedRaw: '1000000' });
  expect((await client.getStakingPool({ mint })).totalStakedRaw).toBe('1000000');
});
