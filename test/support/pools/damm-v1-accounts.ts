import { PublicKey } from '@solana/web3.js';
import type { ChainAccount } from '../../../src/chain/accounts/account-data.ts';
import { bn, sdkAccount, trackerOf, type VaultNumbers } from './damm-v1-sdk.ts';
import { addressOf } from './program-idl.ts';

/** The base key from which all vault addresses are derived. */
export const VAULT_BASE = 'HWzXGcGHy4tcpYfaRDCyLNzXqBTv3E6BttpCH2vJxArv';

/** One of a pool's two tokens with its accounts. */
export interface PoolSide {
  mint: string;
  vault: string;
  tokenVault: string;
  lpMint: string;
  /** The pool's account with shares of the vault. */
  shares: string;
  protocolFee: string;
  numbers: VaultNumbers;
}

const address = (text: string) => new PublicKey(text);
const zeros = (count: number) => Array(count).fill(0);

/** The account of a pool with these tokens A and B, encoded by the library. */
export function dammV1PoolAccount(
  [a, b]: readonly [PoolSide, PoolSide],
  fees: object,
  curveType: object,
): ChainAccount {
  return sdkAccount('amm', 'pool', {
    lpMint: address(addressOf('shares of the pool')),
    tokenAMint: address(a.mint),
    tokenBMint: address(b.mint),
    aVault: address(a.vault),
    bVault: address(b.vault),
    aVaultLp: address(a.shares),
    bVaultLp: address(b.shares),
    aVaultLpBump: 255,
    enabled: true,
    protocolTokenAFee: address(a.protocolFee),
    protocolTokenBFee: address(b.protocolFee),
    feeLastUpdatedAt: bn(0n),
    padding0: zeros(24),
    fees,
    poolType: { permissionless: {} },
    stake: PublicKey.default,
    totalLockedLp: bn(0n),
    bootstrapping: {
      activationPoint: bn(0n),
      whitelistedVault: PublicKey.default,
      poolCreator: PublicKey.default,
      activationType: 1,
    },
    partnerInfo: {
      feeNumerator: bn(0n),
      partnerAuthority: PublicKey.default,
      pendingFeeA: bn(0n),
      pendingFeeB: bn(0n),
    },
    padding: {
      padding0: zeros(6),
      padding1: zeros(21).map(() => bn(0n)),
      padding2: zeros(21).map(() => bn(0n)),
    },
    curveType,
    padding1: zeros(19),
  });
}

/** The vault account of a side. */
export function vaultAccount({ numbers, tokenVault, mint, lpMint }: PoolSide): ChainAccount {
  return sdkAccount('vault', 'vault', {
    enabled: 1,
    bumps: { vaultBump: 255, tokenVaultBump: 254 },
    totalAmount: bn(numbers.totalRaw),
    tokenVault: address(tokenVault),
    feeVault: PublicKey.default,
    tokenMint: address(mint),
    lpMint: address(lpMint),
    strategies: Array(30).fill(PublicKey.default),
    base: address(VAULT_BASE),
    admin: PublicKey.default,
    operator: PublicKey.default,
    lockedProfitTracker: trackerOf(numbers),
  });
}
