import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  type TransactionInstruction,
} from '@solana/web3.js';
import { type LaunchAddresses, tokenAccountOf } from '../../sandbox/market/launch-addresses.ts';
import { listingOf, MarketState } from '../../sandbox/market/market-state.ts';
import { signed, tradeInstructions, wrapInstructions } from '../../sandbox/market/transactions.ts';
import { freePort } from '../../sandbox/services/free-port.ts';
import { sandboxFolder } from '../../sandbox/shared/sandbox-folder.ts';
import { readState } from '../../sandbox/shared/state-file.ts';
import { SPL_TOKEN, WRAPPED_SOL_MINT } from '../../src/chain/accounts/programs.ts';
import { rawToDecimal } from '../../src/shared/decimal.ts';
import { eventually } from '../support/run/eventually.ts';
import {
  createSandboxDir,
  runBun,
  type SandboxProcess,
  startSandbox,
} from '../support/sandbox/sandbox-process.ts';

/** The tests poll often. */
const limit = { limit: 100_000, windowSeconds: 60 };
const RATE_LIMITS = JSON.stringify({ 'public-read-cheap': limit, 'public-read-expensive': limit });
const TOKEN_DECIMALS = 6;
const dir = createSandboxDir();
let sandbox: SandboxProcess;

describe('npm start', () => {
  test('ends in a running product that its state file describes', async () => {
    sandbox = await startSandbox(dir, [], { RATE_LIMITS });
    const { state } = sandbox;
    expect(statSync(join(dir, 'state.json')).mode & 0o777).toBe(0o600);
    expect(state.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v2$/);
    expect(Object.keys(state.pids).sort()).toEqual([
      'api',
      'chain',
      'community',
      'inbox',
      'launcher',
      'market',
      'nats',
      'postgres',
      'relay',
      'worker',
    ]);
    const me = await fetch(`${state.baseUrl}/me`, { headers: { Authorization: `Bearer ${state.apiKey}` } });
    expect(await me.json()).toMatchObject({
      accountId: state.accountId,
      walletAddress: state.wallet.address,
    });
    const intent = await getJson(`${state.baseUrl}/transaction-intents/${state.intentId}`, state.apiKey);
    expect(intent).toMatchObject({ status: 'prepared', expectedSigner: state.wallet.address });
  });

  test('a token that somebody buys to its end completes, migrates and trades on, and the API shows each step of it', async () => {
    const get = reader(sandbox);
    const statusOf = async (mint: string) => (await get(`/tokens/${mint}`)).status;
    const { addresses, mint, buyer, signature, bought } = await eventually(
      'a curve that we complete',
      async () => {
        for (const token of quickTokens()) {
          const supply = await get(`/tokens/${token.mint}/supply-composition`);
          if ((await statusOf(token.mint)) !== 'bonding') continue;
          // The market has just completed it: the service knows that a moment later than the chain.
          if (supply.lifecycle === 'migrating') continue;
          expect(supply).toMatchObject({ available: true, reads: 'complete', lifecycle: 'bonding' });
          const own = new Buyer(sandbox.state.rpcUrl, token.addresses);
          const purchase = await own.buyTheRest().catch(async (error: unknown) => {
            // The market may complete it first.
            await eventually(`${error}`, async () => (await statusOf(token.mint)) !== 'bonding');
            return null;
          });
          if (purchase !== null) return { ...token, buyer: own, ...purchase };
        }
        return null;
      },
    );
    expect(bought).toBeGreaterThan(0n);
    const ownTrade = async () => {
      const { data } = await get(`/tokens/${mint}/trades?limit=100`);
      return data.find((trade: Row) => trade.transactionSignature === signature);
    };
    const trade = await eventually('the trade', ownTrade);
    expect(trade).toMatchObject({
      type: 'buy',
      traderWallet: buyer.wallet,
      tokenAmount: rawToDecimal(bought, TOKEN_DECIMALS),
    });

    const seen: string[] = [];
    await eventually('the graduation', async () => {
      const { status } = await get(`/tokens/${mint}`);
      if (seen.at(-1) !== status) seen.push(status);
      return status === 'graduated';
    });
    // The moments of its requests decide which of these states the test sees.
    const way = ['bonding', 'graduating_migration_pending', 'graduated'];
    expect(seen).toEqual(way.filter((status) => seen.includes(status)));

    const composition = await eventually('the supply after the migration', async () => {
      const read = await get(`/tokens/${mint}/supply-composition`);
      return read.lifecycle === 'graduated' && read;
    });
    const amounts = new Map<string, bigint>(
      composition.buckets.map(({ key, amount }: Row) => [key, BigInt(amount)]),
    );
    expect([...amounts.values()].reduce((sum, amount) => sum + amount)).toBe(BigInt(composition.totalSupply));
    expect(amounts.get('pool_reserve')).toBeGreaterThan(0n);
    expect(amounts.get('free_float')).toBeGreaterThanOrEqual(bought);
    expect(composition.lpLock).toMatchObject({
      poolAddress: addresses.amm.pool,
      isFullyPermanentlyLocked: true,
    });

    await eventually('its holders', async () => (await get(`/tokens/${mint}/holders`)).holderCount > 1);
    expect(Number((await get(`/tokens/${mint}/market`)).priceInSol)).toBeGreaterThan(0);
    const sold = await buyer.sellInAmm(bought / 2n);
    expect(sold).toBeGreaterThan(0n);
    const held = async () => {
      const { data } = await get(`/wallets/${buyer.wallet}/holdings`);
      return data.find(({ mintAddress }: Row) => mintAddress === mint);
    };
    const left = String(bought - bought / 2n);
    await eventually(
      'what is left after a sale in the AMM pool',
      async () => (await held())?.amountRaw === left,
    );
  });

  test('prints one summary with commands to copy and no log lines', () => {
    const output = sandbox.output();
    const { baseUrl, inboxUrl, apiKey, mint, operationId } = sandbox.state;
    for (const fact of [
      baseUrl,
      inboxUrl,
      apiKey,
      `curl -s ${baseUrl}/tokens/${mint}`,
      `curl -s '${baseUrl}/tokens/${mint}/prediction-rounds?limit=2'`,
      `${baseUrl}/operations/${operationId}`,
      'npm run example:bot',
    ]) {
      expect(output).toContain(fact);
    }
    expect(output).not.toContain('"level"');
    expect(output.split('\n').length).toBeLessThan(40);
  });

  test('prints curl and Node commands that work as copied', async () => {
    const printed = sandbox.output().matchAll(/^ {4}((?:curl|node) .*)$/gm);
    const commands = [...printed].map(([, command = '']) => command);
    expect(commands.map((command) => command.split(' ')[0])).toEqual([
      'curl',
      'curl',
      'node',
      'curl',
      'curl',
    ]);
    for (const command of commands) {
      const child = Bun.spawn(['sh', '-c', command], { stdout: 'pipe', stderr: 'pipe' });
      const [code, output] = [await child.exited, await child.stdout.text()];
      expect({ command, code }).toEqual({ command, code: 0 });
      expect(output).not.toMatch(/problem|"code":|not_found/);
      expect(output.length).toBeGreaterThan(50);
    }
  });

  test('answers every kind of market data with living facts', async () => {
    const { baseUrl, mint, wallet } = sandbox.state;
    const to = new Date(Date.now() + 60_000).toISOString();
    const from = new Date(Date.now() - 600_000).toISOString();
    const candles = `${baseUrl}/tokens/${mint}/candles?interval=1m&from=${from}&to=${to}`;
    await eventually('trades, candles, holders and holdings', async () => {
      const bodies = await Promise.all([
        getJson(`${baseUrl}/tokens/${mint}/trades`),
        getJson(candles),
        getJson(`${baseUrl}/wallets/${wallet.address}/holdings`),
      ]);
      const { holderCount } = await getJson(`${baseUrl}/tokens/${mint}/holders`);
      return bodies.every(({ data }) => Array.isArray(data) && data.length > 0) && Number(holderCount) > 1;
    });
    const supply = await getJson(`${baseUrl}/tokens/${mint}/supply-composition`);
    expect(supply).toMatchObject({ available: true, reads: 'complete', lifecycle: 'bonding' });
  });

  test('shows a bot what priority costs, and which service its tip pays', async () => {
    const { baseUrl, mint, apiKey } = sandbox.state;
    await eventually('different levels', async () => {
      const { levels } = await getJson(`${baseUrl}/priority-fees?mint=${mint}`);
      const { low, high, veryHigh } = levels as Record<string, string>;
      return Number(high) > 0 && Number(veryHigh) > Number(low);
    });
    const swap = await fetch(`${baseUrl}/tokens/${mint}/swaps`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${apiKey}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': crypto.randomUUID(),
      },
      body: JSON.stringify({
        side: 'buy',
        amountRaw: '1000000',
        slippageBps: 2_000,
        computeUnitPrice: 'high',
      }),
    });
    const { sending } = (await swap.json()) as { sending: Record<string, string> };
    expect(sending).toMatchObject({ priorityLevel: 'high', tipLamports: '10000', tipService: 'fast' });
    expect(Number(sending.computeUnitPrice)).toBeGreaterThan(0);
  });

  test('has a live market whose trades are on the chain', async () => {
    const { baseUrl, mint, rpcUrl, databaseUrl } = sandbox.state;
    await eventually('a recent price', async () => {
      const { asOf, priceInSol } = await getJson(`${baseUrl}/tokens/${mint}/market`);
      return priceInSol !== null && Date.now() - Date.parse(String(asOf)) < 20_000;
    });
    const sql = new Bun.SQL(databaseUrl);
    const [trade] =
      await sql`select transaction_signature, slot::text from trades order by slot desc limit 1`;
    await sql.close();
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'getSignatureStatuses',
      params: [[trade.transaction_signature]],
    };
    const response = await fetch(rpcUrl, { method: 'POST', body: JSON.stringify(body) });
    const { result } = (await response.json()) as { result: { value: { slot: number; err: unknown }[] } };
    expect(result.value[0]).toMatchObject({ slot: Number(trade.slot), err: null });
  });

  test('verifies deliveries of the relay, and no other requests', async () => {
    const { inboxUrl } = sandbox.state;
    const ping = 'build.service.webhook.ping.v1';
    const find = async () =>
      (await getJson(`${inboxUrl}/deliveries?type=${ping}`)).data as { verified: boolean }[];
    await eventually('the ping', async () => (await find()).length > 0);
    expect((await find()).every(({ verified }) => verified)).toBe(true);
    const forged = await fetch(`${inboxUrl}/webhooks`, {
      method: 'POST',
      headers: { 'webhook-id': 'forged', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' },
      body: JSON.stringify({ type: ping }),
    });
    expect(forged.status).toBe(400);
    expect((await find()).every(({ verified }) => verified)).toBe(true);
  });

  test('is refused while one runs in the same folder, with its addresses', async () => {
    const { code, output } = await runBun(['sandbox/start.ts'], { SANDBOX_DIR: dir });
    expect(code).toBe(1);
    expect(output).toContain(sandbox.state.baseUrl);
    expect(output.trim().split('\n')).toHaveLength(1);
  });

  test('starts a killed worker again', async () => {
    const stateFile = join(dir, 'state.json');
    const { worker } = sandbox.state.pids;
    process.kill(worker ?? 0, 'SIGKILL');
    await eventually('a new worker', async () => (await Bun.file(stateFile).json()).pids.worker !== worker);
    // The state file may be seen before the output.
    const end = 'worker ended (signal SIGKILL)';
    await eventually('its end is reported', async () => sandbox.output().includes(end));
    expect(sandbox.output()).toContain(end);
  });

  test('kills its api for its page, starts it again, and says how long that took', async () => {
    const { state } = sandbox;
    const stateFile = join(dir, 'state.json');
    const { origin } = new URL(state.inboxUrl);
    const before = readState(stateFile)?.pids.api;
    const response = await fetch(`${origin}/api-process/kills`, {
      method: 'POST',
      headers: { Origin: origin },
    });
    expect(await response.json()).toEqual({ restartedAfterMs: expect.any(Number) });
    expect(readState(stateFile)?.pids.api).not.toBe(before);
    expect((await fetch(`${state.baseUrl}/tokens`)).status).toBe(200);
    const end = 'api ended (signal SIGKILL); restarting it';
    await eventually('its end is reported', async () => sandbox.output().includes(end));
  });

  test('leaves no process and no state file when it is stopped, and takes up the same key, wallet, chain and trades', async () => {
    const pids = Object.values(
      (await Bun.file(join(dir, 'state.json')).json()).pids as Record<string, number>,
    );
    const [traded] = await trades(sandbox);
    const { code } = await sandbox.stop('SIGINT');
    expect(code).toBe(0);
    expect(pids.filter(isAlive)).toEqual([]);
    expect(existsSync(join(dir, 'state.json'))).toBe(false);

    const again = await startSandbox(dir);
    const { apiKey, accountId, wallet, mint, inboxUrl } = sandbox.state;
    expect(again.state).toMatchObject({ apiKey, accountId, wallet, mint, inboxUrl });
    await eventually('a new trade after the old ones', async () => {
      const ids = (await trades(again)).map(({ id }) => id);
      return ids.indexOf(traded?.id ?? '') > 0;
    });
    expect((await again.stop('SIGTERM')).code).toBe(0);
  });

  test('refuses the data of an earlier version, and says how to begin anew', async () => {
    const outdated = createSandboxDir();
    mkdirSync(outdated, { recursive: true });
    writeFileSync(
      join(outdated, 'market.json'),
      JSON.stringify({ genesisHash: 'of another time', tokens: [] }),
    );
    const { code, output } = await runBun(['sandbox/start.ts'], { SANDBOX_DIR: outdated, PORT: '0' });
    expect(code).toBe(1);
    expect(output).toContain('npm start -- --fresh');
    expect(existsSync(join(outdated, 'chain'))).toBe(false);
  });

  test('names every configured server that cannot be used before it starts anything, and no password', async () => {
    const port = await freePort();
    const folder = createSandboxDir();
    const { code, output } = await runBun(['sandbox/start.ts'], {
      SANDBOX_DIR: folder,
      PORT: '0',
      DATABASE_URL: `postgres://launchwire:hunter2hunter2@127.0.0.1:${port}/launchwire`,
      NATS_URL: `nats://user:hunter2hunter2@127.0.0.1:${port}`,
      REDIS_URL: `redis://:hunter2hunter2@127.0.0.1:${port}`,
      SOLANA_RPC_URL: `http://127.0.0.1:${port}`,
    });
    expect(code).toBe(1);
    expect(output).not.toContain('hunter2hunter2');
    const sentences = output.trim().split('\n');
    expect(sentences[0]).toBe(
      'launchwire: DATABASE_URL names a server that cannot be used: it refuses connections. Start or correct it, or leave the variable out.',
    );
    expect(sentences.slice(1)).toEqual(
      ['NATS_URL', 'REDIS_URL', 'SOLANA_RPC_URL'].map(
        (name) =>
          `${name} names a server that cannot be used: nobody listens on 127.0.0.1:${port}. Start or correct it, or leave the variable out.`,
      ),
    );
    expect(existsSync(join(folder, 'chain'))).toBe(false);
  });

  test('names every mistake in the variables before it starts anything', async () => {
    const environment = { SANDBOX_DIR: createSandboxDir(), PORT: '99999', LOG_LEVEL: 'loud' };
    const { code, output } = await runBun(['sandbox/start.ts'], environment);
    expect(code).toBe(1);
    expect(output).toContain('PORT');
    expect(output).toContain('LOG_LEVEL');
  });
});

