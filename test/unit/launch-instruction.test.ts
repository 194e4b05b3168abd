import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import bs58 from 'bs58';
import { curvePoolAddresses, metadataAddress } from '../../src/chain/accounts/derived-addresses.ts';
import {
  BONDING_CURVE,
  INSTRUCTIONS_SYSVAR,
  SPL_TOKEN,
  WRAPPED_SOL_MINT,
} from '../../src/chain/accounts/programs.ts';
import { readCurveConfig } from '../../src/chain/pools/curve/config-account.ts';
import { quoteFirstBuy } from '../../src/chain/pools/curve/first-buy.ts';
import { launchSupplyRaw } from '../../src/chain/pools/curve/launch-supply.ts';
import { createCurvePool } from '../../src/chain/transactions/launch-instruction.ts';
import { decimalToRaw } from '../../src/shared/decimal.ts';
import type { ExpectedTrade, RecordedTransaction } from '../support/pools/curve-fixtures.ts';
import { toAccounts } from '../support/pools/damm-fixtures.ts';

interface RecordedLaunch {
  mint: string;
  pool: string;
  config: string;
  creator: string;
  payer: string;
  name: string;
  symbol: string;
  uri: string;
  decimals: number;
  supplyRaw: string;
  tokenProgram: string;
  baseVault: string;
  quoteVault: string;
  metadataAccount: string;
  outerIndex: number;
}

interface LaunchFixture {
  name: string;
  steps: {
    what: string;
    transaction: RecordedTransaction & {
      transaction: { message: { header: Record<string, number> } };
    };
    expected: { launches: RecordedLaunch[]; trades: ExpectedTrade[] };
  }[];
  accountsAfter: Record<string, { owner: string; dataBase64: string }>;
}

const FOLDER = new URL('../fixtures/launch/', import.meta.url);
const SWAP_AMOUNT_OFFSET = 8;
const cases = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json'))
  .sort()
  .flatMap((file) => {
    const fixture: LaunchFixture = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'));
    const accounts = toAccounts(fixture.accountsAfter);
    return fixture.steps.flatMap(({ what, transaction, expected }) =>
      expected.launches.map((launch) => {
        const config = readCurveConfig(accounts.get(launch.config) ?? null);
        if (config === null) throw new Error(`${file} has no config`);
        return [
          `${fixture.name}: ${what}`,
          { launch, transaction, config, trades: expected.trades },
        ] as const;
      }),
    );
  });

/** All accounts of a transaction, in order. */
function keysOf({ transaction, meta }: RecordedTransaction): string[] {
  return [
    ...transaction.message.accountKeys,
    ...meta.loadedAddresses.writable,
    ...meta.loadedAddresses.readonly,
  ];
}

describe('launches as the programs carried them out (reference/solana#curve-launch)', () => {
  test('there are recordings of both kinds of token', () => {
    expect(cases.length).toBeGreaterThanOrEqual(7);
    expect(new Set(cases.map(([, { launch }]) => launch.tokenProgram)).size).toBe(2);
  });

  test.each(cases)(
    '%s: the instruction has the same bytes and accounts',
    async (_name, { launch, transaction }) => {
      const { config, mint, tokenProgram, creator, payer, name, symbol, uri } = launch;
      const addresses = await curvePoolAddresses(config, mint, WRAPPED_SOL_MINT);
      expect(addresses).toEqual({
        pool: launch.pool,
        baseVault: launch.baseVault,
        quoteVault: launch.quoteVault,
      });
      if (tokenProgram === SPL_TOKEN) expect(await metadataAddress(mint)).toBe(launch.metadataAccount);
      const pool = { config, mint, quoteMint: WRAPPED_SOL_MINT, tokenProgram, ...addresses };
      const built = await createCurvePool(pool, creator, { name, symbol, uri });
      const keys = keysOf(transaction);
      const recorded = transaction.transaction.message.instructions[launch.outerIndex];
      expect(keys[recorded?.programIdIndex ?? -1]).toBe(BONDING_CURVE);
      expect(built.data).toEqual(Buffer.from(bs58.decode(recorded?.data ?? '')));
      // The recordings also hold payers that are not the creator.
      const place = tokenProgram === SPL_TOKEN ? 10 : 8;
      const accounts = recorded?.accounts.map((at, index) =>
        index === place && keys[at] === payer ? creator : keys[at],
      );
      expect(built.accounts.map(({ address }) => address)).toEqual(accounts as string[]);
      const signers = keys.slice(0, transaction.transaction.message.header.numRequiredSignatures);
      for (const { address, isSigner } of built.accounts) if (isSigner) expect(signers).toContain(address);
    },
  );

  test.each(cases)('%s: the supply follows from the config', (_name, { launch, config }) => {
    expect(launchSupplyRaw(config)).toBe(BigInt(launch.supplyRaw));
  });

  const bought = cases.filter(([, { trades }]) => trades.length > 0);
  test.each(bought)(
    '%s: the first buy is computed to the last unit',
    (_name, { launch, transaction, config, trades }) => {
      const [trade] = trades;
      if (trade === undefined) throw new Error('no trade');
      const keys = keysOf(transaction);
      const swap = transaction.transaction.message.instructions[trade.outerIndex];
      // Without the sysvar the program does not take it for the first buy, and the service never builds that.
      if (keys[swap?.accounts.at(-1) ?? -1] !== INSTRUCTIONS_SYSVAR) return;
      const lamports = Buffer.from(bs58.decode(swap?.data ?? '')).readBigUInt64LE(SWAP_AMOUNT_OFFSET);
      const quote = quoteFirstBuy(config, lamports, 'exact_in');
      expect(quote).toMatchObject({
        outcome: 'swapped',
        inRaw: decimalToRaw(trade.solAmount as never, 9),
        outRaw: decimalToRaw(trade.tokenAmount as never, launch.decimals),
      });
    },
  );
});
