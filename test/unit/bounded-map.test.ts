import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { BoundedMap } from '../../src/shared/bounded-map.ts';

describe('a bounded map', () => {
  test('never answers anything but the last value of a key, or nothing', () => {
    const step = fc.tuple(
      fc.constantFrom('set', 'get', 'delete'),
      fc.integer({ min: 0, max: 20 }),
      fc.integer(),
    );
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.array(step, { maxLength: 200, size: 'max' }),
        (entriesMax, steps) => {
          const bounded = new BoundedMap<number, number>(entriesMax);
          const model = new Map<number, number>();
          for (const [action, key, value] of steps) {
            if (action === 'set') {
              bounded.set(key, value);
              model.set(key, value);
            } else if (action === 'delete') {
              bounded.delete(key);
              model.delete(key);
            } else {
              const found = bounded.get(key);
              if (found !== undefined) expect(found).toBe(model.get(key) ?? Number.NaN);
            }
          }
        },
      ),
    );
  });

  test('holds at most its size, at least the newer half, and what is used in between', () => {
    const bounded = new BoundedMap<number, number>(100);
    for (let key = 0; key < 10_000; key += 1) {
      bounded.set(key, key);
      bounded.get(0);
    }
    const held = Array.from({ length: 10_000 }, (_, key) => key).filter(
      (key) => bounded.get(key) !== undefined,
    );
    expect(held.length).toBeLessThanOrEqual(101);
    expect(held).toContain(0);
    expect(held).toContain(9_999);
    expect(held).toContain(9_951);
  });

  test('forgets everything at once', () => {
    const bounded = new BoundedMap<string, number>(4);
    for (const key of ['a', 'b', 'c', 'd']) bounded.set(key, 1);
    bounded.clear();
    expect(['a', 'b', 'c', 'd'].map((key) => bounded.get(key))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
