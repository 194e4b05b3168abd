import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import type { ChainAccount } from '../../src/chain/accounts/account-data.ts';
import { readMint } from '../../src/chain/accounts/mint.ts';
import { findMintExtension } from '../../src/chain/accounts/mint-extensions.ts';
import { readPoolConfig } from '../../src/chain/accounts/pool-config.ts';
import { TOKEN_ACCOUNT_BYTES } from '../../src/chain/accounts/token-account.ts';
import { readTokenMetadata } from '../../src/chain/accounts/token-metadata.ts';
import { quotePerBase, wholeTokenPrice } from '../../src/chain/pools/spot-price.ts';
import { readChainTransaction } from '../../src/indexer/decode/chain-transaction.ts';
import { decodeTransaction } from '../../src/indexer/decode/decode-transaction.ts';
import type { Launch } from '../../src/indexer/decode/decoded-transaction.ts';
import { rawToDecimal } from '../../src/shared/decimal.ts';
import type { RecordedTransaction } from '../support/pools/curve-fixtures.ts';
import { lookup, toAccounts } from '../support/pools/damm-fixtures.ts';

interface LaunchFixture {
  name: string;
  steps: {
    what: string;
    transaction: RecordedTransaction;
    expected: {
      launches: { mint: string; pool: string; decimals: number }[];
      trades: unknown[];
      liquidityInSol: string | null;
    };
  }[];
  accountsAfter: Record<string, { owner: string; dataBase64: string }>;
}

const FOLDER = new URL('../fixtures/launch/', import.meta.url);
const fixtures: LaunchFixture[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json'))
  .sort()
  .map((file) => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')));

const NOBODY = '11111111111111111111111111111111';

/** A launch in the shape of the recordings: from its transaction, and from the accounts that it names. */
function described(launch: Launch, accounts: ReadonlyMap<string, ChainAccount>): unknown {
  const mint = readMint(accounts.get(launch.mintAddress) ?? null);
  const config = readPoolConfig(accounts.get(launch.configAddress) ?? null);
  const metadata = readTokenMetadata(accounts.get(launch.metadataAddress) ?? null);
  if (mint === null || config === null || metadata === null) throw new Error('an account is missing');
  expect(metadata).toMatchObject({
    mintAddress: launch.mintAddress,
    name: launch.name,
    symbol: launch.symbol,
    uri: launch.uri,
  });
  return {
    mint: launch.mintAddress,
    pool: launch.poolAddress,
    config: launch.configAddress,
    creator: launch.creator,
    payer: launch.payer,
    name: launch.name,
    symbol: launch.symbol,
    uri: launch.uri,
    decimals: mint.decimals,
    supply: rawToDecimal(mint.supplyRaw, mint.decimals),
    supplyRaw: String(mint.supplyRaw),
    tokenProgram: launch.tokenProgram,
    baseVault: launch.baseVault,
    quoteVault: launch.quoteVault,
    metadataAccount: launch.metadataAddress,
    metadataUpdateAuthority: metadata.updateAuthority ?? NOBODY,
    mintAuthority: mint.mintAuthority,
    freezeAuthority: mint.freezeAuthority,
    startSqrtPrice: String(config.sqrtStartPrice),
    startPriceInSol: wholeTokenPrice(quotePerBase(config.sqrtStartPrice), mint.decimals, 9),
    activationPoint: String(launch.activationPoint),
    createdSlot: Number(launch.slot),
    createdTime: (launch.blockTime?.getTime() ?? 0) / 1_000,
    outerIndex: launch.outerIndex,
    innerIndex: launch.innerIndex,
  };
}

describe.each(fixtures)('$name', ({ steps, accountsAfter }) => {
  const accounts = toAccounts(accountsAfter);
  const pools = lookup(
    steps.flatMap(({ expected }) =>
      expected.launches.map(({ pool, mint, decimals }) => ({
        poolAddress: pool,
        mintAddress: mint,
        decimals,
      })),
    ),
  );

  test('each launch and each first buy is exactly as recorded; failed ones do not count', () => {
    for (const { transaction, expected } of steps) {
      const decoded = decodeTransaction(readChainTransaction(transaction), pools);
      expect(decoded.launches.map((launch) => described(launch, accounts))).toEqual(expected.launches);
      expect(decoded.poolCreated).toBe(expected.launches.length > 0);
      const rows = decoded.trades.map(({ blockTime: _, liquidityInSol: __, slot, ...row }) => ({
        ...row,
        slot: Number(slot),
      }));
      expect(rows).toEqual(expected.trades as never);
      expect<unknown>(decoded.trades.at(-1)?.liquidityInSol ?? null).toBe(expected.liquidityInSol);
      expect([decoded.unknownEvents.size, ...decoded.skippedSwaps, ...decoded.skippedEvents]).toEqual([0]);
    }
  });

  test('a launch of a token that is not known yields nothing', () => {
    for (const { transaction } of steps)
      expect(decodeTransaction(readChainTransaction(transaction), new Map())).toMatchObject({
        launches: [],
        trades: [],
        poolCreated: false,
      });
  });
});

test('metadata that is cut short or missing is not guessed at', () => {
  for (const { accountsAfter } of fixtures)
    for (const [, account] of toAccounts(accountsAfter)) {
      const whole = readTokenMetadata(account);
      for (let length = 0; length < account.data.length; length += 1) {
        const cut = readTokenMetadata({ ...account, data: account.data.subarray(0, length) });
        if (cut !== null) expect(cut).toEqual(whole as never);
      }
      expect(readTokenMetadata({ ...account, owner: NOBODY })).toBeNull();
    }
  expect(readTokenMetadata(null)).toBeNull();
});

test('an extension that claims more than its mint holds has no value', () => {
  const data = Buffer.alloc(TOKEN_ACCOUNT_BYTES + 1 + 4 + 8);
  data.writeUInt16LE(19, TOKEN_ACCOUNT_BYTES + 1);
  data.writeUInt16LE(8, TOKEN_ACCOUNT_BYTES + 3);
  expect(findMintExtension(data, 19)).toHaveLength(8);
  data.writeUInt16LE(9, TOKEN_ACCOUNT_BYTES + 3);
  expect(findMintExtension(data, 19)).toBeNull();
});
