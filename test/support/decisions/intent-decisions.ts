import { Keypair, SystemProgram, Transaction } from '@solana/web3.js';
import type { Database } from '../../../src/db/client.ts';
import { confirmSubmitted } from '../../../src/intents/confirm/confirm-submitted.ts';
import { followLandings } from '../../../src/intents/land/follow-landings.ts';
import { settleUnsubmitted } from '../../../src/intents/recover/settle-unsubmitted.ts';
import { type IntentRow, intentColumns } from '../../../src/intents/row.ts';
import { encodeBase58 } from '../../../src/shared/base58.ts';
import { landIntent } from '../intents/landings.ts';
import { insertIntent } from '../intents/submitted-intent.ts';
import { intentContext, silentLog } from '../processes/worker-context.ts';
import type { TestClock } from '../run/clock.ts';
import { type Decision, type DecisionCase, provenByTwo, provenByTwoAgainstNone } from './decision.ts';
import type { Answer } from './stance-nodes.ts';

/** The chain is beyond the window of every intent, and beyond the block of every landing. */
const NOW_SLOT = 2_000;
const LAST_VALID_HEIGHT = 1_500n;
const LANDED_SLOT = 1_000;
const TEN_MINUTES_MS = 600_000;
const TWO_HOURS_MS = 7_200_000;
const FIRST_SIGNATURE = 1;
const SIGNATURE_BYTES = 64;
const position = {
  absoluteSlot: NOW_SLOT,
  blockHeight: Number(LAST_VALID_HEIGHT) + 1,
  epoch: 0,
  slotIndex: 0,
};
const epochInfo = { ...position, slotsInEpoch: 432_000, transactionCount: null };
/** A node is asked for recent statuses, for those of old intents, and at last with its history for those that may be over. */
const HISTORY_LOOK_UP = 3;

interface IntentStage {
  db: Database;
  clock: TestClock;
  accountId: string;
}

/** A transaction that its wallet has signed. */
function signedTransfer() {
  const wallet = Keypair.generate();
  const transaction = new Transaction({
    feePayer: wallet.publicKey,
    recentBlockhash: encodeBase58(crypto.getRandomValues(new Uint8Array(32))),
  }).add(SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: wallet.publicKey, lamports: 1 }));
  transaction.sign(wallet);
  const signed = Uint8Array.from(transaction.serialize());
  const signature = encodeBase58(signed.subarray(FIRST_SIGNATURE, FIRST_SIGNATURE + SIGNATURE_BYTES));
  return { wallet: wallet.publicKey.toBase58(), signed, signature };
}

