import { DAMM_V1_MIGRATION_FEE_ADDRESS } from '@meteora-ag/dynamic-bonding-curve-sdk';
import type { ChainAccount } from '../../../src/chain/accounts/account-data.ts';
import { divideDecimals, rawToDecimal } from '../../../src/shared/decimal.ts';
import { signatureOf } from '../market/market-arbitraries.ts';
import { NATIVE_MINT } from '../token-account-data.ts';
import { builtTransaction, routed } from './built-transaction.ts';
import type { ExpectedTrade, RecordedTransaction } from './curve-fixtures.ts';
import { type DammFixture, dammFixture } from './damm-fixtures.ts';
import { type BuiltCall, DammV1Market, type MadeSwap, transfer } from './damm-v1-market.ts';
import { sdkInstruction } from './damm-v1-sdk.ts';
import { addressOf, idlInstruction } from './program-idl.ts';

const MIGRATION_OPTION = 233;
const MIGRATION_FEE_OPTION = 243;
const FEE_OPTION = 2;
const QUOTE_MOVED = 84_000_000_000n;
const BASE_MOVED = 200_000_000_000_000n;

/**
 * A token whose curve migrates into DAMM v1 instead of DAMM v2. It uses the history of test/fixtures/damm up
 * to the migration, then built transactions, because no migration into DAMM v1 is recorded.
 */
export class DammV1Life {
  readonly fixture: DammFixture;
  readonly market: DammV1Market;
  readonly mintAddress: string;
  readonly curveTransactions: RecordedTransaction[];
  readonly migration: RecordedTransaction;
  /** The accounts of the curve after the migration. */
  readonly curveAccounts: ReadonlyMap<string, ChainAccount>;
  readonly expected: ExpectedTrade[];
  #last: { slot: number; seconds: number };
  #count = 0;

  constructor(letter: string) {
    this.fixture = dammFixture(letter);
    const { known, steps, accountsAfter } = this.fixture;
    this.mintAddress = known.baseMint;
    const at = steps.findIndex(({ expected }) => expected.migrated !== null);
    const migration = steps[at];
    if (migration === undefined) throw new Error('the history has no migration');
    const before = steps.slice(0, at);
    this.curveTransactions = before.map(({ transaction }) => transaction);
    this.expected = before.flatMap(({ expected }) =>
      expected.trades.map(({ venue: _venue, ...trade }) => trade),
    );
    const config = String(DAMM_V1_MIGRATION_FEE_ADDRESS[FEE_OPTION]);
    this.market = new DammV1Market({
      mintAddress: this.mintAddress,
      config,
      // Other pools also use the vault of SOL, which has locked profit.
      sol: {
        totalRaw: QUOTE_MOVED * 1_000n,
        lockedProfitRaw: 12_345_678n,
        lastReportSeconds: BigInt(migration.transaction.blockTime ?? 0) - 1_000n,
        lockedProfitDegradation: 46_000_000n,
        supply: QUOTE_MOVED * 900n,
        shares: (QUOTE_MOVED * 9n) / 10n,
      },
      token: {
        totalRaw: BASE_MOVED,
        supply: BASE_MOVED,
        shares: BASE_MOVED,
        lockedProfitRaw: 0n,
        lastReportSeconds: 0n,
        lockedProfitDegradation: 0n,
      },
    });
    const { slot, blockTime } = migration.transaction;
    this.#last = { slot, seconds: Number(blockTime) };
    this.migration = this.#transaction([this.#migrate(config)]);
    this.curveAccounts = migratedTo(accountsAfter, known.config ?? '');
  }

