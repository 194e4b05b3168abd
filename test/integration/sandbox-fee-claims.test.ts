import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { startChain } from '../../sandbox/chain/server.ts';
import { parseTransaction } from '../../sandbox/chain/wire-transaction.ts';
import { Feed } from '../../sandbox/market/feed.ts';
import { Market } from '../../sandbox/market/market.ts';
import { MarketState } from '../../sandbox/market/market-state.ts';
import { SolanaRpc } from '../../sandbox/shared/solana-rpc.ts';
import { SPL_TOKEN, WRAPPED_SOL_MINT } from '../../src/chain/accounts/programs.ts';
import { associatedAccount } from '../../src/chain/transactions/token-instructions.ts';
import { findFeeState } from '../../src/features/fees/find-fee-state.ts';
import { listFeeDistributions } from '../../src/features/fees/list-fee-distributions.ts';
import type { FeeState } from '../../src/features/fees/schema.ts';
import { feeStates } from '../../src/indexer/fees/run-fee-states.ts';
import { startIndexer } from '../support/market/chain-indexer.ts';
import { openIngestStream } from '../support/market/ingest-stream.ts';
import { feeDependencies } from '../support/market/pool-fees.ts';
import { runAdmin } from '../support/operations/admin-program.ts';
import { runTestJob } from '../support/processes/run-job.ts';
import { asWorker, silentLog } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTempDir } from '../support/run/temp-dir.ts';
import { signBytes } from '../support/trading/traded-market.ts';

const LIFE_TIMEOUT_MS = 300_000;

test('creators and the platform of the market claim on chain, and what is left for its user pays the sum that was shown', async () => {
  const stream = await openIngestStream();
  await stream.reset();
  const chain = await startChain({ slotMs: 50, blockhashWindow: 1_500 });
  atEnd(() => chain.stop());
  const rpc = new SolanaRpc(chain.rpcUrl);
  const stop = new AbortController();
  const user = Keypair.generate();
  const state = MarketState.open(join(createTempDir('market'), 'market.json'), await rpc.genesisHash());
  const market = new Market({
    state,
    rpc,
    feed: new Feed(stream.connection, silentLog, stop.signal),
    log: silentLog,
    signal: stop.signal,
    giftTo: user.publicKey.toBase58(),
    creator: user,
    pauseMs: () => 0,
    claimEveryMs: 100,
  });
  const toCome = await market.open();
  const indexer = startIndexer(stream, [chain.rpcUrl]);
  const dependencies = feeDependencies(asWorker(stream.db), [chain.rpcUrl]);
  const fees = runTestJob(feeStates(dependencies), { signal: stop.signal });
  const running = market.run(toCome);
  const [first, second] = state.tokens;
  if (first === undefined || second === undefined) throw new Error('the market has no tokens');
  const mintOf = (token: typeof first) => token.mint.publicKey.toBase58();
  const stateOf = async (token: typeof first, wallet: string): Promise<FeeState | null> => {
    const found = await findFeeState(stream.db, mintOf(token), wallet);
    return found === 'unknown' ? null : found;
  };
  const rolesOf = async (token: typeof first) =>
    new Set(
      (await listFeeDistributions(stream.db, mintOf(token), { limit: 100 }))?.items.map(({ role }) => role),
    );

  expect(first.creator.publicKey).toEqual(user.publicKey);
  await eventually(
    'the platform and a creator are paid, and the user has something to claim',
    async () => {
      const own = await stateOf(first, user.publicKey.toBase58());
      return (
        BigInt(own?.claimableLamports ?? 0) > 0n &&
        (await rolesOf(first)).has('platform') &&
        (await rolesOf(second)).has('creator')
      );
    },
    LIFE_TIMEOUT_MS,
  );
  expect(await rolesOf(first)).toEqual(new Set(['platform']));
  await expectChainsOwnClaims();
  stop.abort();
  await Promise.all([running, fees]);
  await indexer.stop();
  expect(await stream.rejections()).toEqual([]);
  expect(await expectExactPayment(user)).toBeGreaterThan(0n);
  await expectExactPayment(state.fees);

  /**
   * Signs and lands everything that a wallet of the market can claim: it receives the sum that was claimable, less the
   * fees and rents that were named. Returns the sum.
   */
  async function expectExactPayment(wallet: Keypair): Promise<bigint> {
    const address = wallet.publicKey.toBase58();
    const { host, port, database, user: login, pass } = stream.db.options;
    const password = typeof pass === 'string' ? `:${encodeURIComponent(pass)}` : '';
    const environment = {
      DATABASE_URL: `postgres://${login}${password}@${host[0]}:${port[0]}/${database}`,
      SOLANA_RPC_URL: chain.rpcUrl,
    };
    const run = async (verb: string) => {
      const { code, output } = await runAdmin(['fees', verb, '--wallet', address, '--json'], environment);
      expect(code === 0 ? '' : output).toBe('');
      return JSON.parse(output);
    };
    const { wallets } = await run('show');
    const claimable = BigInt(wallets[0].lamports);
    if (claimable === 0n) return claimable;
    const { transactions, leftOut, remaining, nextMint } = await run('prepare');
    expect({ leftOut, remaining, nextMint }).toEqual({ leftOut: [], remaining: [], nextMint: null });
    const lamports = () => chain.ledger.vm.getAccount(address)?.lamports ?? 0n;
    // Its account of wrapped SOL is closed, as by every claim.
    const wrapped = await associatedAccount(address, WRAPPED_SOL_MINT, SPL_TOKEN);
    const before = lamports() + (chain.ledger.vm.getAccount(wrapped.address)?.lamports ?? 0n);
    let costs = 0n;
    for (const planned of Object.values<Record<string, string>>(transactions)) {
      costs += BigInt(planned.networkFeeLamports ?? '') + BigInt(planned.rentLamports ?? '');
      const signed = signBytes(Buffer.from(planned.transaction ?? '', 'base64'), wallet);
      expect(chain.ledger.land(parseTransaction(signed)).err).toBeNull();
    }
    expect(lamports() - before).toBe(claimable - costs);
    return claimable;
  }

  /** Every payment listed is what the token balances of its transaction say that the recipient was paid. */
  async function expectChainsOwnClaims(): Promise<void> {
    for (const token of state.tokens) {
      const { items = [] } = (await listFeeDistributions(stream.db, mintOf(token), { limit: 100 })) ?? {};
      for (const { transactionSignature, recipientWallet, amountLamports } of items) {
        const meta = JSON.parse(chain.ledger.history.bySignature(transactionSignature)?.metaJson ?? '{}');
        const held = (side: 'pre' | 'post') =>
          BigInt(
            meta[`${side}TokenBalances`].find(
              ({ owner, mint }: { owner: string; mint: string }) =>
                owner === recipientWallet && mint === 'So11111111111111111111111111111111111111112',
            )?.uiTokenAmount.amount ?? 0,
          );
        expect(held('post') - held('pre')).toBe(BigInt(amountLamports));
      }
    }
  }
});
