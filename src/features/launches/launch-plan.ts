import { curvePoolAddresses } from '../../chain/accounts/derived-addresses.ts';
import {
  ASSOCIATED_TOKEN,
  BONDING_CURVE,
  COMPUTE_BUDGET,
  SPL_TOKEN,
  SYSTEM_PROGRAM,
  TOKEN_2022,
} from '../../chain/accounts/programs.ts';
import type { KnownCurveConfig } from '../../chain/pools/curve/config-source.ts';
import type { Instruction } from '../../chain/transactions/instruction.ts';
import {
  createCurvePool,
  type NewPool,
  type TokenTexts,
} from '../../chain/transactions/launch-instruction.ts';
import { swapInstruction } from '../../chain/transactions/swap-instruction.ts';
import {
  type AssociatedAccount,
  associatedAccount,
  openAssociatedAccount,
  unwrapSol,
  wrapSol,
} from '../../chain/transactions/token-instructions.ts';

const TOKEN_2022_TYPE = 1;

/** Every program that a launch calls: the programs that its intent allows. */
export const launchPrograms: readonly string[] = [
  COMPUTE_BUDGET,
  SYSTEM_PROGRAM,
  ASSOCIATED_TOKEN,
  SPL_TOKEN,
  BONDING_CURVE,
];

/** The exact input, and the least output. */
export interface BuyOrder {
  lamports: bigint;
  minimumOutRaw: bigint;
}

export function tokenProgramOf({ config }: KnownCurveConfig): string {
  return config.tokenType === TOKEN_2022_TYPE ? TOKEN_2022 : SPL_TOKEN;
}

/** The pool that a mint gets under a config. */
export async function newPoolOf(known: KnownCurveConfig, mint: string): Promise<NewPool> {
  const { address: config, quoteMint } = known;
  const addresses = await curvePoolAddresses(config, mint, quoteMint);
  return { config, mint, quoteMint, tokenProgram: tokenProgramOf(known), ...addresses };
}

/**
 * Creates mint and pool and buys for the creator, all or nothing.
 * @param wrapped the creator's account for wrapped SOL, and whether it exists: an account that is opened here
 * is closed again
 */
export async function launchInstructions(
  pool: NewPool,
  creator: string,
  texts: TokenTexts,
  buy: (BuyOrder & { wrapped: AssociatedAccount; wrappedExists: boolean }) | null,
): Promise<Instruction[]> {
  const create = await createCurvePool(pool, creator, texts);
  if (buy === null) return [create];
  const { lamports, minimumOutRaw, wrapped, wrappedExists } = buy;
  const bought = await associatedAccount(creator, pool.mint, pool.tokenProgram);
  const swap = swapInstruction(
    {
      program: BONDING_CURVE,
      address: pool.pool,
      config: pool.config,
      sides: [
        { mint: pool.mint, tokenProgram: pool.tokenProgram, vault: pool.baseVault },
        { mint: pool.quoteMint, tokenProgram: SPL_TOKEN, vault: pool.quoteVault },
      ],
    },
    { wallet: creator, inputAccount: wrapped.address, outputAccount: bought.address },
    // The sysvar shows that this is the first swap, in the transaction that creates the pool.
    { mode: 'exact_in', amountRaw: lamports, limitRaw: minimumOutRaw, provesSingleSwap: true },
  );
  return [
    openAssociatedAccount(creator, wrapped),
    ...wrapSol(wrapped, lamports),
    create,
    openAssociatedAccount(creator, bought),
    swap,
    ...(wrappedExists ? [] : [unwrapSol(wrapped)]),
  ];
}
