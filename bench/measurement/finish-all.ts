/**
 * Waits for all work, also after some of it has failed, and then throws the first failure: a case ends its servers
 * after that, and nothing that still runs on them hides what went wrong.
 */
export async function finishAll<const Work extends readonly unknown[] | []>(work: Work) {
  await Promise.allSettled(work);
  return Promise.all(work);
}
