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
    file: 'src/chain/signature.ts',
    original: 'return ((bytes[offset + 31] ?? 0) & 0x7f) === point[31];',
    mutated: 'return ((bytes[offset + 31] ?? 1) & 0x7f) === point[31];',
    reason: 'A point has 32 bytes: the value that takes the place of a missing one is never used.',
  },
  {
    file: 'src/chain/signature.ts',
    original: 'if (((bytes[offset + 31] ?? 0) & 0x7f) !== 0x7f || (bytes[offset] ?? 0) < 0xed) return true;',
    mutated: 'if (((bytes[offset + 31] ?? 1) & 0x7f) !== 0x7f || (bytes[offset] ?? 0) < 0xed) return true;',
    reason: 'A point has 32 bytes: the value that takes the place of a missing one is never used.',
  },
  {
    file: 'src/chain/signature.ts',
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
    reason: 'A header of more than 128 signatures differs from the count in front, or they do not fit 1,232 bytes.',
  },
  {
    file: 'src/chain/transaction-reader.ts',
    original: 'if (first > V0_PREFIX) return null;',
    mutated: 'if (first > V0_PREFIX) ;',
    reason: 'A header of more than 128 signatures differs from the count in front, or they do not fit 1,232 bytes.',
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
    original: 'for (let at = start; at < this.offset; at += 1) highest = Math.max(highest, this.bytes[at] ?? 0);',
    mutated: 'for (let at = start; at < this.offset; at += 1) highest = Math.max(highest, this.bytes[at] ?? 1);',
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
    file: 'src/indexer/pool-history/polled-pool.ts',
    original: 'const requests = this.#requestsBefore === null ? 0 : this.reader.requestCount - this.#requestsBefore;',
    mutated: 'const requests = this.#requestsBefore === null ? 1 : this.reader.requestCount - this.#requestsBefore;',
    reason: 'Both are fewer than a pool may cost.',
  },
  {
    file: 'src/features/transaction-intents/confirmation/awaited-watch.ts',
    original: 'if (ids.length > 0) this.#watch(await listAwaited(context.db, ids));',
    mutated: 'if (ids.length >= 0) this.#watch(await listAwaited(context.db, ids));',
    reason: 'A statement that finds nothing.',
  },
  {
    file: 'src/features/transaction-intents/confirmation/awaited-watch.ts',
    original: 'if (ids.length > 0) this.#watch(await listAwaited(context.db, ids));',
    mutated: 'if (true) this.#watch(await listAwaited(context.db, ids));',
    reason: 'A statement that finds nothing.',
  },
  {
    file: 'src/features/transaction-intents/confirmation/awaited-watch.ts',
    original: 'if (queuedAtMs <= sinceMs) this.#listed.delete(intentId);',
    mutated: 'if (queuedAtMs < sinceMs) this.#listed.delete(intentId);',
    reason: 'The list begins after that time: one of that very time is in it neither way.',
  },
  {
    file: 'src/features/transaction-intents/confirmation/awaited-watch.ts',
    original: 'if (performance.now() - this.#checkedAtMs >= ENDED_CHECK_MS) await this.#dropEnded();',
    mutated: 'if (performance.now() - this.#checkedAtMs > ENDED_CHECK_MS) await this.#dropEnded();',
    reason: 'The clock has fractions of a microsecond.',
  },
  {
    file: 'src/features/transaction-intents/confirmation/awaited-watch.ts',
    original: 'if (performance.now() - this.#soughtAtMs >= UNHINTED_MS) return this.#seek();',
    mutated: 'if (performance.now() - this.#soughtAtMs > UNHINTED_MS) return this.#seek();',
    reason: 'The clock has fractions of a microsecond.',
  },
  {
    file: 'src/indexer/ingest/subscription.ts',
    original: 'while (ready.length >= READY_MAX && !closing.signal.aborted) await taken.wait(1_000, closing.signal);',
    mutated: 'while (ready.length > READY_MAX && !closing.signal.aborted) await taken.wait(1_000, closing.signal);',
    reason: 'One message more in memory.',
  },
  {
    file: 'src/indexer/ingest/subscription.ts',
    original: 'isRecordDue: () => performance.now() - dueSinceMs >= RECORD_MS,',
    mutated: 'isRecordDue: () => performance.now() - dueSinceMs > RECORD_MS,',
    reason: 'The clock has fractions of a microsecond.',
    file: 'src/http/validation.ts',
    original: 'if (error.type !== ValueErrorType.Union) return error;',
    mutated: 'if (false) return error;',
    reason:
      'Errors of other types hold no errors of branches: the end of the function returns the same error.',
  },
  {
    file: 'src/http/request-body.ts',
    original: 'const size = Math.min(REQUEST_BYTES_MAX, Math.max(needed, 2 * buffer.byteLength));',
    mutated: 'const size = Math.min(REQUEST_BYTES_MAX, Math.max(needed, 2 / buffer.byteLength));',
    reason: 'The buffer grows by what is needed instead of by half: the same bytes, copied more often.',
  },
];
