import type { Database } from '../../src/db/client.ts';
import { checkPreparation } from '../../src/features/transaction-intents/preparation/check-preparation.ts';
import { prepareIntent } from '../../src/features/transaction-intents/preparation/prepare-intent.ts';
import { systemClock } from '../../src/shared/clock.ts';
import type { SolanaRpc } from '../solana-rpc.ts';
import type { Perishable } from './renewal.ts';
import { type DemoTransfer, transferPrograms, unsignedTransfer } from './transfer.ts';

/** The kind that the inbox page knows: unsigned ones expire all the time, which is no news. */
const DEMO_INTENT_KIND = 'sandbox_transfer';
const SLOT_MS = 400;

export interface DemoIntentOptions {
  readonly database: Database;
  readonly rpc: SolanaRpc;
  readonly accountId: string;
  readonly transfer: DemoTransfer;
}

/** A prepared intent of the wallet, fresh while nobody used it and at least a third of its life is left. */
export class DemoIntent implements Perishable {
  readonly #options: DemoIntentOptions;

  constructor(options: DemoIntentOptions) {
    this.#options = options;
  }

  /** The newest intent that is fit for signing, from an earlier run perhaps; else a new one. */
  async current(): Promise<string> {
    const { database, rpc, accountId } = this.#options;
    const [known] = await database<{ id: string; recentBlockhash: string }[]>`
      select id, recent_blockhash from transaction_intents
      where account_id = ${accountId} and kind = ${DEMO_INTENT_KIND} order by created_at desc limit 1`;
    const isFit =
      known !== undefined &&
      (await this.isFresh(known.id)) &&
      // The chain may be another one than the one it was prepared for.
      (await rpc.isBlockhashValid(known.recentBlockhash));
    return isFit ? known.id : this.make();
  }

  async isFresh(intentId: string): Promise<boolean> {
    const { database } = this.#options;
    const [row] = await database<{ isFresh: boolean }[]>`
      select status = 'prepared' and expires_at - now() > (expires_at - created_at) / 3 as is_fresh
      from transaction_intents where id = ${intentId}`;
    return row?.isFresh === true;
  }

  async make(): Promise<string> {
    const { database, rpc, accountId, transfer } = this.#options;
    const { blockhash, lastValidBlockHeight } = await rpc.latestBlockhash();
    const blocksLeft = lastValidBlockHeight - (await rpc.blockHeight());
    const preparation = {
      accountId,
      kind: DEMO_INTENT_KIND,
      expectedSigner: transfer.wallet,
      transaction: unsignedTransfer(transfer, blockhash),
      policy: {
        allowedPrograms: [...transferPrograms],
        maxComputeUnitPrice: '1000000',
        requireSimulation: false,
      },
      lastValidBlockHeight,
      expiresInMs: Number(blocksLeft) * SLOT_MS,
    };
    const checked = await checkPreparation(preparation, []);
    const intent = await database.begin((transaction) => prepareIntent(transaction, checked, systemClock));
    return intent.id;
  }
}
