import { expect, spyOn, test } from 'bun:test';
import v8 from 'node:v8';
import { createProcessMetrics } from '../../src/shared/metrics/process-metrics.ts';

test('a scrape does not walk over the heap, which would stop the process for as long as the heap is large', async () => {
  const metrics = createProcessMetrics('api');
  const walk = spyOn(v8, 'getHeapSpaceStatistics');
  try {
    const text = await metrics.read();
    expect(text).toContain('\nprocess_resident_memory_bytes ');
    expect(text).toContain('\nnodejs_heap_size_used_bytes ');
    expect(text).not.toContain('heap_space');
    expect(walk).not.toHaveBeenCalled();
  } finally {
    walk.mockRestore();
  }
});
