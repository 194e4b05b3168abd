import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { singleMachineTargets } from '../../faults/deployment/single-machine.ts';
import { faultKinds, faultPlan } from '../../faults/plan/fault-plan.ts';

const MINUTE_MS = 60_000;
const targets = singleMachineTargets();
const usable = faultKinds.filter((kind) => targets[kind].length > 0);

test('the plan of a seed is always the same, and lasts as long as the walk', () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 20 }), (seed, minutes) => {
      const plan = faultPlan(seed, minutes * MINUTE_MS, faultKinds, targets);
      expect(faultPlan(seed, minutes * MINUTE_MS, faultKinds, targets)).toEqual(plan);
      const ends = plan.map(
        ({ pauseMs, faults }) => pauseMs + Math.max(...faults.map(({ lastsMs }) => lastsMs)),
      );
      expect(ends.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(minutes * MINUTE_MS);
    }),
    { numRuns: 50 },
  );
});

test('every kind and every target comes before any comes again', () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const faults = faultPlan(seed, 200 * MINUTE_MS, faultKinds, targets).flatMap((step) => step.faults);
      for (const kind of usable) {
        const chosen = faults.filter((fault) => fault.kind === kind).map(({ target }) => target);
        const everyTarget = new Set(targets[kind]);
        expect(chosen.length).toBeGreaterThan(0);
        for (const target of chosen) expect(everyTarget).toContain(target);
      }
      const killed = new Set(faults.filter(({ kind }) => kind === 'kill').map(({ target }) => target));
      expect(killed).toEqual(new Set(targets.kill));
    }),
    { numRuns: 20 },
  );
});

test('a kind that a deployment cannot have is left out', () => {
  expect(faultPlan(1, MINUTE_MS, ['promote', 'wipe'], targets)).toEqual([]);
  const kinds = faultPlan(1, 60 * MINUTE_MS, faultKinds, targets).flatMap(({ faults }) =>
    faults.map(({ kind }) => kind),
  );
  expect(new Set(kinds)).toEqual(new Set(usable));
});
