import type { Database } from '../../../src/db/client.ts';
import type { PresaleContext } from '../../../src/features/presales/advance-presales.ts';
import { createPresale, type NewPresale } from '../../../src/features/presales/create-presale.ts';
import type { PresaleMovement } from '../../../src/features/presales/movement-rules.ts';
import { upsertToken } from '../../../src/features/tokens/upsert-token.ts';
import { createOutbox } from '../../../src/outbox/append.ts';
import type { Clock } from '../../../src/shared/clock.ts';
import { asWorker } from '../processes/worker-context.ts';
import { newAddress, tokenMessage } from './ingest-stream.ts';
import { signatureOf } from './market-arbitraries.ts';

const origin = { source: 'https://api.test/api/v2', docsUrl: 'https://api.test/docs' };

/** Dependencies of the presale job; `changed` lists the presales whose caches it would drop. */
export function presaleContext(db: Database, clock: Clock) {
  const changed: string[] = [];
  const hinted = { events: 0 };
  const context: PresaleContext = {
    db: asWorker(db),
    clock,
    outbox: createOutbox(origin, clock, {
      sendHint: () => {
        hinted.events += 1;
      },
    }),
    onPresalesChanged: (ids) => changed.push(...ids),
  };
  return { context, changed, hinted };
}

/** Creates a presale of a new token (1,000 tokens of 6 decimals, 60 % for sale). It opens in 1 s for a
 * minute. */
export async function createTestPresale(db: Database, clock: Clock, changes: Partial<NewPresale> = {}) {
  const mintAddress = changes.mintAddress ?? newAddress();
  const nowMs = clock.now().getTime();
  return db.begin(async (transaction) => {
    if (changes.mintAddress === undefined) {
      const token = tokenMessage(mintAddress, { launchType: 'pre_raise', status: 'pre_raising' });
      await upsertToken(transaction, createOutbox(origin, clock), clock, {
        ...token,
        launchType: 'pre_raise',
        status: 'pre_raising',
      });
    }
    const presale: NewPresale = {
      id: Bun.randomUUIDv7(),
      mintAddress,
      status: 'initializing',
      allocationsBps: { burn: 0, pool: 4_000, sale: 6_000 },
      creatorCommitmentLamports: '5',
      minCapLamports: '50',
      maxCapLamports: '100',
      perWalletCapLamports: '60',
      publicStartAt: new Date(nowMs + 1_000),
      deadline: new Date(nowMs + 61_000),
      ...changes,
    };
    return createPresale(transaction, presale, clock.now());
  });
}

let nextSignature = 1;

/** A new movement with a unique identity. */
export function movementOf(
  presaleId: string,
  kind: PresaleMovement['kind'],
  walletAddress: string,
  amount: bigint,
  blockTime: Date,
): PresaleMovement {
  const transactionSignature = signatureOf(nextSignature++);
  const place = { slot: 1n, blockTime, transactionSignature, instructionIndex: 0 };
  return { kind, presaleId, walletAddress, amount, ...place };
}

/** The `ingest.presale_<kind>` message of a movement. */
export function movementMessage(movement: PresaleMovement) {
  const { kind, amount, slot, blockTime, ...rest } = movement;
  return {
    ...rest,
    [kind === 'claim' ? 'amountRaw' : 'amountLamports']: amount.toString(),
    slot: slot.toString(),
    blockTime: blockTime.toISOString(),
  };
}
