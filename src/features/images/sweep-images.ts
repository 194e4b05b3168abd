import type { Database } from '../../db/client.ts';
import { findNamedHashes, findSomeHashes } from './find-image.ts';
import { tryLockImages } from './lock-images.ts';
import type { ListedFile, SweptStore } from './stores/image-store.ts';

/** Younger files may belong to a process that is still writing. */
const AGE_MIN_MS = 60 * 60 * 1000;
/** Files that are looked up in one statement, and removed in one transaction. */
const BATCH_FILES = 100;
/** Ten rounds of 4 s at most: a session of the admin CLI may be idle in a transaction for 60 s. */
const REMOVALS_AT_ONCE = 10;
const FOREIGN_NAMES_MAX = 20;
const SAMPLE_IMAGES = 10;

/** How many, and their size together. */
export interface FileSum {
  files: number;
  bytes: number;
}

export interface Sweep {
  /** Images that rows name. */
  named: FileSum;
  /** Others that are younger than an hour. */
  young: FileSum;
  /** Older images that no row names. */
  orphaned: FileSum;
  /** Older files of writes that did not end. */
  unfinished: FileSum;
  /** What no api has stored; it stays. */
  foreign: FileSum;
  /** Their first names. */
  foreignNames: string[];
  removed: FileSum;
}

export interface SweepContext {
  database: Database;
  store: SweptStore;
  /** The time by the clock of the database. */
  now: Date;
  /** Removes what it finds. */
  isApplied: boolean;
  report(files: number): void;
}

/**
 * Finds, and removes if that is wished, what no row names and is older than an hour. May run while images are stored, and more
 * than once at a time. Throws ImageStoreFailure; what was removed until then stays removed.
 */
export async function sweepImages(context: SweepContext): Promise<Sweep> {
  const none = (): FileSum => ({ files: 0, bytes: 0 });
  const sweep: Sweep = {
    named: none(),
    young: none(),
    orphaned: none(),
    unfinished: none(),
    foreign: none(),
    foreignNames: [],
    removed: none(),
  };
  let files = 0;
  for await (const batch of batchesOf(context.store.list())) {
    await sweepBatch(batch, sweep, context);
    files += batch.length;
    context.report(files);
  }
  return sweep;
}

/** Whether the store has an image that the database names: otherwise they may be of different deployments. */
export async function isStoreOf(database: Database, store: SweptStore): Promise<boolean> {
  for (const hash of await findSomeHashes(database, SAMPLE_IMAGES))
    if ((await store.get(hash)) !== null) return true;
  return false;
}

async function sweepBatch(
  batch: readonly ListedFile[],
  sweep: Sweep,
  { database, store, now, isApplied }: SweepContext,
): Promise<void> {
  const named = await findNamedHashes(database, hashesOf(batch));
  const orphans: ListedFile[] = [];
  const unfinished: ListedFile[] = [];
  for (const file of batch) {
    if (file.kind === 'foreign') {
      if (sweep.foreignNames.length < FOREIGN_NAMES_MAX) sweep.foreignNames.push(file.name);
      add(sweep.foreign, file);
    } else if (file.kind === 'image' && named.has(file.name)) add(sweep.named, file);
    else if (now.getTime() - file.modifiedAt.getTime() < AGE_MIN_MS) add(sweep.young, file);
    else if (file.kind === 'image') orphans.push(file);
    else unfinished.push(file);
  }
  for (const file of orphans) add(sweep.orphaned, file);
  for (const file of unfinished) add(sweep.unfinished, file);
  if (!isApplied) return;
  await removeAll(unfinished, store, sweep.removed);
  await removeOrphans(database, orphans, store, sweep.removed);
}

/**
 * Whoever stores one of these images after the look-up waits for the end of the transaction, and so puts its bytes after their
 * removal. One that is being stored or removed by somebody else stays.
 */
async function removeOrphans(
  database: Database,
  orphans: readonly ListedFile[],
  store: SweptStore,
  removed: FileSum,
): Promise<void> {
  if (orphans.length === 0) return;
  await database.begin(async (transaction) => {
    const locked = await tryLockImages(transaction, hashesOf(orphans));
    // A statement of its own: it sees rows that were committed before the locks.
    const named = await findNamedHashes(transaction, [...locked]);
    const mine = orphans.filter(({ name }) => locked.has(name) && !named.has(name));
    await removeAll(mine, store, removed);
  });
}

async function removeAll(files: readonly ListedFile[], store: SweptStore, removed: FileSum): Promise<void> {
  for (let at = 0; at < files.length; at += REMOVALS_AT_ONCE) {
    const removals = files.slice(at, at + REMOVALS_AT_ONCE).map(async (file) => {
      await store.remove(file);
      add(removed, file);
    });
    // The locks are kept until no removal is under way.
    await Promise.allSettled(removals);
    await Promise.all(removals);
  }
}

function add(sum: FileSum, { byteLength }: ListedFile): void {
  sum.files += 1;
  sum.bytes += byteLength;
}

const hashesOf = (files: readonly ListedFile[]) =>
  files.filter(({ kind }) => kind === 'image').map(({ name }) => name);

async function* batchesOf(files: AsyncIterable<ListedFile>): AsyncGenerator<ListedFile[], void> {
  let batch: ListedFile[] = [];
  for await (const file of files) {
    batch.push(file);
    if (batch.length < BATCH_FILES) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
