import { createHash } from 'node:crypto';
import { jetstream } from '@nats-io/jetstream';
import { between, type Random } from '../../bench/measurement/seeded-random.ts';
import { tradeId } from '../../src/indexer/market/indexed-trade.ts';
import { encodeBase58 } from '../../src/shared/base58.ts';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { type IngestKind, ingestSubject } from '../../src/shared/bus/topology.ts';
import { rawToDecimal } from '../../src/shared/decimal.ts';
import { wait } from '../../src/shared/loop.ts';
import type { FedTrade } from '../evidence/histories.ts';

const PAUSE_MS = [50, 400] as const;
const ACK_TIMEOUT_MS = 2_000;
const RETRY_MS = 200;
/** This share of the messages is published twice, as by a feed that got no acknowledgement. */
const TWICE_SHARE = 0.3;

export interface FeedOptions {
  readonly natsUrl: string;
  readonly seed: number;
  readonly random: Random;
  readonly tokens: number;
  readonly ending: AbortSignal;
  readonly givingUp: AbortSignal;
}

/**
 * Reports tokens without a pool, and their trades, each until the broker has acknowledged it. Returns the trades. Throws
 * when the broker acknowledges nothing any more.
 */
export async function runFeed({
  natsUrl,
  seed,
  random,
  tokens,
  ending,
  givingUp,
}: FeedOptions): Promise<FedTrade[]> {
  const connection = await connectBus(natsUrl, 'faults-feed');
  const publish = async (kind: IngestKind, message: object) => {
    for (;;) {
      try {
        const payload = JSON.stringify(message);
        await jetstream(connection).publish(ingestSubject(kind), payload, { timeout: ACK_TIMEOUT_MS });
        return;
      } catch (error) {
        if (givingUp.aborted) throw error;
        await wait(RETRY_MS, givingUp);
      }
    }
  };
  const mints = Array.from({ length: tokens }, (_, at) => keyOf(`${seed}-token-${at}`, 32));
  for (const mint of mints) await publish('token', tokenMessage(mint));
  const fed: FedTrade[] = [];
  while (!ending.aborted) {
    const mint = mints[between(random, 0, mints.length - 1)] ?? '';
    const message = tradeMessage(mint, seed, fed.length, random);
    await publish('trade', message);
    if (random() < TWICE_SHARE) await publish('trade', message);
    fed.push({ mint, tradeId: tradeId(message.transactionSignature, 0, 0), message });
    await wait(between(random, ...PAUSE_MS), ending);
  }
  await connection.close();
  return fed;
}

function tokenMessage(mintAddress: string) {
  return {
    mintAddress,
    creatorWallet: mintAddress,
    name: 'Fed',
    symbol: 'FED',
    decimals: 6,
    totalSupply: '1000000',
    launchType: 'dbc',
    status: 'bonding',
    announce: true,
  };
}

function tradeMessage(mintAddress: string, seed: number, number: number, random: Random) {
  return {
    mintAddress,
    type: random() < 0.6 ? 'buy' : 'sell',
    traderWallet: mintAddress,
    solAmount: rawToDecimal(BigInt(between(random, 1, 999_999_999)), 9),
    tokenAmount: String(between(random, 1, 5_000)),
    slot: String(1_000 + number),
    outerIndex: 0,
    innerIndex: 0,
    blockTime: new Date().toISOString(),
    transactionSignature: keyOf(`${seed}-trade-${number}`, 64),
  };
}

/** Bytes that nobody knows a secret for, as base58. */
function keyOf(name: string, bytes: 32 | 64): string {
  return encodeBase58(
    createHash(bytes === 32 ? 'sha256' : 'sha512')
      .update(name)
      .digest(),
  );
}
