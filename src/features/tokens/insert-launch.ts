import type { Transaction } from '../../db/client.ts';
import type { TokenLinks } from '../../shared/token-links.ts';

/** A token that a launch is going to create. Texts are as they are published, the supply a DecimalString. */
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
 * Stores the token of a launch that waits for its wallet: it can be read, and is in no list but those of its status
 * (contract/launches#unsigned). Nobody else knows the mint yet.
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
