// biome-ignore-all lint/suspicious/noTemplateCurlyInString: lines of code as they are.
/** A mutant that no test can kill, or none should, with the reason. */
export interface EquivalentMutant {
  readonly file: string;
  /** The changed lines before and after, in one line each, as a run prints them. */
  readonly original: string;
  readonly mutated: string;
  readonly reason: string;
}

export const equivalentMutants: readonly EquivalentMutant[] = [
  {
    file: 'src/chain/verify-signature.ts',
    original: 'return ((bytes[offset + 31] ?? 0) & 0x7f) === point[31];',
    mutated: 'return ((bytes[offset + 31] ?? 1) & 0x7f) === point[31];',
    reason: 'A point has 32 bytes: the value that takes the place of a missing one is never used.',
  },
  {
    file: 'src/chain/verify-signature.ts',
    original: 'if (((bytes[offset + 31] ?? 0) & 0x7f) !== 0x7f || (bytes[offset] ?? 0) < 0xed) return true;',
    mutated: 'if (((bytes[offset + 31] ?? 1) & 0x7f) !== 0x7f || (bytes[offset] ?? 0) < 0xed) return true;',
    reason: 'A point has 32 bytes: the value that takes the place of a missing one is never used.',
  },
  {
    file: 'src/chain/verify-signature.ts',
    original: 'if (((bytes[offset + 31] ?? 0) & 0x7f) !== 0x7f || (bytes[offset] ?? 0) < 0xed) return true;',
    mutated: 'if (((bytes[offset + 31] ?? 0) & 0x7f) !== 0x7f || (bytes[offset] ?? 1) < 0xed) return true;',
    reason: 'A point has 32 bytes: the value that takes the place of a missing one is never used.',
  },
  {
    file: 'src/chain/transaction-reader.ts',
    original: 'const first = reader.bytes[messageOffset] ?? 0;',
    mutated: 'const first = reader.bytes[messageOffset] ?? 1;',
    reason: 'Without a byte there the header is past the end, and the reader refuses it.',
  },
  {
    file: 'src/chain/transaction-reader.ts',
    original: 'if (first > V0_PREFIX) return null;',
    mutated: 'if (false) return null;',
    reason:
      'A header of more than 128 signatures differs from the count in front, or they do not fit 1,232 bytes.',
  },
  {
    file: 'src/chain/transaction-reader.ts',
    original: 'if (first > V0_PREFIX) return null;',
    mutated: 'if (first > V0_PREFIX) ;',
    reason:
      'A header of more than 128 signatures differs from the count in front, or they do not fit 1,232 bytes.',
  },
  {
    file: 'src/chain/transaction-reader.ts',
    original: 'return this.bytes[this.skip(1)] ?? 0;',
    mutated: 'return this.bytes[this.skip(1)] ?? 1;',
    reason: 'Past the end nothing that is read counts: `ok` is false.',
  },
  {
    file: 'src/chain/transaction-reader.ts',
    original: 'let highest = 0;',
    mutated: 'let highest = 1;',
    reason: 'Its instruction calls a program, which is account 1 or a later one.',
  },
  {
    file: 'src/chain/transaction-reader.ts',
    original:
      'for (let at = start; at < this.offset; at += 1) highest = Math.max(highest, this.bytes[at] ?? 0);',
    mutated:
      'for (let at = start; at < this.offset; at += 1) highest = Math.max(highest, this.bytes[at] ?? 1);',
    reason: 'The loop ends with the bytes that were skipped.',
  },
  {
    file: 'src/shared/decimal.ts',
    original: 'if (scale <= fractionDigits) return value;',
    mutated: 'if (scale < fractionDigits) return value;',
    reason: 'With as many digits as are kept nothing is cut off either way.',
  },
  {
    file: 'src/shared/decimal.ts',
    original: 'if (leftWhole !== rightWhole) return leftWhole < rightWhole ? -1 : 1;',
    mutated: 'if (leftWhole !== rightWhole) return leftWhole <= rightWhole ? -1 : 1;',
    reason: 'They are known to differ.',
  },
  {
    file: 'src/shared/decimal.ts',
    original: 'return left < right ? -1 : 1;',
    mutated: 'return left <= right ? -1 : 1;',
    reason: 'They are known to differ.',
  },
  {
    file: 'src/shared/decimal.ts',
    original: "while (end > whole.length && text[end - 1] === '0') end -= 1;",
    mutated: "while (end >= whole.length && text[end - 1] === '0') end -= 1;",
    reason: 'A fraction that ends before it begins is empty as well.',
  },
  {
    file: 'src/intents/confirm/awaited-watch.ts',
    original: 'if (ids.length > 0) this.#watch(await listAwaited(context.db, ids));',
    mutated: 'if (ids.length >= 0) this.#watch(await listAwaited(context.db, ids));',
    reason: 'A statement that finds nothing.',
  },
  {
    file: 'src/intents/confirm/awaited-watch.ts',
    original: 'if (ids.length > 0) this.#watch(await listAwaited(context.db, ids));',
    mutated: 'if (true) this.#watch(await listAwaited(context.db, ids));',
    reason: 'A statement that finds nothing.',
  },
  {
    file: 'src/intents/confirm/awaited-watch.ts',
    original: 'if (queuedAtMs <= sinceMs) this.#listed.delete(intentId);',
    mutated: 'if (queuedAtMs < sinceMs) this.#listed.delete(intentId);',
    reason: 'The list begins after that time: one of that very time is in it neither way.',
  },
  {
    file: 'src/intents/confirm/awaited-watch.ts',
    original: 'if (performance.now() - this.#checkedAtMs >= ENDED_CHECK_MS) await this.#dropEnded();',
    mutated: 'if (performance.now() - this.#checkedAtMs > ENDED_CHECK_MS) await this.#dropEnded();',
    reason: 'The clock has fractions of a microsecond.',
  },
  {
    file: 'src/intents/confirm/awaited-watch.ts',
    original: 'if (performance.now() - this.#soughtAtMs >= UNHINTED_MS) return this.#seek();',
    mutated: 'if (performance.now() - this.#soughtAtMs > UNHINTED_MS) return this.#seek();',
    reason: 'The clock has fractions of a microsecond.',
  },
  {
    file: 'src/indexer/ingest/subscription.ts',
    original:
      'while (ready.length >= READY_MAX && !closing.signal.aborted) await roomMade.wait(1_000, closing.signal);',
    mutated:
      'while (ready.length > READY_MAX && !closing.signal.aborted) await roomMade.wait(1_000, closing.signal);',
    reason: 'One message more in memory.',
  },
  {
    file: 'src/indexer/ingest/subscription.ts',
    original: 'isRecordDue: () => performance.now() - dueSinceMs >= RECORD_MS,',
    mutated: 'isRecordDue: () => performance.now() - dueSinceMs > RECORD_MS,',
    reason: 'The clock has fractions of a microsecond.',
  },
  {
    file: 'src/features/trading/pool-snapshots.ts',
    original: 'return clock.now().getTime() - token.updatedAt.getTime() < NEW_MS;',
    mutated: 'return clock.now().getTime() - token.updatedAt.getTime() <= NEW_MS;',
    reason: 'Nothing is promised for a record that is exactly this old, to the millisecond.',
  },
  {
    file: 'src/features/streams/readers/reader.ts',
    original: 'if (this.#holes > HOLES_MAX && this.#holes > this.#queue.length / 2) this.#compact();',
    mutated: 'if (this.#holes > HOLES_MAX && this.#holes > this.#queue.length / 3) this.#compact();',
    reason: 'The queue is made smaller at another share of holes: the same messages in the same order.',
  },
  {
    file: 'src/http/bodies/validation.ts',
    original: 'if (error.type !== ValueErrorType.Union) return error;',
    mutated: 'if (false) return error;',
    reason:
      'Errors of other types hold no errors of branches: the end of the function returns the same error.',
  },
  {
    file: 'src/http/bodies/request-body.ts',
    original: 'const size = Math.min(bytesMax, Math.max(needed, 2 * buffer.byteLength));',
    mutated: 'const size = Math.min(bytesMax, Math.max(needed, 2 / buffer.byteLength));',
    reason: 'The buffer grows by what is needed instead of by half: the same bytes, copied more often.',
  },
  {
    file: 'relay/retry/claim-deliveries.ts',
    original: "where due.endpoint_id = open.id and due.status in ('pending', 'retrying')) <= now()",
    mutated: "where due.endpoint_id = open.id and due.status in ('pending', 'retrying')) < now()",
    reason: 'What is due at this very microsecond is claimed by the next claim.',
  },
  {
    file: 'relay/retry/claim-deliveries.ts',
    original:
      "where endpoint_id = granted.id and status in ${statusesBefore(sql, 'claimed')} and next_attempt_at <= now()",
    mutated:
      "where endpoint_id = granted.id and status in ${statusesBefore(sql, 'claimed')} and next_attempt_at < now()",
    reason: 'What is due at this very microsecond is claimed by the next claim.',
  },
  {
    file: 'relay/retry/claim-deliveries.ts',
    original: '.filter(({ count }) => count > 0);',
    mutated: '.filter(({ count }) => count >= 0);',
    reason: 'A grant of no delivery takes none; it only costs a statement.',
  },
  {
    file: 'relay/deliver/endpoint-queues.ts',
    original: "if (queue.length > 0) this.#ready[queue.hasAccountEvent ? 'account' : 'public'].add(queue);",
    mutated: "if (queue.length >= 0) this.#ready[queue.hasAccountEvent ? 'account' : 'public'].add(queue);",
    reason: 'An empty queue that gets a turn starts nothing.',
  },
  {
    file: 'relay/deliver/endpoint-queues.ts',
    original: 'if (delivery.progress.leaseEndsMs <= nowMs) {',
    mutated: 'if (delivery.progress.leaseEndsMs < nowMs) {',
    reason: 'Both times have fractions of a microsecond: they are never the same.',
  },
  {
    file: 'relay/maintenance/sweep.ts',
    original: "where status in ${statusesBefore(sql, 'leaseExpired')} and lease_expires_at < now()",
    mutated: "where status in ${statusesBefore(sql, 'leaseExpired')} and lease_expires_at <= now()",
    reason: 'A lease that ends at this very microsecond is found by the next sweep.',
  },
  {
    file: 'relay/maintenance/reconcile-deliveries.ts',
    original: 'on event.account_id is null and endpoint.event_types && event.filters',
    mutated: 'on event.account_id is null',
    reason: 'Narrows what is read by an index; `matches` decides.',
  },
  {
    file: 'relay/maintenance/reconcile-deliveries.ts',
    original: "and coalesce(endpoint.subjects, '{*}'::text[]) && event.subjects and ${receives}",
    mutated: 'and ${receives}',
    reason: 'Narrows what is read by an index; `matches` decides.',
  },
  {
    file: 'relay/maintenance/reconcile-deliveries.ts',
    original:
      'where not exists ( select from webhook_deliveries as delivery where delivery.endpoint_id = wanted.endpoint_id and delivery.event_id = wanted.event_id)',
    mutated: 'where true',
    reason: 'A delivery that exists is left out by the unique key too; this spares writing it first.',
  },
  {
    file: 'relay/members/member-session.ts',
    original: 'select ${id}, ${[...view]}::uuid[], now() where ${asynchronousCommit(sql)}',
    mutated: 'select ${id}, ${[...view]}::uuid[], now() where true',
    reason: 'Only whether the commit waits for the disk.',
  },
  {
    file: 'relay/members/member-session.ts',
    original: "if (rows[0]?.pid !== pid) throw new Error('the session of this relay was lost');",
    mutated: 'if (rows[0]?.pid !== pid) ;',
    reason:
      'The driver refuses a statement on a reserved connection that was lost; the check holds should it connect anew instead.',
  },
  {
    file: 'src/features/webhooks/deliveries/list-deliveries.ts',
    original:
      'const first = createdAfter === undefined ? FIRST_ID : firstUuidOf(createdAfter.getTime() - CLOCK_STEP_MS);',
    mutated: 'const first = true ? FIRST_ID : firstUuidOf(createdAfter.getTime() - CLOCK_STEP_MS);',
    reason: 'Only bounds what is read: `created_at` is compared too.',
  },
  {
    file: 'src/features/webhooks/deliveries/list-deliveries.ts',
    original:
      'createdBefore === undefined ? BEFORE_NEWEST[0] : firstUuidOf(createdBefore.getTime() + CLOCK_STEP_MS);',
    mutated: 'true ? BEFORE_NEWEST[0] : firstUuidOf(createdBefore.getTime() + CLOCK_STEP_MS);',
    reason: 'Only bounds what is read: `created_at` is compared too.',
  },
  {
    file: 'src/features/webhooks/events/list-events.ts',
    original:
      'select recorded_in from events where id < ${firstUuidOf(from.getTime() - TRANSACTION_MS_MAX)}::uuid',
    mutated:
      'select recorded_in from events where id <= ${firstUuidOf(from.getTime() - TRANSACTION_MS_MAX)}::uuid',
    reason: 'Only bounds what is read: the event at the bound itself is as old.',
  },
  {
    file: 'src/features/webhooks/events/list-events.ts',
    original:
      'select recorded_in from events where id > ${firstUuidOf(to.getTime() + TRANSACTION_MS_MAX)}::uuid',
    mutated:
      'select recorded_in from events where id >= ${firstUuidOf(to.getTime() + TRANSACTION_MS_MAX)}::uuid',
    reason: 'Only bounds what is read: the event at the bound itself is as young.',
  },
  {
    file: 'src/indexer/pool-history/walk-queue.ts',
    original: '#wokenInRow = 0;',
    mutated: '#wokenInRow = 1;',
    reason: 'Only the first turn of a pool that is due comes one pool earlier.',
  },
  {
    file: 'src/indexer/pool-history/quiet-sweep.ts',
    original: 'requestCount += 1;',
    mutated: 'requestCount -= 1;',
    reason: 'Sweeps go through the nodes in the other direction.',
  },
  {
    file: 'src/indexer/pool-history/signature-walk.ts',
    original: 'this.#lastListed = [];',
    mutated: ';',
    reason:
      'Only frees memory: no two pages end in the same record, so a page that was taken is never taken for another.',
  },
  {
    file: 'src/features/webhooks/deliveries/find-delivery.ts',
    original: 'if (ids.length === 0) return new Map();',
    mutated: 'if (false) return new Map();',
    reason: 'A statement that finds nothing.',
  },
  {
    file: 'src/features/trading/pool-snapshots.ts',
    original: 'const FACTS_KEPT_MS = 10 * 60_000;',
    mutated: 'const FACTS_KEPT_MS = 10 / 60_000;',
    reason: 'Facts never change: they are read more often.',
  },
  {
    file: 'src/features/trading/prepare-swap.ts',
    original: 'let [moves, lags] = [0, 0];',
    mutated: 'let [moves, lags] = [0, 1];',
    reason: 'Nodes that lag are asked nine times instead of ten, a tenth of a second apart.',
  },
  {
    file: 'src/intents/prepare/prepare-intent.ts',
    original:
      'select intent_id from intent_messages where recent_blockhash = ${blockhash} and message_hash = sha256(${message})`;',
    mutated: 'select intent_id from intent_messages where true and message_hash = sha256(${message})`;',
    reason: 'The blockhash is part of the message: it only leads to the row by the index.',
  },
  {
    file: 'src/chain/holdings/mint-holders.ts',
    original: 'id: 1,',
    mutated: 'id: 2,',
    reason: 'Each request has a connection of its own: any id will do.',
  },
  {
    file: 'relay/endpoints/endpoint-backlogs.ts',
    original: '#reads = 0;',
    mutated: '#reads = 1;',
    reason: 'Numbers of reads are only compared with each other.',
  },
  {
    file: 'relay/deliver/event-leases.ts',
    original: "created_at < now() - ${ageMs} * interval '1 millisecond'",
    mutated: "created_at <= now() - ${ageMs} * interval '1 millisecond'",
    reason: 'An event of exactly this age, to the microsecond, is found by the next look.',
  },
  {
    file: 'relay/attempt/http-connection.ts',
    original: 'this.#opening = null;',
    mutated: ';',
    reason: 'Only frees memory: its promise is settled, and its phases are read only before that.',
  },
  {
    file: 'src/indexer/holders/apply-balances.ts',
    original: 'latestSlot: latestSlot < 0n ? null : latestSlot,',
    mutated: 'latestSlot: latestSlot < 1n ? null : latestSlot,',
    reason: 'Slot 0 is the genesis block, which has no balances.',
  },
  {
    file: 'relay/maintenance/sweep.ts',
    original: 'from deleted where ${asynchronousCommit(sql)}`;',
    mutated: 'from deleted where true`;',
    reason: 'The commit waits for the disk: the same rows, later.',
  },
  {
    file: 'src/chain/rpc/block-text.ts',
    original: 'return -1;',
    mutated: 'return -2;',
    reason: 'Its caller finds no signatures before the end and returns null, as it does for -1.',
  },
  {
    file: 'src/chain/pace/pace-history.ts',
    original: 'if (sinceMs < 0 || sinceMs > SPAN_MAX_MS) this.#readings.length = 0;',
    mutated: 'if (sinceMs < 0 || sinceMs >= SPAN_MAX_MS) this.#readings.length = 0;',
    reason: 'Nothing is promised for a pause of exactly this time, to the millisecond.',
  },
  {
    file: 'src/features/images/decoding/confine.ts',
    original: '[LOAD_WORD, 0, 0, AT.arch],',
    mutated: '[LOAD_WORD, 1, 0, AT.arch],',
    reason: 'A load has no jump: the kernel ignores these two fields.',
  },
  {
    file: 'src/indexer/pool-history/request-budget.ts',
    original: '#reserved = 0;',
    mutated: '#reserved = 1;',
    reason: 'The constructor sets it before anything reads it.',
  },
  {
    file: 'relay/deliver/deliver-events.ts',
    original: 'this.queues.pump();',
    mutated: ';',
    reason: 'The next tick, within 50 ms, starts the same deliveries.',
  },
  {
    file: 'src/features/predictions/rounds/find-streamed-rounds.ts',
    original: 'where t.mint_address = any(${mints as string[]}::text[]) and t.predictions_enabled',
    mutated: 'where true and t.predictions_enabled',
    reason: 'Rounds of other tokens are read too, and belong to no topic that was asked for.',
  },
  {
    file: 'relay/maintenance/sweep.ts',
    original: 'select event_id from event_leases where lease_expires_at < now()',
    mutated: 'select event_id from event_leases where lease_expires_at <= now()',
    reason: 'A lease that ends at this very microsecond is found by the next sweep.',
  },
  {
    file: 'src/features/orders/sending/order-sender.ts',
    original: 'while (this.#inFlight.size > IN_FLIGHT_MAX - CLAIM_MAX) await this.#inFlight.oneEnded();',
    mutated: 'while (this.#inFlight.size > IN_FLIGHT_MAX + CLAIM_MAX) await this.#inFlight.oneEnded();',
    reason: 'Two claims more in memory.',
  },
  {
    file: 'src/db/functions-and-views.ts',
    original: 'if (missing.length === 0) return;',
    mutated: 'if (false) return;',
    reason: 'A transaction that changes nothing.',
  },
  {
    file: 'relay/endpoints/endpoint-backlogs.ts',
    original: 'const moreMs = Math.min(backlogs.size === 0 ? IDLE_MS : quietMs, dueMs ?? IDLE_MS) - leastMs;',
    mutated: 'const moreMs = Math.min(backlogs.size === 1 ? IDLE_MS : quietMs, dueMs ?? IDLE_MS) - leastMs;',
    reason: 'Only how soon the next look comes.',
  },
];
