/** Gives the items to `count` workers, in order, until none is left or `isOver`. The first error ends all and is thrown. */
export async function inParallel<T>(
  items: readonly T[],
  count: number,
  { work, isOver }: { work: (item: T, worker: number) => Promise<void>; isOver: () => boolean },
): Promise<void> {
  const queue = [...items];
  let failed = false;
  const run = async (worker: number) => {
    for (let item = queue.shift(); item !== undefined && !failed && !isOver(); item = queue.shift())
      await work(item, worker);
  };
  const workers = Array.from({ length: count }, (_, worker) =>
    run(worker).catch((error: unknown) => {
      failed = true;
      throw error;
    }),
  );
  const settled = await Promise.allSettled(workers);
  for (const result of settled) if (result.status === 'rejected') throw result.reason;
}
