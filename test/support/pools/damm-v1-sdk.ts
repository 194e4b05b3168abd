import {
  AmmIdl,
  ConstantProductSwap,
  calculatePoolInfo,
  calculateSwapQuote,
  type PoolState,
  type VaultState,
} from '@meteora-ag/dynamic-amm-sdk';
import {
  createProgram,
  derivePoolAddressWithConfig,
} from '@meteora-ag/dynamic-amm-sdk/dist/cjs/src/amm/utils.js';
import { Connection, PublicKey } from '@solana/web3.js';
import BN from 'bn.js';
import bs58 from 'bs58';
import type { ChainAccount } from '../../../src/chain/accounts/account-data.ts';
import { encodeBase58 } from '../../../src/shared/base58.ts';
import { addressOf } from './program-idl.ts';

/*
 * The npm library of DAMM v1 and its vaults as an independent oracle. Tests use its Anchor coders, the order
 * of accounts in its interface, and its arithmetic.
 */

// Nothing connects to this address, because tests use only the coders. The library has its own version of
// web3.js.
const { ammProgram, vaultProgram } = createProgram(new Connection('http://127.0.0.1:1') as never);
const programs = {
  amm: { address: 'Eo7WjKq67rjJQSZxS6z3YkapzY3eMj6Xy8X5EQVn5UaB', program: ammProgram },
  vault: { address: '24Uqj9JCLxUeoC3hGfh5W3s9FM9uCHDS2SG3LYwBpyTi', program: vaultProgram },
} as const;
export type DammV1Program = keyof typeof programs;

/** An instruction with addresses, before a transaction contains it. */
export interface BuiltInstruction {
  programAddress: string;
  accounts: string[];
  data: string;
}

interface IdlInstruction {
  name: string;
  accounts: readonly { name: string }[];
  args: readonly { name: string }[];
}

export function instructionsOf(program: DammV1Program): readonly IdlInstruction[] {
  return programs[program].program.idl.instructions as unknown as readonly IdlInstruction[];
}

/** An instruction of the published interface. Missing accounts get new addresses. */
export function sdkInstruction(
  program: DammV1Program,
  name: string,
  given: Readonly<Record<string, string>>,
  args: Readonly<Record<string, unknown>> = {},
): BuiltInstruction {
  const { address, program: anchor } = programs[program];
  const found = instructionsOf(program).find((one) => one.name === name);
  if (found === undefined) throw new Error(`no instruction ${name}`);
  return {
    programAddress: address,
    accounts: found.accounts.map((account) => given[account.name] ?? addressOf(account.name)),
    data: encodeBase58(anchor.coder.instruction.encode(name, args)),
  };
}

/**
 * The first bytes of an instruction in hex.
 * @param name in the interface's camel case
 */
export function sdkDiscriminator(name: string): string {
  const args = instructionsOf('amm').find((one) => one.name === name)?.args ?? [];
  // The arguments do not matter, because only the first bytes are used.
  const filler = Object.fromEntries(args.map((argument) => [argument.name, sampleOf(argument)]));
  return Buffer.from(programs.amm.program.coder.instruction.encode(name, filler))
    .subarray(0, 8)
    .toString('hex');
}

function sampleOf(argument: { name: string; type?: unknown }): unknown {
  const { type } = argument;
  if (type === 'bool') return true;
  if (type === 'publicKey') return PublicKey.default;
  if (typeof type === 'string') return new BN(0);
  if (typeof type !== 'object' || type === null || !('defined' in type)) return null;
  return samples[String(type.defined)];
}

const zero = new BN(0);
const samples: Readonly<Record<string, unknown>> = {
  CurveType: { constantProduct: {} },
  PoolFees: {
    tradeFeeNumerator: zero,
    tradeFeeDenominator: zero,
    protocolTradeFeeNumerator: zero,
    protocolTradeFeeDenominator: zero,
  },
  ConfigParameters: {
    tradeFeeNumerator: zero,
    protocolTradeFeeNumerator: zero,
    activationDuration: zero,
    vaultConfigKey: PublicKey.default,
    poolCreatorAuthority: PublicKey.default,
    activationType: 0,
    index: zero,
    partnerFeeNumerator: zero,
  },
  CustomizableParams: {
    tradeFeeNumerator: 0,
    activationPoint: null,
    hasAlphaVault: false,
    activationType: 0,
    padding: Array(90).fill(0),
  },
};

/** Swaps in the logs of a transaction, decoded by the library. All of them must be swaps of the same pool. */
export function sdkSwapEvents(logs: readonly string[]): { inRaw: bigint; outRaw: bigint }[] {
  const prefix = 'Program data: ';
  return logs.flatMap((line) => {
    if (!line.startsWith(prefix)) return [];
    const event = programs.amm.program.coder.events.decode(line.slice(prefix.length));
    if (event?.name !== 'Swap') return [];
    const { inAmount, outAmount } = event.data as { inAmount: BN; outAmount: BN };
    return [{ inRaw: BigInt(String(inAmount)), outRaw: BigInt(String(outAmount)) }];
  });
}

/** The input of a swap instruction, decoded by the library, and the account with the interface's name
 * `user`. */
export function sdkSwapArguments(data: string, accounts: readonly string[]): { inRaw: bigint; user: string } {
  const coder = programs.amm.program.coder.instruction as unknown as {
    decode(data: string, encoding: 'base58'): { name: string; data: object } | null;
  };
  const decoded = coder.decode(data, 'base58');
  if (decoded?.name !== 'swap') throw new Error('no swap');
  const { inAmount } = decoded.data as { inAmount: BN };
  const names = instructionsOf('amm').find(({ name }) => name === 'swap')?.accounts ?? [];
  const at = names.findIndex(({ name }) => name === 'user');
  return { inRaw: BigInt(String(inAmount)), user: accounts[at] ?? '' };
}

