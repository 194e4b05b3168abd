import { Keypair } from '@solana/web3.js';
import { type SandboxChain, startChain } from '../../../sandbox/chain/server.ts';
import { SPL_TOKEN } from '../../../src/chain/accounts/programs.ts';
import type { Database } from '../../../src/db/client.ts';
import {
  advanceDueRounds,
  settleDueRounds,
} from '../../../src/features/predictions/rounds/advance-due-rounds.ts';
import type { RoundContext } from '../../../src/features/predictions/rounds/advance-round.ts';
import { createRound, type NewRound } from '../../../src/features/predictions/rounds/create-round.ts';
import { upsertWallet } from '../../../src/features/predictions/submissions/upsert-wallet.ts';
import { upsertToken } from '../../../src/features/tokens/upsert-token.ts';
import { storeSourceProofs } from '../../../src/indexer/store/source-proofs.ts';
import { storeTrades } from '../../../src/indexer/store/trades.ts';
import { createOutbox } from '../../../src/outbox/append.ts';
import { encodeAddress } from '../../../src/shared/address.ts';
import type { Clock } from '../../../src/shared/clock.ts';
import { normaliseDecimal } from '../../../src/shared/decimal.ts';
import { startTestApi, type TestApi } from '../api/api.ts';
import { createTestKey, type TestKey } from '../api/api-keys.ts';
import { newAddress, tokenMessage } from '../market/ingest-stream.ts';
import { numberedTrade } from '../market/market-arbitraries.ts';
import { tokenAccount } from '../pools/pool-accounts.ts';
import { asWorker, silentLog } from '../processes/worker-context.ts';
import { atEnd } from '../run/cleanup.ts';
import { createTestClock, type TestClock } from '../run/clock.ts';

export const MINUTE_MS = 60_000;
/** The time for which rounds of these tests wait for the proof of their trades. */
export const PROOF_WAIT_MS = 10 * MINUTE_MS;
/** A block is finalized within this many slots. */
const FINALIZED_AFTER_SLOTS = 40;
const origin = { source: 'https://api.test/api/v2', docsUrl: 'https://api.test/docs' };

/** A wallet with a key that is pinned to it. */
export interface Member {
  wallet: Keypair;
  address: string;
  key: TestKey;
}

export interface MemberOptions {
  username?: string | null;
  verified?: boolean;
  accountId?: string;
}

/** A token with rounds and predictions, and a clock that moves only on request. */
export interface RoundFixture {
  db: Database;
  clock: TestClock;
  context: RoundContext;
  /** A visible token; returns its mint. */
  launch(predictionsEnabled?: boolean | null): Promise<string>;
  /** Creates a round that opens in 1 minute, locks in 2 and settles in 3. Returns its id. */
  plan(mint: string, changes?: Partial<NewRound>): Promise<string>;
  /** Creates a round that is due to open now, locks in 1 minute and settles in 2. */
  planNow(mint: string, changes?: Partial<NewRound>): Promise<string>;
  /** Like `planNow`, but the worker also opens the round. */
  open(mint: string, changes?: Partial<NewRound>): Promise<string>;
  /** A time relative to the clock. */
  fromNow(minutes: number): Date;
  /** Sets the clock to this many minutes after the start of the file and runs due work of the worker. */
  at(minutes: number): Promise<void>;
  /** Proves the trades of all tokens up to now, unless `standsStill`, and runs all due work. */
  work(): Promise<void>;
  standsStill: boolean;
  /** Stores the proof that the token's trades are complete through this time. */
  prove(mint: string, through: Date): Promise<void>;
  /** Stores a trade with this price at a minute. */
  trade(mint: string, minutes: number, priceInSol: string): Promise<void>;
  /** Stores a prediction of a new wallet directly. */
  insertPrediction(
    roundId: string,
    priceInSol: string,
    submittedAt?: Date,
    accountId?: string,
  ): Promise<string>;
}

export function roundContext(db: Database, clock: Clock): RoundContext {
  return {
    db: asWorker(db),
    clock,
    proofWaitMs: PROOF_WAIT_MS,
    outbox: createOutbox(origin, clock),
    onRoundsChanged: () => {},
  };
}

let tradeNumber = 0;

