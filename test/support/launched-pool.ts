import { CpAmm } from '@meteora-ag/cp-amm-sdk';
import {
  ActivationType,
  BaseFeeMode,
  buildCurve,
  CollectFeeMode,
  DAMM_V2_MIGRATION_FEE_ADDRESS,
  DynamicBondingCurveClient,
  deriveDammV2PoolAddress,
  deriveDbcPoolAddress,
  MigratedCollectFeeMode,
  MigrationFeeOption,
  MigrationOption,
  SwapMode,
  TokenAuthorityOption,
  TokenDecimal,
  TokenType,
} from '@meteora-ag/dynamic-bonding-curve-sdk';
import {
  type Connection,
  Keypair,
  PublicKey,
  sendAndConfirmTransaction,
  type Transaction,
} from '@solana/web3.js';
import BN from 'bn.js';
import { SPL_TOKEN, TOKEN_2022 } from '../../src/chain/accounts/programs.ts';
import { NATIVE_MINT } from './token-account-data.ts';

const SOL = new PublicKey(NATIVE_MINT);
const SOL_RAW = 1_000_000_000;
const EVERYTHING = new BN('18446744073709551615');

export interface LaunchKind {
  isToken2022: boolean;
  /** False gives the AMM pool a fixed fee of one percent. */
  hasCustomizableFee: boolean;
  hasVesting: boolean;
  /** The metadata's address is cut to this many bytes. */
  uriBytes?: number;
  /** Tokens that are left over after the migration. Default: none. */
  leftoverTokens?: number;
}

/** Takes a token through its whole life with the programs' client libraries, over RPC and WebSocket. */
export class LaunchedPool {
  readonly partner = Keypair.generate();
  readonly creator = Keypair.generate();
  readonly trader = Keypair.generate();
  readonly #config = Keypair.generate();
  readonly #mint = Keypair.generate();
  readonly #connection: Connection;
  readonly #kind: LaunchKind;
  readonly #curve: DynamicBondingCurveClient;
  readonly #amm: CpAmm;

  constructor(connection: Connection, kind: LaunchKind) {
    this.#connection = connection;
    this.#kind = kind;
    this.#curve = DynamicBondingCurveClient.create(connection, 'confirmed');
    this.#amm = new CpAmm(connection);
  }

  get mint(): string {
    return this.#mint.publicKey.toBase58();
  }

  get config(): string {
    return this.#config.publicKey.toBase58();
  }

  /** The curve's pool. */
  get pool(): string {
    return this.#address.toBase58();
  }

  get #address(): PublicKey {
    return deriveDbcPoolAddress(SOL, this.#mint.publicKey, this.#config.publicKey);
  }

