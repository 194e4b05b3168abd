import type { Logger } from '../../../shared/log.ts';
import { Problem } from '../../../shared/problem.ts';
import { ImageStoreFailure } from './image-store.ts';

/** Runs a call of the store; its failure is a 503. */
export async function callStore<Value>(log: Logger, call: () => Promise<Value>): Promise<Value> {
  try {
    return await call();
  } catch (err) {
    if (!(err instanceof ImageStoreFailure)) throw err;
    log.error({ err }, 'image.store_failed');
    throw new Problem('api_dependency_unavailable', {
      detail: 'The store of images cannot be used.',
      cause: err,
    });
  }
}
