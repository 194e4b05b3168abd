import type { WebhookEvent } from '../../webhooks/events.ts';
import type { Command, Invocation } from '../command.ts';
import { forward, forwardAddress, forwarding, signingSecret } from '../forward.ts';
import { need } from '../kit/command.ts';
import { eventLine, eventsOf } from '../live-events.ts';

/** A receiver that hangs delays no more than this many others. */
const IN_FLIGHT_MAX = 8;

export const listenCommand: Command = {
  name: 'listen',
  summary: 'Pass the events of your account on to a local address, without a public URL',
  details:
    'Every event is signed with LAUNCHWIRE_WEBHOOK_SECRET, or with a new secret that is printed at the start.\n' +
    'It begins with the next event: those before, and those while it does not run, are not sent. Keys: r sends\n' +
    'the last event once more, q ends.',
  options: forwarding,
  examples: ['--forward http://127.0.0.1:8000/webhooks'],
  async run(invocation) {
    const { output, settings } = invocation;
    const url = forwardAddress(need(invocation.options, 'forward'));
    const secret = signingSecret(settings);
    // A secret of the caller is not printed: terminals are recorded, and logs are kept.
    const key = settings.webhookSecret === undefined ? secret : 'LAUNCHWIRE_WEBHOOK_SECRET';
    output.note(`forwarding to ${url}; signed with ${key}`);
    let last: WebhookEvent | undefined;
    const inFlight = new Set<Promise<void>>();
    const pass = (event: WebhookEvent) => {
      const work = passOn(invocation, url, secret, event).finally(() => inFlight.delete(work));
      inFlight.add(work);
    };
    const stopKeys = onKeys({
      r: () => (last === undefined ? output.note('no event yet') : pass(last)),
      q: () => invocation.stop(),
    });
    try {
      for await (const event of eventsOf(invocation)) {
        last = event;
        pass(event);
        if (inFlight.size >= IN_FLIGHT_MAX) await Promise.race(inFlight);
      }
    } finally {
      stopKeys();
      await Promise.all(inFlight);
    }
  },
};

/** Never throws: a failure of the receiver is printed, and the next event is sent. */
async function passOn(
  { output, signal }: Invocation,
  url: string,
  secret: string,
  event: WebhookEvent,
): Promise<void> {
  try {
    const { status, durationMs } = await forward(url, secret, event, signal);
    const { id, type } = event;
    output.line(
      { eventId: id, type, status, durationMs },
      `${eventLine(event)}  ${status}  ${durationMs} ms`,
    );
  } catch (error) {
    if (signal.aborted) return;
    const { message, code } = error as Error & { code?: string };
    output.line(
      { eventId: event.id, type: event.type, error: code ?? 'failed' },
      `${eventLine(event)}  ${message}`,
    );
  }
}

/**
 * Calls back at single key presses of a terminal, and at Ctrl-C, which a terminal in this mode does not turn into a
 * signal.
 */
function onKeys(actions: Readonly<Record<string, () => void>>): () => void {
  const { stdin } = process;
  if (!stdin.isTTY) return () => {};
  const onData = (bytes: Buffer) => {
    for (const key of bytes.toString('utf8')) {
      if (key === '\u0003') process.kill(process.pid, 'SIGINT');
      actions[key]?.();
    }
  };
  stdin.setRawMode(true);
  stdin.on('data', onData);
  stdin.resume();
  return () => {
    stdin.off('data', onData);
    stdin.setRawMode(false);
    stdin.pause();
  };
}
