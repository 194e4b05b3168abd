/**
 * How Bun's allocator returns memory, as in the image (decision 0043): once a second instead of ten times. Each process has a thread
 * for it that goes through its memory each time, in competition with the threads that serve.
 */
export const ALLOCATOR = {
  MIMALLOC_PURGE_DELAY: '1000',
  MIMALLOC_PURGE_HOLES_MIN_INTERVAL: '1000',
} as const;