  get #migrationOption(): MigrationFeeOption {
    return this.#kind.hasCustomizableFee ? MigrationFeeOption.Customizable : MigrationFeeOption.FixedBps100;
  }

  /** Bytes of the mint's account. */
  async mintBytes(): Promise<number> {
    const account = await this.#connection.getAccountInfo(this.#mint.publicKey, 'confirmed');
    return account?.data.length ?? 0;
  }

  async send(transaction: Transaction, ...signers: readonly [Keypair, ...Keypair[]]): Promise<void> {
    transaction.feePayer = signers[0].publicKey;
    await sendAndConfirmTransaction(this.#connection, transaction, [...signers], { commitment: 'confirmed' });
  }

  async fund(): Promise<void> {
    for (const { publicKey } of [this.partner, this.creator, this.trader]) {
      const signature = await this.#connection.requestAirdrop(publicKey, 500 * SOL_RAW);
      const latest = await this.#connection.getLatestBlockhash();
      await this.#connection.confirmTransaction({ signature, ...latest });
    }
  }

  /** Creates a config and a pool. The creator buys in the creating transaction. */
  async launch(): Promise<void> {
    const { publicKey: partner } = this.partner;
    const parties = { feeClaimer: partner, leftoverReceiver: partner, payer: partner, quoteMint: SOL };
    const terms = { ...this.#terms(), config: this.#config.publicKey };
    await this.send(
      await this.#curve.partner.createConfig({ ...terms, ...parties }),
      this.partner,
      this.#config,
    );
    const creator = this.creator.publicKey;
    const uri = 'https://example.org/token.json'.slice(0, this.#kind.uriBytes);
    const texts = { name: 'A token', symbol: 'TOK', uri };
    const keys = {
      baseMint: this.#mint.publicKey,
      config: this.#config.publicKey,
      payer: creator,
      poolCreator: creator,
    };
    const transaction = await this.#curve.creator.createPoolWithFirstBuy({
      createPoolParam: { ...texts, ...keys },
      firstBuyParam: {
        buyer: creator,
        buyAmount: new BN(SOL_RAW),
        minimumAmountOut: new BN(1),
        referralTokenAccount: null,
      },
    });
    await this.send(transaction, this.creator, this.#mint);
  }

  #terms() {
    const { isToken2022, hasCustomizableFee, hasVesting, leftoverTokens = 0 } = this.#kind;
    return buildCurve({
      token: {
        tokenType: isToken2022 ? TokenType.Token2022 : TokenType.SPLToken,
        tokenBaseDecimal: TokenDecimal.SIX,
        tokenQuoteDecimal: TokenDecimal.NINE,
        tokenAuthorityOption: TokenAuthorityOption.Immutable,
        totalTokenSupply: 1_000_000_000,
        leftover: leftoverTokens,
      },
      fee: {
        baseFeeParams: {
          baseFeeMode: BaseFeeMode.FeeSchedulerLinear,
          feeSchedulerParam: { startingFeeBps: 100, endingFeeBps: 100, numberOfPeriod: 0, totalDuration: 0 },
        },
        dynamicFeeEnabled: true,
        collectFeeMode: CollectFeeMode.QuoteToken,
        creatorTradingFeePercentage: 20,
        poolCreationFee: 0,
        enableFirstSwapWithMinFee: false,
      },
      migration: {
        migrationOption: MigrationOption.MET_DAMM_V2,
        migrationFeeOption: this.#migrationOption,
        migrationFee: { feePercentage: 5, creatorFeePercentage: 50 },
        ...(hasCustomizableFee && {
          migratedPoolFee: {
            collectFeeMode: MigratedCollectFeeMode.OutputToken,
            dynamicFee: 1,
            poolFeeBps: 150,
          },
        }),
      },
      liquidityDistribution: {
        partnerLiquidityPercentage: 20,
        partnerPermanentLockedLiquidityPercentage: 40,
        creatorLiquidityPercentage: 30,
        creatorPermanentLockedLiquidityPercentage: 10,
      },
      lockedVesting: {
        totalLockedVestingAmount: hasVesting ? 10_000_000 : 0,
        numberOfVestingPeriod: hasVesting ? 10 : 0,
        cliffUnlockAmount: 0,
        totalVestingDuration: hasVesting ? 1_000 : 0,
        cliffDurationFromMigrationTime: 0,
      },
      activationType: ActivationType.Timestamp,
      percentageSupplyOnMigration: 20,
      migrationQuoteThreshold: 30,
    });
  }

  /** Buys with the library's quote as the minimum output. */
  async buyAtQuote(sol: number): Promise<void> {
    const amountIn = new BN(sol * SOL_RAW);
    const pool = await this.#curve.state.getPool(this.#address);
    const config = await this.#curve.state.getPoolConfig(this.#config.publicKey);
    if (pool === null || config === null) throw new Error('the pool does not exist');
    const now = (await this.#connection.getBlockTime(await this.#connection.getSlot())) ?? 0;
    const quote = this.#curve.pool.swapQuote({
      virtualPool: pool,
      config,
      swapBaseForQuote: false,
      amountIn,
      hasReferral: false,
      eligibleForFirstSwapWithMinFee: false,
      currentPoint: new BN(now),
    });
    const request = { swapMode: SwapMode.ExactIn, amountIn, minimumAmountOut: quote.outputAmount } as const;
    await this.#trade({ ...request, swapBaseForQuote: false });
  }

  async sell(tokens: number): Promise<void> {
    const request = {
      swapMode: SwapMode.ExactIn,
      amountIn: new BN(tokens),
      minimumAmountOut: new BN(1),
    } as const;
    await this.#trade({ ...request, swapBaseForQuote: true });
  }

  /** Buys more than the rest of the curve. */
  async complete(): Promise<void> {
    const amountIn = new BN(100 * SOL_RAW);
    const request = { swapMode: SwapMode.PartialFill, amountIn, minimumAmountOut: new BN(1) } as const;
    await this.#trade({ ...request, swapBaseForQuote: false });
  }

  async #trade(request: {
    swapMode: SwapMode.ExactIn | SwapMode.PartialFill;
    amountIn: BN;
    minimumAmountOut: BN;
    swapBaseForQuote: boolean;
  }): Promise<void> {
    const owner = this.trader.publicKey;
    const common = { owner, pool: this.#address, referralTokenAccount: null };
    const transaction =
      request.swapMode === SwapMode.ExactIn
        ? await this.#curve.pool.swap2({ ...common, ...request, swapMode: SwapMode.ExactIn })
        : await this.#curve.pool.swap2({ ...common, ...request, swapMode: SwapMode.PartialFill });
    await this.send(transaction, this.trader);
  }

  async claimPartnerFee(): Promise<void> {
    const { publicKey } = this.partner;
    const amounts = { maxBaseAmount: EVERYTHING, maxQuoteAmount: EVERYTHING };
    const parties = { feeClaimer: publicKey, payer: publicKey, pool: this.#address };
    await this.send(
      await this.#curve.partner.claimPartnerTradingFee({ ...parties, ...amounts }),
      this.partner,
    );
  }

  async migrate(): Promise<void> {
    const payer = this.trader.publicKey;
    if (this.#kind.hasVesting)
      await this.send(await this.#curve.migration.createLocker({ payer, pool: this.#address }), this.trader);
    const { transaction, firstPositionNftKeypair, secondPositionNftKeypair } =
      await this.#curve.migration.migrateToDammV2({
        payer,
        pool: this.#address,
        dammConfig: this.#ammConfig,
      });
    await this.send(transaction, this.trader, firstPositionNftKeypair, secondPositionNftKeypair);
  }

  get #ammConfig(): PublicKey {
    const config = DAMM_V2_MIGRATION_FEE_ADDRESS[this.#migrationOption];
    if (config === undefined) throw new Error('the library knows no such config');
    return config;
  }

  async #ammPool() {
    const pool = deriveDammV2PoolAddress(this.#ammConfig, this.#mint.publicKey, SOL);
    const { tokenAMint, tokenBMint, tokenAVault, tokenBVault } = await this.#amm.fetchPoolState(pool);
    const tokenAProgram = new PublicKey(this.#kind.isToken2022 ? TOKEN_2022 : SPL_TOKEN);
    const tokenBProgram = new PublicKey(SPL_TOKEN);
    return { pool, tokenAMint, tokenBMint, tokenAVault, tokenBVault, tokenAProgram, tokenBProgram };
  }

  /** Buys and sells in the AMM pool. */
  async tradeAfterMigration(): Promise<void> {
    const pool = await this.#ammPool();
    const directions = [
      { inputTokenMint: SOL, outputTokenMint: this.#mint.publicKey, amountIn: new BN(SOL_RAW) },
      { inputTokenMint: this.#mint.publicKey, outputTokenMint: SOL, amountIn: new BN(1_000_000_000) },
    ];
    for (const direction of directions) {
      const request = { ...direction, minimumAmountOut: new BN(1), referralTokenAccount: null };
      const transaction = await this.#amm.swap({ ...pool, ...request, payer: this.trader.publicKey });
      await this.send(transaction, this.trader);
    }
  }

  /** The positions that an owner has, and the AMM pool. */
  async positionsOf(owner: Keypair): Promise<{ position: string; nftMint: string; pool: string }[]> {
    const { pool } = await this.#ammPool();
    const positions = await this.#amm.getPositionsByUser(owner.publicKey);
    return positions.map(({ position, positionState }) => ({
      position: position.toBase58(),
      nftMint: positionState.nftMint.toBase58(),
      pool: pool.toBase58(),
    }));
  }

  /** Claims the fees of the position that an owner got in the migration. Returns the number of the owner's
   * positions. */
  async claimPositions(owner: Keypair): Promise<number> {
    const pool = await this.#ammPool();
    const positions = await this.#amm.getPositionsByUser(owner.publicKey);
    for (const { position, positionNftAccount } of positions) {
      const keys = { ...pool, owner: owner.publicKey, position, positionNftAccount };
      await this.send(await this.#amm.claimPositionFee(keys), owner);
    }
    return positions.length;
  }

  async progress(): Promise<number> {
    const pool = await this.#curve.state.getPool(this.#address);
    return pool?.poolState.migrationProgress ?? -1;
  }
}
