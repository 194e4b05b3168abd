import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import {
  AccountRole,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  createKeyPairSignerFromBytes,
  createTransactionMessage,
  getTransactionEncoder,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageComputeUnitPrice,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import {
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { curvePlans } from '../../sandbox/market/curve-kinds.ts';
import { type LaunchAddresses, tokenAccountOf } from '../../sandbox/market/launch-addresses.ts';
import { SPL_TOKEN } from '../../src/chain/accounts/programs.ts';
import { SwapInstructionsSchema } from '../../src/features/trading/instructions/schema.ts';
import { expectProblem } from '../support/api/problems.ts';
import { fundedWallet } from '../support/intents/submitted-intent.ts';
import { registerFeeAccount } from '../support/trading/fee-account.ts';
import { TradedMarket, type Trader } from '../support/trading/traded-market.ts';

interface Answer {
  walletAddress: string;
  instructions: {
    programAddress: string;
    accounts: { address: string; isSigner: boolean; isWritable: boolean }[];
    data: string;
  }[];
  signers: string[];
  lookupTables: string[];
  computeUnits: { consumed: number | null; limit: number; price: string };
  // biome-ignore lint/suspicious/noExplicitAny: its schema is tested elsewhere
  quote: any;
}

/** The transfer of one lamport that the composer adds. */
const OWN_LAMPORTS = 1n;
const NETWORK_FEE = 5_000n;
/** Units of the budget instructions and the transfer. */
const OWN_UNITS = 1_000;

let market: TradedMarket;
let trader: Trader;
let feeAccount: string;
const pools: LaunchAddresses[] = [];

beforeAll(async () => {
  market = await TradedMarket.start();
  trader = await market.trader();
  feeAccount = (await fundedWallet(market.chain.rpcUrl)).publicKey.toBase58();
  await registerFeeAccount(market, trader, feeAccount);
  pools.push(await market.launch(curvePlans.steady));
  const migrated = await market.launch(curvePlans.steady);
  await market.complete(migrated);
  market.migrate(migrated);
  pools.push(migrated);
  for (const { mint } of pools) {
    const { intentId } = await market.prepared(mint, trader, { side: 'buy', amountRaw: '2000000000' });
    expect(market.landSigned(await market.sign(intentId, trader))).toBeNull();
  }
  market.stopTime();
});
beforeEach(() => market.settle());

function ask(
  mint: string,
  body: object,
  headers: Record<string, string> = trader.key.header,
): Promise<Response> {
  return fetch(`${market.api.baseUrl}/tokens/${mint}/swap-instructions`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function instructionsOf(mint: string, body: object): Promise<Answer> {
  const response = await ask(mint, body);
  const answer = await response.json();
  if (response.status !== 200) throw new Error(JSON.stringify(answer));
  expect(Value.Check(SwapInstructionsSchema, answer)).toBe(true);
  return answer as Answer;
}

const blockhash = () => market.chain.ledger.ring.hashOf(market.chain.ledger.slot);
const toSelf = (wallet: PublicKey) =>
  SystemProgram.transfer({ fromPubkey: wallet, toPubkey: wallet, lamports: OWN_LAMPORTS });

/** Composes with @solana/web3.js: instructions of the caller around those of the swap. */
function withWeb3(
  { instructions, computeUnits }: Answer,
  [payer, ...others]: readonly [Keypair, ...Keypair[]],
  before: TransactionInstruction[] = [],
) {
  const message = new TransactionMessage({
    payerKey: payer.publicKey,
    recentBlockhash: blockhash(),
    instructions: [
      ComputeBudgetProgram.setComputeUnitLimit({ units: computeUnits.limit + OWN_UNITS }),
      ...before,
      ...instructions.map(
        ({ programAddress, accounts, data }) =>
          new TransactionInstruction({
            programId: new PublicKey(programAddress),
            keys: accounts.map(({ address: key, ...role }) => ({ pubkey: new PublicKey(key), ...role })),
            data: Buffer.from(data, 'base64'),
          }),
      ),
      toSelf(payer.publicKey),
    ],
  }).compileToV0Message();
  const transaction = new VersionedTransaction(message);
  transaction.sign([payer, ...others]);
  return transaction.serialize();
}

/** Composes with @solana/kit. */
async function withKit({ instructions, computeUnits }: Answer, wallet: Keypair): Promise<Uint8Array> {
  const signer = await createKeyPairSignerFromBytes(wallet.secretKey);
  const empty = setTransactionMessageFeePayerSigner(signer, createTransactionMessage({ version: 0 }));
  const living = setTransactionMessageLifetimeUsingBlockhash(
    { blockhash: blockhash() as Blockhash, lastValidBlockHeight: 0n },
    empty,
  );
  const role = ({ isSigner, isWritable }: { isSigner: boolean; isWritable: boolean }) => {
    if (isSigner) return isWritable ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER;
    return isWritable ? AccountRole.WRITABLE : AccountRole.READONLY;
  };
  const filled = appendTransactionMessageInstructions(
    instructions.map(({ programAddress, accounts, data }) => ({
      programAddress: address(programAddress),
      accounts: accounts.map((account) => ({ address: address(account.address), role: role(account) })),
      data: Uint8Array.from(Buffer.from(data, 'base64')),
    })),
    living,
  );
  const budgeted = setTransactionMessageComputeUnitPrice(
    0n,
    setTransactionMessageComputeUnitLimit(computeUnits.limit + OWN_UNITS, filled),
  );
  return Uint8Array.from(getTransactionEncoder().encode(await signTransactionMessageWithSigners(budgeted)));
}

const heldBy = (wallet: string, mint: string) => market.held(tokenAccountOf(wallet, mint, SPL_TOKEN));
const lamportsOf = (wallet: string) => market.chain.ledger.vm.getAccount(wallet)?.lamports ?? 0n;

describe('the instructions of a swap', () => {
  const orders = [
    { side: 'buy', amountRaw: '10000000' },
    { side: 'buy', mode: 'exact-out', amountRaw: '1000000', platformFeeBps: 100 },
    { side: 'sell', amountRaw: '1000000', platformFeeBps: 100 },
    { side: 'sell', mode: 'exact-out', amountRaw: '100000' },
    { side: 'sell', amountBps: 2_500 },
  ];
  const cases = [0, 1].flatMap((at) =>
    orders.flatMap((order) => (['web3.js', 'kit'] as const).map((library) => ({ at, library, ...order }))),
  );

  test.each(cases)(
    'land in a transaction of the caller with exactly the quoted amounts: %j',
    async ({ at, library, ...order }) => {
      const { mint } = pools[at] ?? expect.unreachable();
      const { wallet, key } = trader;
      const answer = await instructionsOf(mint, order);
      expect([answer.signers, answer.lookupTables]).toEqual([[key.walletAddress], []]);
      const before = {
        sol: lamportsOf(key.walletAddress),
        tokens: heldBy(key.walletAddress, mint),
        fee: lamportsOf(feeAccount),
      };
      const bytes = library === 'kit' ? await withKit(answer, wallet) : withWeb3(answer, [wallet]);
      expect(market.landSigned(bytes)).toBeNull();
      const { inputRaw, outputRaw, platformFee } = answer.quote;
      const sol = lamportsOf(key.walletAddress) - before.sol + NETWORK_FEE;
      const tokens = heldBy(key.walletAddress, mint) - before.tokens;
      expect([sol, tokens].map(String)).toEqual(
        order.side === 'buy' ? [`-${inputRaw}`, outputRaw] : [outputRaw, `-${inputRaw}`],
      );
      expect(lamportsOf(feeAccount) - before.fee).toBe(BigInt(platformFee?.lamports ?? 0));
    },
  );

  test('are for any wallet that is named, and cover what the simulation of that wallet used', async () => {
    const { mint } = pools[0] ?? expect.unreachable();
    const other = await fundedWallet(market.chain.rpcUrl);
    market.settle();
    const wallet = other.publicKey.toBase58();
    const answer = await instructionsOf(mint, { side: 'buy', amountRaw: '10000000', wallet });
    const { consumed, limit, price } = answer.computeUnits;
    expect(answer.walletAddress).toBe(wallet);
    expect(limit).toBeGreaterThan(consumed ?? limit);
    expect(price).toMatch(/^\d+$/);
    expect(market.landSigned(withWeb3(answer, [other]))).toBeNull();
    expect(String(heldBy(wallet, mint))).toBe(answer.quote.outputRaw);
  });

  test('that need another instruction before them are not simulated on request', async () => {
    const { mint } = pools[0] ?? expect.unreachable();
    const poor = Keypair.generate();
    const order = { side: 'buy', amountRaw: '50000000', wallet: poor.publicKey.toBase58() };
    const refused = await expectProblem(await ask(mint, order), 'swap_refused');
    expect(refused.context).toMatchObject({ reason: 'insufficient_funds' });
    const answer = await instructionsOf(mint, { ...order, simulate: false });
    expect(answer.computeUnits.consumed).toBeNull();
    // The payer of the transaction funds the wallet first.
    const { wallet } = trader;
    const funding = SystemProgram.transfer({
      fromPubkey: wallet.publicKey,
      toPubkey: poor.publicKey,
      lamports: 100_000_000n,
    });
    expect(market.landSigned(withWeb3(answer, [wallet, poor], [funding]))).toBeNull();
    expect(String(heldBy(poor.publicKey.toBase58(), mint))).toBe(answer.quote.outputRaw);
  });

  test('take no idempotency key, and leave no intent, event or stored response', async () => {
    const { mint } = pools[0] ?? expect.unreachable();
    const { database } = market.api.dependencies;
    const counts = () => database`
      select (select count(*) from transaction_intents), (select count(*) from events) as events,
        (select count(*) from idempotency_records) as responses`;
    const before = await counts();
    const body = { side: 'buy', amountRaw: '10000000' };
    const idempotencyKey = { ...trader.key.header, 'idempotency-key': 'the-same-for-both' };
    for (const headers of [trader.key.header, idempotencyKey, idempotencyKey]) {
      const response = await ask(mint, body, headers);
      expect([response.status, response.headers.get('idempotent-replayed')]).toEqual([200, null]);
      await response.text();
    }
    expect(await counts()).toEqual(before);
  });

  test('pay a platform fee only to the account of the key’s customer', async () => {
    const { mint } = pools[0] ?? expect.unreachable();
    const other = await market.trader();
    const order = { side: 'buy', amountRaw: '10000000', platformFeeBps: 100 };
    await expectProblem(await ask(mint, order, other.key.header), 'platform_fee_account_missing');
    const isWallet = await ask(mint, { ...order, wallet: feeAccount });
    await expectProblem(isWallet, 'platform_fee_account_unusable');
    const { instructions, quote } = await instructionsOf(mint, order);
    expect(quote.platformFee).toEqual({ bps: 100, lamports: '100000', account: feeAccount });
    const last = instructions.at(-1);
    expect(last?.accounts.map(({ address: key }) => key)).toEqual([trader.key.walletAddress, feeAccount]);
  });

  test.each<[string, string, Record<string, unknown>]>([
    ['no amount', 'amountRaw', { side: 'buy' }],
    ['a wallet that is none', 'wallet', { side: 'buy', amountRaw: '1', wallet: 'abc' }],
    [
      'a field of swaps that makes no sense',
      'transactionVersion',
      { side: 'buy', amountRaw: '1', transactionVersion: 'v0' },
    ],
    ['a fee account', 'feeAccount', { side: 'buy', amountRaw: '1', feeAccount: 'abc' }],
  ])('with %s are refused by the field', async (_name, field, body) => {
    const { mint } = pools[0] ?? expect.unreachable();
    const problem = await expectProblem(await ask(mint, body), 'validation_failed');
    expect(problem.errors?.map(({ path }) => path)).toEqual([`/body/${field}`]);
  });

  test('are refused for a body in another format, one that is too large, and an amount beyond 64 bits', async () => {
    const { mint } = pools[0] ?? expect.unreachable();
    const url = `${market.api.baseUrl}/tokens/${mint}/swap-instructions`;
    const post = (contentType: string, body: string) => {
      const headers = { ...trader.key.header, 'content-type': contentType };
      return fetch(url, { method: 'POST', headers, body });
    };
    await expectProblem(await post('text/plain', '{}'), 'unsupported_content_type');
    await expectProblem(await post('application/json', ' '.repeat(1_048_577)), 'request_body_too_large');
    const endless = await ask(mint, { side: 'buy', amountRaw: String(2n ** 64n) });
    await expectProblem(endless, 'swap_amount_out_of_range');
  });

  test('are refused beyond an earlier limit, and while no node answers', async () => {
    const { mint } = pools[0] ?? expect.unreachable();
    const order = { side: 'buy', amountRaw: '10000000' };
    const limitRaw = String(2n ** 63n);
    await expectProblem(await ask(mint, { ...order, limitRaw }), 'swap_quote_outdated');
    market.chain.setFaults({ down: 'unavailable' });
    await expectProblem(await ask(mint, order), 'chain_unavailable');
    market.chain.setFaults({});
  });
});
