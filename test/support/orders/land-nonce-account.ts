import { Keypair, NONCE_ACCOUNT_LENGTH, SystemProgram } from '@solana/web3.js';
import { rentOn } from '../chain/cluster-rent.ts';
import type { TradedMarket } from '../trading/traded-market.ts';

/** Creates a nonce account of the wallet on the chain of a market. */
export function landNonceAccount(market: TradedMarket, wallet: Keypair): Keypair {
  const account = Keypair.generate();
  const { instructions } = SystemProgram.createNonceAccount({
    fromPubkey: wallet.publicKey,
    noncePubkey: account.publicKey,
    authorizedPubkey: wallet.publicKey,
    lamports: Number(rentOn(market.chain.ledger, NONCE_ACCOUNT_LENGTH)),
  });
  market.land(instructions, [wallet, account]);
  return account;
}
