import { expect, test } from 'bun:test';
import { Progress } from '../../sandbox/processes/progress.ts';
import { type SupervisedProcess, Supervisor, stages } from '../../sandbox/processes/supervisor.ts';
import type { ChildExit } from '../../sandbox/services/child-process.ts';
import { eventually } from '../support/run/eventually.ts';

/** A supervisor of one process that exists only here. */
async function supervised() {
  const signals: string[] = [];
  let starts = 0;
  let end = (_exit: ChildExit) => {};
  const start = (): Promise<SupervisedProcess> => {
    starts += 1;
    const exited = Promise.withResolvers<ChildExit>();
    end = exited.resolve;
    const ended = (signal: NodeJS.Signals) => {
      exited.resolve({ code: null, signal });
      return exited.promise;
    };
    return Promise.resolve({
      pid: starts,
      exited: exited.promise,
      stop: () => ended('SIGTERM'),
      kill: () => ended('SIGKILL'),
      signal: (name) => void signals.push(name),
    });
  };
  const supervisor = new Supervisor(new Progress(() => {}), () => {});
  await supervisor.start('one', stages.servers, start);
  return { supervisor, signals, starts: () => starts, crash: () => end({ code: 1, signal: null }) };
}

test('a process that ends by itself is started again', async () => {
  const { supervisor, starts, crash } = await supervised();
  crash();
  await eventually('the second start', async () => starts() === 2);
  await supervisor.stop(() => Promise.resolve());
});

test('a held process stays down until it is released, and then runs at once', async () => {
  const { supervisor, starts, signals } = await supervised();
  await supervisor.hold('one', 'stop');
  expect(signals).toEqual(['SIGCONT']);
  expect(supervisor.isHeld('one')).toBe(true);
  await eventually('its end', async () => !supervisor.isRunning('one'));
  expect(starts()).toBe(1);
  await supervisor.release('one');
  expect(supervisor.pids).toEqual({ one: 2 });
  await supervisor.stop(() => Promise.resolve());
});

test('held processes do not keep the rest from stopping', async () => {
  const { supervisor, starts } = await supervised();
  await supervisor.hold('one', 'kill');
  await supervisor.stop(() => Promise.resolve());
  expect(starts()).toBe(1);
});