/** Writes fields into a buffer and returns their length. */
interface AccountLayout {
  encode(fields: object, buffer: Buffer): number;
}

/** An account encoded with the library's layout. The library's own `encode` is limited to 1,000 bytes. */
export function sdkAccount(program: DammV1Program, name: 'pool' | 'vault', fields: object): ChainAccount {
  const { address, program: anchor } = programs[program];
  const coder = anchor.coder.accounts as unknown as {
    accountLayouts: ReadonlyMap<string, AccountLayout>;
    memcmp(accountName: string): { bytes: string };
  };
  const buffer = Buffer.alloc(2_000);
  const length = coder.accountLayouts.get(name)?.encode(fields, buffer) ?? 0;
  const discriminator = bs58.decode(coder.memcmp(name).bytes);
  return { owner: address, data: Buffer.concat([discriminator, buffer.subarray(0, length)]) };
}

export function derive(program: DammV1Program, ...seeds: (string | Uint8Array)[]): string {
  const bytes = seeds.map((seed) => (typeof seed === 'string' ? Buffer.from(seed) : seed));
  const [address] = PublicKey.findProgramAddressSync(bytes, new PublicKey(programs[program].address));
  return address.toBase58();
}

export function key(address: string): Uint8Array {
  return new PublicKey(address).toBytes();
}

export function poolAddressWithConfig(mint: string, otherMint: string, config: string): string {
  const [a, b, c] = [mint, otherMint, config].map((address) => new PublicKey(address)) as [
    PublicKey,
    PublicKey,
    PublicKey,
  ];
  return derivePoolAddressWithConfig(a, b, c, new PublicKey(programs.amm.address)).toBase58();
}

/** The numbers of one of a pool's two vaults. */
export interface VaultNumbers {
  totalRaw: bigint;
  lockedProfitRaw: bigint;
  lastReportSeconds: bigint;
  lockedProfitDegradation: bigint;
  /** All shares of the vault. `shares` are the pool's. */
  supply: bigint;
  shares: bigint;
}

export interface FeeNumbers {
  tradeFeeNumerator: bigint;
  protocolFeeNumerator: bigint;
}

export const FEE_DENOMINATOR = 100_000n;

/** Raw reserves of a pool, computed by the library. */
export function sdkReserves(a: VaultNumbers, b: VaultNumbers, unixSeconds: bigint) {
  const { tokenAAmount, tokenBAmount } = calculatePoolInfo(
    bn(unixSeconds),
    bn(a.shares),
    bn(b.shares),
    bn(a.supply),
    bn(b.supply),
    bn(1n),
    new ConstantProductSwap(),
    vaultState(a),
    vaultState(b),
  );
  return { aRaw: BigInt(String(tokenAAmount)), bRaw: BigInt(String(tokenBAmount)) };
}

/** The raw output of a swap, computed by the library. Throws the library's errors. */
export function sdkOutput(
  [a, b]: readonly [VaultNumbers, VaultNumbers],
  fees: FeeNumbers,
  { isAToB, inRaw, unixSeconds }: { isAToB: boolean; inRaw: bigint; unixSeconds: bigint },
): bigint {
  const [tokenAMint, tokenBMint] = [new PublicKey(addressOf('mint a')), new PublicKey(addressOf('mint b'))];
  const poolState = {
    tokenAMint,
    tokenBMint,
    enabled: true,
    curveType: { constantProduct: {} },
    bootstrapping: { activationType: 1, activationPoint: bn(0n), whitelistedVault: PublicKey.default },
    fees: feeState(fees),
  } as unknown as PoolState;
  const { amountOut } = calculateSwapQuote(isAToB ? tokenAMint : tokenBMint, bn(inRaw), {
    poolState,
    vaultA: vaultState(a),
    vaultB: vaultState(b),
    poolVaultALp: bn(a.shares),
    poolVaultBLp: bn(b.shares),
    vaultALpSupply: bn(a.supply),
    vaultBLpSupply: bn(b.supply),
    vaultAReserve: bn(a.totalRaw),
    vaultBReserve: bn(b.totalRaw),
    currentTime: Number(unixSeconds),
    currentSlot: 0,
    depegAccounts: new Map(),
  });
  return BigInt(String(amountOut));
}

export function feeState({ tradeFeeNumerator, protocolFeeNumerator }: FeeNumbers) {
  return {
    tradeFeeNumerator: bn(tradeFeeNumerator),
    tradeFeeDenominator: bn(FEE_DENOMINATOR),
    protocolTradeFeeNumerator: bn(protocolFeeNumerator),
    protocolTradeFeeDenominator: bn(FEE_DENOMINATOR),
  };
}

export function trackerOf({ lockedProfitRaw, lastReportSeconds, lockedProfitDegradation }: VaultNumbers) {
  return {
    lastUpdatedLockedProfit: bn(lockedProfitRaw),
    lastReport: bn(lastReportSeconds),
    lockedProfitDegradation: bn(lockedProfitDegradation),
  };
}

function vaultState(vault: VaultNumbers): VaultState {
  return { totalAmount: bn(vault.totalRaw), lockedProfitTracker: trackerOf(vault) } as unknown as VaultState;
}

export function bn(value: bigint): BN {
  return new BN(value.toString());
}

export { AmmIdl };
