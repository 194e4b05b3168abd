import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { BodyBudget, type BodyRoom } from '../../src/http/bodies/body-budget.ts';

const MIB = 1024 * 1024;

test('bodies never have more room than the process, each client, and unknown callers may have, and give all back', () => {
  const step = fc.record({
    client: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    bytes: fc.integer({ min: 1, max: 16 * MIB }),
    does: fc.constantFrom('take', 'take', 'move', 'release'),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200, size: 'max' }), (steps) => {
      const budget = new BodyBudget();
      const held: { room: BodyRoom; holder: string; bytes: number }[] = [];
      const sum = (matches: (holder: string) => boolean) =>
        held.reduce((all, { holder, bytes }) => all + (matches(holder) ? bytes : 0), 0);
      for (const { client, bytes, does } of steps) {
        const first = held[0];
        if (does === 'take') {
          const holder = `address ${client}`;
          const room = budget.take(holder, bytes);
          if (room !== null) held.push({ room, holder, bytes });
          else {
            const isFull = sum(() => true) + bytes > 128 * MIB;
            const isPartFull = sum((of) => of.startsWith('address')) + bytes > 96 * MIB;
            expect(isFull || isPartFull || sum((of) => of === holder) + bytes > 32 * MIB).toBe(true);
          }
        } else if (first !== undefined && does === 'move' && first.holder.startsWith('address')) {
          if (first.room.moveTo(`account ${client}`)) first.holder = `account ${client}`;
        } else if (does === 'release') held.shift()?.room.release();
        expect(budget.bytes).toBe(sum(() => true));
        expect(budget.bytes).toBeLessThanOrEqual(128 * MIB);
        expect(sum((holder) => holder.startsWith('address'))).toBeLessThanOrEqual(96 * MIB);
        for (const { holder } of held) expect(sum((of) => of === holder)).toBeLessThanOrEqual(32 * MIB);
      }
      for (const { room } of held) room.release();
      expect(budget.bytes).toBe(0);
      expect(budget.take('another', MIB)).not.toBeNull();
    }),
  );
});
