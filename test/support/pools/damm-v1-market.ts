import type { ChainAccount } from '../../../src/chain/accounts/account-data.ts';
import { SPL_TOKEN } from '../../../src/chain/accounts/programs.ts';
import { encodeBase58 } from '../../../src/shared/base58.ts';
import { mintAccount, NATIVE_MINT, tokenAccount } from '../token-account-data.ts';
import { dammV1PoolAccount, type PoolSide as Side, VAULT_BASE, vaultAccount } from './damm-v1-accounts.ts';
import {
  type BuiltInstruction,
  bn,
  derive,
  FEE_DENOMINATOR,
  type FeeNumbers,
  feeState,
  key,
  poolAddressWithConfig,
  sdkInstruction,
  sdkOutput,
  sdkReserves,
  type VaultNumbers,
} from './damm-v1-sdk.ts';
import { addressOf } from './program-idl.ts';

const CLOCK = 'SysvarC1ock11111111111111111111111111111111';

/** An instruction with its direct inner instructions. */
export interface BuiltCall extends BuiltInstruction {
  inner: BuiltCall[];
}

interface SwapOrder {
  trader: string;
  gives: 'sol' | 'token';
  inRaw: bigint;
  unixSeconds: bigint;
}

/** The result of a swap and its call. */
export interface MadeSwap {
  call: BuiltCall;
  trader: string;
  type: 'buy' | 'sell';
  solRaw: bigint;
  tokenRaw: bigint;
}

/**
 * A DAMM v1 pool against SOL with its two vaults, for cases without a recording. The program's npm library
 * creates the addresses, accounts and instructions and computes the amounts. Inner calls of a swap have the
 * recorded order.
 */
export class DammV1Market {
  readonly poolAddress: string;
  readonly sides: readonly [Side, Side];
  readonly #fees: FeeNumbers;
  readonly #solAt: 0 | 1;

  constructor({
    mintAddress,
    config = addressOf('config of DAMM v1'),
    solIsA = false,
    sol,
    token,
    fees = { tradeFeeNumerator: 1_000n, protocolFeeNumerator: 20_000n },
  }: {
    mintAddress: string;
    config?: string;
    solIsA?: boolean;
    sol: VaultNumbers;
    token: VaultNumbers;
    fees?: FeeNumbers;
  }) {
    this.poolAddress = poolAddressWithConfig(mintAddress, NATIVE_MINT, config);
    this.#fees = fees;
    this.#solAt = solIsA ? 0 : 1;
    const solSide = this.#side(NATIVE_MINT, sol);
    const tokenSide = this.#side(mintAddress, token);
    this.sides = solIsA ? [solSide, tokenSide] : [tokenSide, solSide];
  }

