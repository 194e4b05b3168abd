import type { Transaction } from '../../db/client.ts';
import type { TokenLinks } from '../../shared/token-links.ts';

/** The token that a launch will create. Texts are in their published form, the supply is a DecimalString. */
export interface LaunchToken {
  mintAddress: string;
  creatorWallet: string;
  name: string;
  symbol: string;
  description: string | null;
  imageUrl: string | null;
  links: TokenLinks;
  decimals: number;
  totalSupply: string;
}

/**
 * Stores the token of a launch that waits for its wallet: it can be read, and is only in the list of its
 * status (contract/launches#unsigned). No other process knows the mint yet.
 */
export async function insertLaunchToken(
  transaction: Transaction,
  { links, ...token }: LaunchToken,
  now: Date,
): Promise<void> {
  const row = {
    ...token,
    ...links,
    launchType: 'dbc',
    status: 'pending_launch_init',
    listed: false,
    createdAt: now,
    updatedAt: now,
  };
  await transaction`insert into tokens ${transaction(row)}`;
  await transaction`insert into token_markets (mint_address, as_of) values (${token.mintAddress}, ${now})`;
}