  #migrate(config: string): BuiltCall {
    const { known } = this.fixture;
    const given = {
      virtual_pool: known.pool ?? '',
      config: known.config ?? '',
      pool: this.market.poolAddress,
      damm_config: config,
      token_a_mint: this.mintAddress,
      token_b_mint: NATIVE_MINT,
      amm_program: 'Eo7WjKq67rjJQSZxS6z3YkapzY3eMj6Xy8X5EQVn5UaB',
    };
    const opening = sdkInstruction('amm', 'initializePermissionlessConstantProductPoolWithConfig', {
      pool: this.market.poolAddress,
    });
    const authority = addressOf('pool_authority');
    const migration = idlInstruction('dbc', 'migrate_meteora_damm', given);
    const [token, sol] = this.market.sides;
    return {
      ...migration,
      accounts: [...migration.accounts],
      inner: [
        transfer(addressOf('base_vault'), token.tokenVault, authority, BASE_MOVED),
        transfer(addressOf('quote_vault'), sol.tokenVault, authority, QUOTE_MOVED),
        { ...opening, inner: [] },
      ],
    };
  }

  /** The time of the newest transaction. */
  get seconds(): bigint {
    return BigInt(this.#last.seconds);
  }

  /** Adds a transaction of swaps, at top level or through a router, and the trades expected from it. */
  trade(
    orders: readonly { gives: 'sol' | 'token'; inRaw: bigint; trader?: string }[],
    { isRouted = false, failed = false } = {},
  ): RecordedTransaction {
    this.#last = { slot: this.#last.slot + 1, seconds: this.#last.seconds + 1 };
    const before = this.market.sides.map(({ numbers }) => ({ ...numbers }));
    const swaps = orders.map(({ trader = addressOf('a trader'), ...order }) => {
      const swap = this.market.swap({ ...order, trader, unixSeconds: this.seconds });
      if (swap === null) throw new Error('the library refuses');
      return swap;
    });
    const calls = swaps.map(({ call }) => call);
    const recorded = this.#transaction(isRouted ? [routed(calls, 2)] : calls, failed);
    if (failed) {
      for (const [at, { numbers }] of this.market.sides.entries()) Object.assign(numbers, before[at]);
      return recorded;
    }
    let routedInner = 2;
    for (const [at, swap] of swaps.entries()) {
      // A swap makes these inner calls: the fee, a deposit and a withdrawal of two instructions each. The
      // withdrawal's first one pays.
      const [outerIndex, innerIndex] = isRouted ? [0, routedInner + 5] : [at, 5];
      routedInner += 8;
      this.expected.push(this.#expected(swap, recorded, outerIndex, innerIndex));
    }
    return recorded;
  }

  #expected(swap: MadeSwap, recorded: RecordedTransaction, outerIndex: number, innerIndex: number) {
    const [solAmount, tokenAmount] = [
      rawToDecimal(swap.solRaw, 9),
      rawToDecimal(swap.tokenRaw, this.fixture.decimals),
    ];
    const trade = {
      type: swap.type,
      traderWallet: swap.trader,
      mintAddress: this.mintAddress,
      poolAddress: this.market.poolAddress,
      solAmount,
      tokenAmount,
      pricePerTokenInSol: divideDecimals(solAmount, tokenAmount),
      spotPriceInSol: null,
      outerIndex,
      innerIndex,
      slot: recorded.slot,
      signature: recorded.transaction.signatures[0] ?? '',
    };
    return trade as unknown as ExpectedTrade;
  }

  #transaction(calls: readonly BuiltCall[], failed = false): RecordedTransaction {
    this.#count += 1;
    const [token, sol] = this.market.sides;
    return builtTransaction(calls, {
      signature: signatureOf(7_000 + this.#count),
      slot: this.#last.slot,
      blockTime: this.#last.seconds,
      transactionIndex: this.#count,
      failed,
      mints: { [token.tokenVault]: token.mint, [sol.tokenVault]: sol.mint },
    });
  }

  /** The current accounts of the curve and of the pool with its vaults. */
  accounts(): ReadonlyMap<string, ChainAccount> {
    return new Map([...this.curveAccounts, ...this.market.accounts(this.seconds)]);
  }

  /** SOL in the pool by the library's arithmetic. */
  liquidityInSol(): string {
    return rawToDecimal(this.market.solRaw(this.seconds), 9);
  }
}

/** The recorded accounts with a config that migrates to DAMM v1. */
function migratedTo(accounts: ReadonlyMap<string, ChainAccount>, configAddress: string) {
  const config = accounts.get(configAddress);
  if (config === undefined) throw new Error('the history has no config');
  const data = Buffer.from(config.data);
  data[MIGRATION_OPTION] = 0;
  data[MIGRATION_FEE_OPTION] = FEE_OPTION;
  return new Map([...accounts, [configAddress, { ...config, data }]]);
}
