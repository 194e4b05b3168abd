/**
 * Bun's allocator returns memory once a second instead of ten times, as in the image (decision 0043). Its thread goes
 * through the memory of the process each time, in competition with the threads that serve.
 */
export const ALLOCATOR = {
  MIMALLOC_PURGE_DELAY: '1000',
  MIMALLOC_PURGE_HOLES_MIN_INTERVAL: '1000',
} as const;
