import { run } from '../../../packages/client/src/cli/run.ts';
import type { Settings } from '../../../packages/client/src/cli/settings.ts';

/** A command line of the package that runs in this process until its end, with what it has written so far. */
export function startCommandLine(words: readonly string[], settings: Partial<Settings>) {
  const written = { out: '', err: '' };
  const stopping = new AbortController();
  const sink = (name: 'out' | 'err') => ({
    write(text: string) {
      written[name] += text;
    },
  });
  const ended = run(words, {
    settings: { url: undefined, apiKey: undefined, webhookSecret: undefined, ...settings },
    version: '1.2.3',
    out: sink('out'),
    err: sink('err'),
    stopping,
    clientOptions: { baseDelayMs: 1, maxRetries: 1 },
  });
  return { written, stopping, ended };
}

/** Runs a command line to its end: its exit code and what it has written. */
export async function runCommandLine(words: readonly string[], settings: Partial<Settings>) {
  const { written, ended } = startCommandLine(words, settings);
  return { code: await ended, ...written };
}