export function intentDecisions({ db, clock, accountId }: IntentStage): Decision[] {
  const { context } = intentContext(db, [], clock);
  const ago = (ms: number) => new Date(clock.now().getTime() - ms);
  const statusOf = async (id: string) =>
    (await db<{ status: string }[]>`select status from transaction_intents where id = ${id}`)[0]?.status;

  async function neverLanded(): Promise<DecisionCase> {
    const { signed } = signedTransfer();
    const id = await insertIntent(db, accountId, {
      transaction: signed,
      lastValidBlockHeight: LAST_VALID_HEIGHT,
      expiresAt: ago(0),
      now: ago(TEN_MINUTES_MS),
    });
    await db`update intent_broadcasts set send_count = 1 where intent_id = ${id}`;
    const answer: Answer = (method, _params, stance) => {
      if (method === 'getEpochInfo') return epochInfo;
      if (method !== 'getSignatureStatuses') return undefined;
      const processed = { slot: 1, confirmations: 0, err: null, confirmationStatus: 'processed' };
      return {
        context: { slot: stance === 'behind' ? NOW_SLOT - 1 : NOW_SLOT },
        value: [stance === 'open' ? processed : null],
      };
    };
    return {
      answer,
      decide: (rpcs) => confirmSubmitted({ ...context, rpcs }),
      async isDecided() {
        const status = await statusOf(id);
        // Nothing of this case is left for the next one.
        await db`delete from intent_broadcasts where intent_id = ${id}`;
        await db`delete from transaction_intents where id = ${id}`;
        return status !== 'submitted';
      },
    };
  }

  /** @param lastValid null for one that its wallet has not sent within an hour, whatever its blockhash */
  async function unsubmitted(lastValid: bigint | null): Promise<DecisionCase> {
    const { wallet, signed, signature } = signedTransfer();
    const prepared = signed.slice().fill(0, FIRST_SIGNATURE, FIRST_SIGNATURE + SIGNATURE_BYTES);
    const id = await insertIntent(db, accountId, {
      status: 'prepared',
      transaction: prepared,
      lastValidBlockHeight: lastValid,
      expiresAt: ago(lastValid === null ? TWO_HOURS_MS : 0),
      now: ago(lastValid === null ? 2 * TWO_HOURS_MS : TEN_MINUTES_MS),
    });
    await db`update transaction_intents set expected_signer = ${wallet} where id = ${id}`;
    const [intent] = await db<IntentRow[]>`
      select ${intentColumns(db)} from transaction_intents i where id = ${id}`;
    if (intent === undefined) throw new Error('the intent was inserted');
    const listed = { signature, slot: LANDED_SLOT, err: null, memo: null, blockTime: null };
    const answer: Answer = (method, _params, stance) => {
      if (method === 'getEpochInfo') return epochInfo;
      if (method !== 'getSignaturesForAddress' || stance === 'behind') return undefined;
      return stance === 'open' ? [listed] : [];
    };
    return {
      answer,
      decide: (rpcs) => settleUnsubmitted({ ...context, rpcs }, [intent]),
      isDecided: async () => (await statusOf(id)) === 'expired',
    };
  }

  async function landed(finality: 'finalized' | 'reverted', answer: Answer): Promise<DecisionCase> {
    const { signed } = signedTransfer();
    const id = await insertIntent(db, accountId, {
      transaction: signed,
      lastValidBlockHeight: LAST_VALID_HEIGHT,
      expiresAt: ago(0),
      now: ago(TEN_MINUTES_MS),
    });
    await db`delete from intent_broadcasts where intent_id = ${id}`;
    await landIntent(db, id);
    await db`
      update intent_landings set slot = ${LANDED_SLOT}, landed_at = ${ago(TEN_MINUTES_MS)}, due_at = ${ago(0)}
      where intent_id = ${id}`;
    return {
      answer,
      decide: (rpcs) => followLandings({ ...context, rpcs, log: silentLog }),
      async isDecided() {
        const [landing] = await db<{ finality: string }[]>`
          select finality from intent_landings where intent_id = ${id}`;
        await db`update intent_landings set due_at = null where intent_id = ${id}`;
        return landing?.finality === finality;
      },
    };
  }

  const status = (slot: number, confirmationStatus: string) => ({
    slot,
    confirmations: null,
    err: null,
    confirmationStatus,
  });
  const statuses = (value: object | null) => ({ context: { slot: NOW_SLOT }, value: [value] });

  return [
    {
      name: 'the end of an intent that never landed',
      last: { method: 'getSignatureStatuses', number: HISTORY_LOOK_UP },
      isAllowed: provenByTwoAgainstNone,
      begin: neverLanded,
    },
    {
      name: 'the expiry of an intent whose submission may have been lost',
      last: { method: 'getSignaturesForAddress', number: 1 },
      isAllowed: provenByTwoAgainstNone,
      begin: () => unsubmitted(LAST_VALID_HEIGHT),
    },
    {
      name: 'the expiry of an intent without a height whose submission may have been lost',
      last: { method: 'getSignaturesForAddress', number: 1 },
      isAllowed: provenByTwoAgainstNone,
      begin: () => unsubmitted(null),
    },
    {
      name: 'that a landing is final',
      last: { method: 'getSignatureStatuses', number: 1 },
      isAllowed: provenByTwo,
      begin: () =>
        landed('finalized', (method, _params, stance) => {
          if (method === 'getSlot') return stance === 'behind' ? LANDED_SLOT - 1 : NOW_SLOT;
          if (method !== 'getSignatureStatuses') return undefined;
          return statuses(status(LANDED_SLOT, stance === 'over' ? 'finalized' : 'confirmed'));
        }),
    },
    {
      name: 'that a fork has dropped a landing',
      last: { method: 'getBlocks', number: 1 },
      isAllowed: provenByTwoAgainstNone,
      begin: () =>
        landed('reverted', (method, _params, stance) => {
          if (method === 'getSlot') return stance === 'behind' ? LANDED_SLOT - 1 : NOW_SLOT;
          if (method === 'getBlocks') return [LANDED_SLOT - 1, LANDED_SLOT + 1];
          if (method !== 'getSignatureStatuses') return undefined;
          return statuses(stance === 'open' ? status(LANDED_SLOT + 7, 'processed') : null);
        }),
    },
  ];
}
