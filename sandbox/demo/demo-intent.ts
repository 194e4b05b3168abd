import type { ChainRpc } from '../../src/chain/rpc.ts';
import type { Database } from '../../src/db/client.ts';
import { checkPreparation } from '../../src/intents/prepare/check-preparation.ts';
import { prepareIntent } from '../../src/intents/prepare/prepare-intent.ts';
import type { Outbox } from '../../src/outbox/append.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { CLUSTER_SLOT_MS } from '../chain/cluster-facts.ts';
import type { SolanaRpc } from '../shared/solana-rpc.ts';
import type { Renewable } from './renewal.ts';
import { type DemoTransfer, transferPrograms, unsignedTransfer } from './transfer.ts';

/** The inbox page knows this kind and hides its expiries: unsigned ones expire all the time. */
const DEMO_INTENT_KIND = 'sandbox_transfer';

export interface DemoIntentOptions {
  readonly database: Database;
  readonly outbox: Outbox;
  readonly rpc: SolanaRpc;
  /** Nodes that confirm the height of a new intent. */
  readonly rpcs: readonly ChainRpc[];
  readonly accountId: string;
  readonly transfer: DemoTransfer;
}

/** A prepared intent of the wallet. It is fresh while nobody has used it and a third of its lifetime is left. */
export class DemoIntent implements Renewable {
  readonly #options: DemoIntentOptions;

  constructor(options: DemoIntentOptions) {
    this.#options = options;
  }

  /** The newest intent if it can still be signed, even if an earlier run made it; else a new one. */
  async current(): Promise<string> {
    const { database, rpc, accountId } = this.#options;
    const [known] = await database<{ id: string; recentBlockhash: string }[]>`
      select id, recent_blockhash from transaction_intents
      where account_id = ${accountId} and kind = ${DEMO_INTENT_KIND} order by created_at desc limit 1`;
    const isUsable =
      known !== undefined &&
      (await this.isFresh(known.id)) &&
      // It may have been prepared for another chain.
      (await rpc.isBlockhashValid(known.recentBlockhash));
    return isUsable ? known.id : this.create();
  }

  async isFresh(intentId: string): Promise<boolean> {
    const { database } = this.#options;
    const [row] = await database<{ isFresh: boolean }[]>`
      select status = 'prepared' and expires_at - now() > (expires_at - created_at) / 3 as is_fresh
      from transaction_intents where id = ${intentId}`;
    return row?.isFresh === true;
  }

  async create(): Promise<string> {
    const { database, outbox, rpc, rpcs, accountId, transfer } = this.#options;
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
      expiresInMs: Number(blocksLeft) * CLUSTER_SLOT_MS,
    };
    const checked = await checkPreparation(preparation, rpcs, systemClock);
    const intent = await database.begin((transaction) =>
      prepareIntent(transaction, checked, { outbox, clock: systemClock }),
    );
    return intent.id;
  }
}