  #side(mint: string, numbers: VaultNumbers): Side {
    const vault = derive('vault', 'vault', key(mint), key(VAULT_BASE));
    return {
      mint,
      vault,
      tokenVault: derive('vault', 'token_vault', key(vault)),
      lpMint: derive('vault', 'lp_mint', key(vault)),
      shares: derive('amm', key(vault), key(this.poolAddress)),
      protocolFee: derive('amm', 'fee', key(mint), key(this.poolAddress)),
      numbers: { ...numbers },
    };
  }

  /** SOL in the pool at that time, computed by the library. */
  solRaw(unixSeconds: bigint): bigint {
    const { aRaw, bRaw } = sdkReserves(this.sides[0].numbers, this.sides[1].numbers, unixSeconds);
    return this.#solAt === 0 ? aRaw : bRaw;
  }

  /** Executes a swap; null when its output is zero by the library. */
  swap({ trader, gives, inRaw, unixSeconds }: SwapOrder): MadeSwap | null {
    const isAToB = (gives === 'sol') === (this.#solAt === 0);
    const [paid, got] = isAToB ? this.sides : [this.sides[1], this.sides[0]];
    const numbers = [this.sides[0].numbers, this.sides[1].numbers] as const;
    const outRaw = tryOutput(() => sdkOutput(numbers, this.#fees, { isAToB, inRaw, unixSeconds }));
    if (outRaw === null || outRaw === 0n) return null;
    const { tradeFeeNumerator, protocolFeeNumerator } = this.#fees;
    const tradeFee = (inRaw * tradeFeeNumerator) / FEE_DENOMINATOR;
    const protocolFee = (tradeFee * protocolFeeNumerator) / FEE_DENOMINATOR;
    const source = addressOf(`${trader} ${paid.mint}`);
    const destination = addressOf(`${trader} ${got.mint}`);
    const minted = deposit(paid.numbers, inRaw - protocolFee);
    const burned = withdraw(got.numbers, outRaw);
    const call = {
      ...sdkInstruction(
        'amm',
        'swap',
        {
          pool: this.poolAddress,
          userSourceToken: source,
          userDestinationToken: destination,
          ...this.#vaultAccounts(),
          protocolTokenFee: paid.protocolFee,
          user: trader,
        },
        { inAmount: bn(inRaw), minimumOutAmount: bn(0n) },
      ),
      inner: [
        ...(protocolFee === 0n ? [] : [transfer(source, paid.protocolFee, trader, protocolFee)]),
        vaultCall('deposit', paid, source, trader, [
          transfer(source, paid.tokenVault, trader, inRaw - protocolFee),
          tokenCall(7, [paid.lpMint, paid.shares, paid.vault], minted),
        ]),
        vaultCall('withdraw', got, destination, trader, [
          transfer(got.tokenVault, destination, got.vault, outRaw),
          tokenCall(8, [got.shares, got.lpMint, this.poolAddress], burned),
        ]),
      ],
    };
    const type = gives === 'sol' ? 'buy' : 'sell';
    const [solRaw, tokenRaw] = gives === 'sol' ? [inRaw, outRaw] : [outRaw, inRaw];
    return { call, trader, type, solRaw, tokenRaw };
  }

  #vaultAccounts(): Record<string, string> {
    const [a, b] = this.sides;
    return {
      aVault: a.vault,
      bVault: b.vault,
      aTokenVault: a.tokenVault,
      bTokenVault: b.tokenVault,
      aVaultLpMint: a.lpMint,
      bVaultLpMint: b.lpMint,
      aVaultLp: a.shares,
      bVaultLp: b.shares,
    };
  }

  /** The pool's account, encoded by the library. */
  poolAccount(curveType: object = { constantProduct: {} }): ChainAccount {
    return dammV1PoolAccount(this.sides, feeState(this.#fees), curveType);
  }

  /** All accounts that determine the pool's reserves, with the chain's clock. */
  accounts(unixSeconds: bigint): Map<string, ChainAccount> {
    const accounts = new Map<string, ChainAccount>([[this.poolAddress, this.poolAccount()]]);
    for (const side of this.sides) {
      accounts.set(side.vault, vaultAccount(side));
      accounts.set(side.lpMint, mintAccount(9, side.numbers.supply, SPL_TOKEN));
      accounts.set(side.shares, tokenAccount(side.lpMint, this.poolAddress, side.numbers.shares, SPL_TOKEN));
    }
    const clock = Buffer.alloc(40);
    clock.writeBigInt64LE(unixSeconds, 32);
    return accounts.set(CLOCK, { owner: 'Sysvar1111111111111111111111111111111111111', data: clock });
  }
}

function tryOutput(ask: () => bigint): bigint | null {
  try {
    return ask();
  } catch {
    return null;
  }
}

/** Updates the vault and returns the shares that a deposit mints. */
function deposit(vault: VaultNumbers, raw: bigint): bigint {
  const minted = (raw * vault.supply) / vault.totalRaw;
  vault.totalRaw += raw;
  vault.supply += minted;
  vault.shares += minted;
  return minted;
}

function withdraw(vault: VaultNumbers, raw: bigint): bigint {
  const burned = (raw * vault.supply) / vault.totalRaw;
  vault.totalRaw -= raw;
  vault.supply -= burned;
  vault.shares -= burned;
  return burned;
}

function vaultCall(
  name: 'deposit' | 'withdraw',
  side: Side,
  userToken: string,
  user: string,
  inner: BuiltInstruction[],
): BuiltCall {
  const given = {
    vault: side.vault,
    tokenVault: side.tokenVault,
    lpMint: side.lpMint,
    userToken,
    userLp: side.shares,
    user,
    tokenProgram: SPL_TOKEN,
  };
  const args =
    name === 'deposit'
      ? { tokenAmount: bn(0n), minimumLpTokenAmount: bn(0n) }
      : { unmintAmount: bn(0n), minOutAmount: bn(0n) };
  return {
    ...sdkInstruction('vault', name, given, args),
    inner: inner.map((one) => ({ ...one, inner: [] })),
  };
}

export function transfer(source: string, destination: string, authority: string, raw: bigint): BuiltCall {
  return { ...tokenCall(3, [source, destination, authority], raw), inner: [] };
}

/** An instruction of the token program with one amount: 3 Transfer, 7 MintTo, 8 Burn. */
function tokenCall(tag: number, accounts: string[], raw: bigint): BuiltInstruction {
  const data = Buffer.alloc(9, tag);
  data.writeBigUInt64LE(raw, 1);
  return { programAddress: SPL_TOKEN, accounts, data: encodeBase58(data) };
}
