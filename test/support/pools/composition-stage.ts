import { expect } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import { type SandboxChain, startChain } from '../../../sandbox/chain/server.ts';
import type { ChainAccount } from '../../../src/chain/accounts/account-data.ts';
import { SupplyCompositionSchema } from '../../../src/features/market/schema.ts';
import { startTestApi, type TestApi } from '../api/api.ts';
import { atEnd } from '../run/cleanup.ts';
import { readPoolFixtures } from './pool-accounts.ts';

/** An account that belongs to none of the programs. */
export const foreignAccount: ChainAccount = {
  owner: '11111111111111111111111111111111',
  data: Buffer.alloc(0),
};

export interface Composition {
  available: boolean;
  unavailableReason: string | null;
  slot: number;
  totalSupply: string | null;
  lifecycle: string | null;
  reads: string | null;
  unreadBuckets: string[];
  buckets: { key: string; amount: string; percentage: number; addresses: string[] }[];
  authorities: unknown;
  lpLock: unknown;
}

/** The api over a chain that holds the recorded pools. */
export interface CompositionStage {
  chain: SandboxChain;
  api: TestApi;
  /** Makes every node honest and restores the recorded accounts of all fixtures. */
  reset(): void;
  addToken(mint: string, poolAddress: string | null, hidden?: boolean): Promise<void>;
  /** Stores accounts on the chain and confirms them. */
  setAccounts(accounts: Iterable<readonly [string, ChainAccount]>): void;
  request(mint: string): Promise<Response>;
  /** Reads a composition and checks it against its schema. */
  read(mint: string): Promise<Composition>;
}

export async function createCompositionStage(): Promise<CompositionStage> {
  const chain = await startChain({ slotMs: 'manual' });
  atEnd(() => chain.stop());
  const down = chain.addNode({ down: 'unavailable' });
  // The first node always fails, so every response comes from the second.
  const api = await startTestApi({ environment: { SOLANA_RPC_URL: `${down.rpcUrl},${chain.rpcUrl}` } });
  const stage = stageOf(chain, api);
  for (const { known } of readPoolFixtures()) await stage.addToken(known.baseMint, known.pool);
  return stage;
}

function stageOf(chain: SandboxChain, api: TestApi): CompositionStage {
  const stage: CompositionStage = {
    chain,
    api,
    reset() {
      chain.setFaults({});
      for (const { accounts } of readPoolFixtures()) stage.setAccounts(accounts);
    },
    async addToken(mint, poolAddress, hidden = false) {
      const now = new Date();
      await api.dependencies.database`
        insert into tokens (mint_address, creator_wallet, name, symbol, decimals, total_supply, launch_type, status,
          pool_address, hidden, created_at, updated_at)
        values (${mint}, ${mint}, 'Example', 'EX', 6, 1000000000, 'dbc', 'bonding', ${poolAddress}, ${hidden}, ${now},
          ${now})`;
    },
    setAccounts(accounts) {
      for (const [address, { owner, data }] of accounts) {
        const account = { lamports: 10_000_000n, owner, data, executable: false, rentEpoch: 0n };
        chain.ledger.setAccount(address, account);
      }
      chain.advanceSlots(1);
      api.dependencies.chainReadCaches.supply.clear();
    },
    request: (mint) => fetch(`${api.baseUrl}/tokens/${mint}/supply-composition`),
    async read(mint) {
      const response = await stage.request(mint);
      expect(response.status).toBe(200);
      const body = await response.json();
      expect(Value.Check(SupplyCompositionSchema, body)).toBe(true);
      return body as Composition;
    },
  };
  return stage;
}

export const amountsOf = ({ buckets }: Composition) =>
  Object.fromEntries(buckets.map(({ key, amount }) => [key, amount]));
