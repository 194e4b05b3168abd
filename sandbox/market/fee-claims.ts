import type { Keypair, TransactionInstruction } from '@solana/web3.js';
import { readPositionAccrued } from '../../src/chain/accounts/accrued-fees.ts';
import { WRAPPED_SOL_MINT } from '../../src/chain/accounts/programs.ts';
import { readTokenOwner } from '../../src/chain/accounts/token-account.ts';
import { readCurvePool } from '../../src/chain/pools/curve/pool-account.ts';
import type { SolanaRpc, StoredAccount } from '../shared/solana-rpc.ts';
import { claimCreatorFee, claimPartnerFee, claimPositionFee } from './claim-instructions.ts';
import type { Sender } from './landing.ts';
import { positionAddresses } from './launch-addresses.ts';
import type { MarketState, MarketToken } from './market-state.ts';
import { positionMints } from './migration-keeper.ts';
import { withAccounts } from './transactions.ts';

/** Smaller claims wait until they have grown. */
const LEAST_LAMPORTS = 1_000_000n;

/** A claimant, and the instruction of the claim. */
interface Claim {
  readonly by: Keypair;
  readonly instruction: TransactionInstruction;
}

/** Creators and the platform claim what their pools owe them, one token after the other. */
export class FeeClaims {
  readonly #state: MarketState;
  readonly #rpc: SolanaRpc;
  readonly #sender: Sender;
  readonly #user: string | undefined;
  #turn = 0;

  /** @param user the wallet of the sandbox's user, for which nothing is claimed */
  constructor(state: MarketState, rpc: SolanaRpc, sender: Sender, user: string | undefined) {
    this.#state = state;
    this.#rpc = rpc;
    this.#sender = sender;
    this.#user = user;
  }

  /** Sends the worthwhile claims of the next token. Returns their number. */
  async step(): Promise<number> {
    const { tokens } = this.#state;
    const token = tokens[this.#turn % Math.max(1, tokens.length)];
    this.#turn += 1;
    if (token === undefined) return 0;
    const claims = (await this.#claimsOn(token)).filter(({ by }) => by.publicKey.toBase58() !== this.#user);
    const addresses = this.#state.addressesOf(token);
    for (const { by, instruction } of claims)
      await this.#sender.sendChecked(withAccounts(addresses, by.publicKey.toBase58(), instruction), [by]);
    return claims.length;
  }

  async #claimsOn(token: MarketToken): Promise<Claim[]> {
    const { creator } = token;
    const partner = this.#state.fees;
    const addresses = this.#state.addressesOf(token);
    const nftMints = positionMints(token).map(({ publicKey }) => publicKey.toBase58());
    const positions = nftMints.map((nftMint) => ({ nftMint, ...positionAddresses(nftMint) }));
    const { accounts } = await this.#rpc.accounts([
      addresses.pool,
      addresses.amm.pool,
      ...positions.flatMap(({ position, nftAccount }) => [position, nftAccount]),
    ]);
    const [curve = null, amm = null, ...ofPositions] = accounts;
    const pool = readCurvePool(curve);
    const claims: Claim[] = [];
    if ((pool?.creatorQuoteFee ?? 0n) >= LEAST_LAMPORTS)
      claims.push({ by: creator, instruction: claimCreatorFee(addresses, creator.publicKey.toBase58()) });
    if ((pool?.partnerQuoteFee ?? 0n) >= LEAST_LAMPORTS)
      claims.push({ by: partner, instruction: claimPartnerFee(addresses, partner.publicKey.toBase58()) });
    const owners = new Map([creator, partner].map((one) => [one.publicKey.toBase58(), one]));
    for (const [at, one] of positions.entries()) {
      const [position = null, nft = null] = ofPositions.slice(at * 2, at * 2 + 2);
      const by = owners.get(readTokenOwner(nft, one.nftMint) ?? '');
      if (by === undefined || !isWorthIt({ address: addresses.amm.pool, account: amm }, position)) continue;
      claims.push({ by, instruction: claimPositionFee(addresses, by.publicKey.toBase58(), one) });
    }
    return claims;
  }
}

function isWorthIt(
  pool: { readonly address: string; readonly account: StoredAccount | null },
  position: StoredAccount | null,
): boolean {
  const earned = readPositionAccrued(pool, position, WRAPPED_SOL_MINT);
  return (earned?.unclaimedRaw ?? 0n) >= LEAST_LAMPORTS;
}