export function createRoundFixture(db: Database, clock: TestClock): RoundFixture {
  const context = roundContext(db, clock);
  const { outbox } = context;
  const startMs = clock.now().getTime();
  const minute = (minutes: number) => new Date(startMs + minutes * MINUTE_MS);
  const fixture: RoundFixture = {
    db,
    clock,
    context,
    async launch(predictionsEnabled = true) {
      const message = tokenMessage(newAddress());
      const enabled = predictionsEnabled === null ? {} : { predictionsEnabled };
      const token = { ...message, ...enabled, launchType: 'dbc', status: 'bonding' } as const;
      await db.begin((transaction) => upsertToken(transaction, outbox, clock, token));
      return token.mintAddress;
    },
    async plan(mintAddress, changes = {}) {
      const times = { opensAt: minute(1), locksAt: minute(2), settlesAt: minute(3) };
      const terms = { minimumBalanceRaw: 100n, prizePoolLamports: 1_000n, requiresDelegatedIntent: false };
      const round = { mintAddress, ...times, ...terms, ...changes };
      const { id } = await db.begin((transaction) => createRound(transaction, clock, round));
      return id;
    },
    planNow: (mint, changes = {}) =>
      fixture.plan(mint, {
        opensAt: fixture.fromNow(0),
        locksAt: fixture.fromNow(1),
        settlesAt: fixture.fromNow(2),
        ...changes,
      }),
    async open(mint, changes = {}) {
      const id = await fixture.planNow(mint, changes);
      await fixture.work();
      return id;
    },
    fromNow: (minutes) => new Date(clock.now().getTime() + minutes * MINUTE_MS),
    async at(minutes) {
      clock.set(minute(minutes));
      await fixture.work();
    },
    standsStill: false,
    async prove(mintAddress, through) {
      const proof = { mintAddress, through: through.toISOString(), slot: '1' };
      await db.begin((transaction) => storeSourceProofs(transaction, [proof]));
    },
    async work() {
      if (!fixture.standsStill) {
        const mints = await db<{ mintAddress: string }[]>`select mint_address from tokens`;
        const through = new Date(clock.now().getTime() + 1);
        for (const { mintAddress } of mints) await fixture.prove(mintAddress, through);
      }
      while ((await advanceDueRounds(context, silentLog)) || (await settleDueRounds(context, silentLog)));
    },
    async trade(mint, minutes, priceInSol) {
      tradeNumber += 1;
      const price = normaliseDecimal(priceInSol);
      const trade = {
        ...numberedTrade(mint, tradeNumber),
        blockTime: minute(minutes),
        spotPriceInSol: price,
      };
      await db.begin((transaction) => storeTrades(transaction, [trade]));
    },
    async insertPrediction(
      roundId,
      priceInSol,
      submittedAt = clock.now(),
      accountId: string = Bun.randomUUIDv7(),
    ) {
      const id = Bun.randomUUIDv7();
      await db`insert into accounts (id, created_at) values (${accountId}, now()) on conflict do nothing`;
      await db`
        insert into predictions (id, round_id, account_id, wallet_address, username, predicted_price_in_sol, status,
          evaluation_slot, balance_raw, submitted_at)
        values (${id}, ${roundId}, ${accountId}, ${newAddress()}, 'someone', ${priceInSol}, 'accepted', 1, 1,
          ${submittedAt})`;
      return id;
    },
  };
  return fixture;
}

/** The real api over a separate chain. */
export interface PredictionStage extends RoundFixture {
  api: TestApi;
  chain: SandboxChain;
  /** Creates a wallet that by default meets every requirement except the balance. */
  member(options?: MemberOptions): Promise<Member>;
  /** Creates a token with an open round. Returns the round's path too. */
  openRound(changes?: Partial<NewRound>): Promise<{ mint: string; id: string; path: string }>;
  /** Gives a wallet one more finalized token account of a mint that exists. */
  give(member: Member, mint: string, amountRaw: bigint): void;
  get(path: string, key?: TestKey): Promise<Response>;
  predict(
    member: Member,
    roundId: string,
    price: string,
    changes?: { idempotencyKey?: string; walletAddress?: string },
  ): Promise<Response>;
  dropCaches(): void;
}

export async function createPredictionStage(): Promise<PredictionStage> {
  const chain = await startChain({ slotMs: 'manual' });
  atEnd(() => chain.stop());
  const clock = createTestClock(new Date());
  const api = await startTestApi({
    environment: {
      SOLANA_RPC_URL: chain.rpcUrl,
      RATE_LIMITS: '{"prediction-submit":{"limit":100000,"windowSeconds":1}}',
    },
    adjust: (dependencies) => {
      dependencies.clock = clock;
    },
  });
  const { database: db, predictionCaches } = api.dependencies;
  const fixture = createRoundFixture(db, clock);
  return {
    ...fixture,
    api,
    chain,
    async member({ username = 'someone', verified = true, accountId } = {}) {
      const wallet = Keypair.generate();
      const address = wallet.publicKey.toBase58();
      if (username !== null || verified) {
        const record = { address, verified, ...(username !== null && { username }) };
        await db.begin((transaction) => upsertWallet(transaction, clock, record));
      }
      const owner = accountId === undefined ? {} : { accountId };
      return { wallet, address, key: await createTestKey(db, { walletAddress: address, ...owner }) };
    },
    async openRound(changes = {}) {
      const mint = await fixture.launch();
      const id = await fixture.open(mint, changes);
      return { mint, id, path: `/tokens/${mint}/prediction-rounds/${id}` };
    },
    give({ address }, mint, amountRaw) {
      const shared = { lamports: 2_039_280n, executable: false, rentEpoch: 0n };
      chain.ledger.setAccount(mint, { ...shared, owner: SPL_TOKEN, data: mintData() });
      const account = tokenAccount(mint, address, amountRaw);
      chain.ledger.setAccount(randomAddress(), { ...shared, ...account });
      chain.advanceSlots(FINALIZED_AFTER_SLOTS);
    },
    get: (path, key) => fetch(`${api.baseUrl}${path}`, key === undefined ? {} : { headers: key.header }),
    predict: (member, roundId, predictedPriceInSol, { idempotencyKey, walletAddress } = {}) =>
      fetch(`${api.baseUrl}/predictions`, {
        method: 'POST',
        headers: {
          ...member.key.header,
          'content-type': 'application/json',
          'idempotency-key': idempotencyKey ?? crypto.randomUUID(),
        },
        body: JSON.stringify({
          roundId,
          walletAddress: walletAddress ?? member.address,
          predictedPriceInSol,
        }),
      }),
    dropCaches() {
      for (const cache of Object.values(predictionCaches)) cache.clear();
    },
  };
}

const randomAddress = () => encodeAddress(crypto.getRandomValues(new Uint8Array(32)));

/** An initialised SPL Token mint with 6 decimals. */
function mintData(): Buffer {
  const data = Buffer.alloc(82);
  data[44] = 6;
  data[45] = 1;
  return data;
}