/** Trades, newest first. */
async function trades({ state }: SandboxProcess): Promise<{ id: string }[]> {
  const { data } = await getJson(`${state.baseUrl}/tokens/${state.mint}/trades?limit=100`);
  return data as { id: string }[];
}

async function getJson(url: string, apiKey?: string): Promise<Record<string, unknown>> {
  const headers: Record<string, string> = apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` };
  const response = await fetch(url, { headers });
  return (await response.json()) as Record<string, unknown>;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of several operations; their schemas are tested elsewhere
type Row = any;

function reader({ state }: SandboxProcess): (path: string) => Promise<Row> {
  return async (path) => (await fetch(`${state.baseUrl}${path}`)).json();
}

/** Tokens that complete soon, newest first. The newest one needs the longest time. */
function quickTokens(): { addresses: LaunchAddresses; mint: string }[] {
  const market = MarketState.read(sandboxFolder(dir).marketFile);
  return market.tokens
    .filter((token) => listingOf(token).curve === 'quick')
    .map((token) => ({ addresses: market.addressesOf(token), mint: token.mint.publicKey.toBase58() }))
    .reverse();
}

const AIRDROP_SOL = 60;
/** This is more than the rest of any curve that completes soon. */
const PAID_LAMPORTS = 25_000_000_000n;

/** A new wallet that trades one token independently of the market. */
class Buyer {
  readonly wallet: string;
  readonly #keypair = Keypair.generate();
  readonly #connection: Connection;
  readonly #addresses: LaunchAddresses;

  constructor(rpcUrl: string, addresses: LaunchAddresses) {
    this.wallet = this.#keypair.publicKey.toBase58();
    this.#connection = new Connection(rpcUrl, 'confirmed');
    this.#addresses = addresses;
  }

  /** Buys the rest of the curve. */
  async buyTheRest(): Promise<{ signature: string; bought: bigint }> {
    const airdrop = this.#connection.requestAirdrop(this.#keypair.publicKey, AIRDROP_SOL * LAMPORTS_PER_SOL);
    await this.#confirmed(await airdrop);
    const order = { side: 'buy', mode: 'partial_fill', amountRaw: PAID_LAMPORTS, limitRaw: 1n } as const;
    const state = { opens: true, isMigrated: false };
    const signature = await this.#land([
      ...wrapInstructions(this.wallet, PAID_LAMPORTS),
      ...tradeInstructions(this.#addresses, this.wallet, order, state),
    ]);
    const { mint, tokenProgram } = this.#addresses;
    return { signature, bought: await this.#amount(mint, tokenProgram) };
  }

  /** Returns the output in lamports of wrapped SOL. */
  async sellInAmm(amountRaw: bigint): Promise<bigint> {
    const before = await this.#amount(WRAPPED_SOL_MINT, SPL_TOKEN);
    const order = { side: 'sell', mode: 'exact_in', amountRaw, limitRaw: 1n } as const;
    const state = { opens: false, isMigrated: true };
    await this.#land(tradeInstructions(this.#addresses, this.wallet, order, state));
    return (await this.#amount(WRAPPED_SOL_MINT, SPL_TOKEN)) - before;
  }

  async #amount(mint: string, tokenProgram: string): Promise<bigint> {
    const account = new PublicKey(tokenAccountOf(this.wallet, mint, tokenProgram));
    return BigInt((await this.#connection.getTokenAccountBalance(account)).value.amount);
  }

  async #land(instructions: readonly TransactionInstruction[]): Promise<string> {
    const { blockhash } = await this.#connection.getLatestBlockhash();
    const wire = signed(instructions, [this.#keypair], blockhash);
    return this.#confirmed(await this.#connection.sendRawTransaction(wire));
  }

  async #confirmed(signature: string): Promise<string> {
    const latest = await this.#connection.getLatestBlockhash();
    const { value } = await this.#connection.confirmTransaction({ signature, ...latest });
    if (value.err !== null) throw new Error(`failed: ${JSON.stringify(value.err)}`);
    return signature;
  }
}
