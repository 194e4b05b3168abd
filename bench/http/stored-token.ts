import type { Database } from '../../src/db/client.ts';
import { upsertToken } from '../../src/features/tokens/upsert-token.ts';
import { createOutbox } from '../../src/outbox/append.ts';
import { encodeAddress } from '../../src/shared/address.ts';
import { systemClock } from '../../src/shared/clock.ts';

export const benchOutbox = createOutbox(
  { source: 'http://bench', docsUrl: 'http://bench/docs' },
  systemClock,
);

/** Stores a visible token of ordinary size; returns its mint. */
export async function storeToken(database: Database, mintAddress = randomAddress()): Promise<string> {
  await database.begin((transaction) =>
    upsertToken(transaction, benchOutbox, systemClock, {
      mintAddress,
      creatorWallet: mintAddress,
      name: 'Benchmark',
      symbol: 'BENCH',
      description: 'A token of ordinary size, so that the answer has ordinary size. '.repeat(3),
      imageUrl: 'https://example.com/image.png',
      decimals: 6,
      totalSupply: '1000000000',
      launchType: 'dbc',
      status: 'bonding',
      links: { website: 'https://example.com', twitter: null, telegram: null },
      predictionsEnabled: true,
    }),
  );
  return mintAddress;
}

export function randomAddress(): string {
  return encodeAddress(crypto.getRandomValues(new Uint8Array(32)));
}
