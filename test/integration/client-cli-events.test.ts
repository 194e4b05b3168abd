import { beforeAll, describe, expect, test } from 'bun:test';
import { type ChildProcess, spawn } from 'node:child_process';
import { webhookVerifier } from 'launchwire/webhooks';
import { sampleEvents } from '../../packages/client/src/generated/sample-events.ts';
import { debianExecutable } from '../../sandbox/services/debian-executable.ts';
import { findExecutable } from '../../sandbox/services/executable.ts';
import { silent } from '../../sandbox/services/log.ts';
import { runCommandLine, startCommandLine } from '../support/client/command-line.ts';
import { builtCommandLine } from '../support/client/packed-client.ts';
import { begin, sse, startScriptedStream } from '../support/client/scripted-stream.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { startReceiver } from '../support/webhooks/webhook-receiver.ts';

const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

/** Compiles the command line. */
const BUILD_TIMEOUT_MS = 300_000;
let commandLine: string;

beforeAll(async () => {
  commandLine = await builtCommandLine();
}, BUILD_TIMEOUT_MS);

describe('events on the way to a local receiver', () => {
  test('trigger sends a sample of every type, which verifies, and prints the response of the receiver', async () => {
    const receiver = await startReceiver();
    const verifier = webhookVerifier({ secrets: [secret] });
    for (const type of Object.keys(sampleEvents)) {
      const short = type.slice('build.service.'.length, -'.v1'.length);
      const { code, err } = await runCommandLine(['trigger', short, '--forward', `${receiver.origin}/hook`], {
        webhookSecret: secret,
      });
      expect({ code, err }).toEqual({ code: 0, err: '' });
      const request = receiver.requests.at(-1) ?? expect.unreachable();
      const { event } = await verifier.verify(request.body, request.headers);
      expect(event.type).toBe(type as never);
      expect(request.path).toBe('/hook');
    }
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(
      receiver.requests.length,
    );
    receiver.respond = (response) => response.writeHead(500).end();
    const refused = await runCommandLine(['trigger', 'webhook.ping', '--forward', String(receiver.port)], {});
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(/^signed with whsec_\S+\nlaunchwire: the receiver answered 500\n$/);
    await receiver.close();
    expect(
      await runCommandLine(['trigger', 'webhook.ping', '--forward', String(receiver.port)], {}),
    ).toMatchObject({
      code: 3,
    });
  });

  test('trigger follows the redirects that the service follows, as the same POST, and no others', async () => {
    const target = await startReceiver();
    const verifier = webhookVerifier({ secrets: [secret] });
    const utf8 = Buffer.from(`${target.origin}/café`).toString('latin1');
    const moved = await startReceiver({
      respond: (response, { path }) => {
        const left = Number(path.slice(1));
        const location = left > 1 ? `/${left - 1}` : utf8;
        response.writeHead([301, 302, 307, 308][left % 4] ?? 0, { location }).end();
      },
    });
    const trigger = (url: string) =>
      runCommandLine(['trigger', 'webhook.ping', '--forward', url], { webhookSecret: secret });
    for (const hops of [1, 2, 3]) expect((await trigger(`${moved.origin}/${hops}`)).code).toBe(0);
    expect(target.requests).toHaveLength(3);
    for (const { method, path, body, headers } of target.requests) {
      expect([method, path]).toEqual(['POST', '/caf%C3%A9']);
      expect((await verifier.verify(body, headers)).event.type).toBe('build.service.webhook.ping.v1');
    }
    const beyond = await trigger(`${moved.origin}/4`);
    expect(beyond).toMatchObject({ code: 1 });
    expect(beyond.err).toContain('the service follows 3 redirects at most');
    for (const location of ['/caf\xe9', 'ftp://127.0.0.1/', 'http://user@127.0.0.1/', 'http://[']) {
      moved.respond = (response) => response.writeHead(307, { location }).end();
      expect(await trigger(moved.origin)).toMatchObject({
        code: 1,
        err: expect.stringContaining('answered 307 with a Location that the service refuses'),
      });
    }
    for (const status of [300, 303, 304, 305]) {
      moved.respond = (response) => response.writeHead(status, { location: target.origin }).end();
      expect((await trigger(moved.origin)).err).toContain(`the receiver answered ${status}`);
    }
    expect(target.requests).toHaveLength(3);
  });

  const event = (id: string, subject = 'mint-1') => ({
    event: 'event',
    id,
    topic: 'events',
    data: {
      specversion: '1.0',
      id: `event-${id}`,
      type: 'build.service.launch.created.v1',
      subject,
      time: '2026-11-20T10:00:00.000Z',
      data: {},
    },
  });
  const ready = { event: 'ready', topics: ['events'], resumed: false, retryMs: 1 };

  test('listen passes events on, signed, and a receiver that is down or refuses stops nothing', async () => {
    const receiver = await startReceiver();
    receiver.respond = (response, _request, index) => {
      if (index === 0) response.socket?.destroy();
      else response.writeHead(index === 1 ? 500 : 204).end();
    };
    const stream = await startScriptedStream((request, index) => {
      begin(request, sse(ready, ...(index === 0 ? [event('1')] : [event('2'), event('3')])));
      if (index === 0) request.response.end();
    });
    const listening = startCommandLine(['listen', '--forward', `${receiver.origin}/hook`, '--json'], {
      url: stream.origin,
      webhookSecret: secret,
    });
    await receiver.received(3);
    await eventually('three lines', async () => listening.written.out.trim().split('\n').length === 3);
    listening.stopping.abort();
    expect(await listening.ended).toBe(0);
    const lines = listening.written.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ status, error }) => status ?? error).sort()).toEqual([204, 500, 'connection_failed']);
    expect(stream.requests.map(({ cursor }) => cursor)).toEqual([null, '1']);
    const verifier = webhookVerifier({ secrets: [secret] });
    for (const { body, headers } of receiver.requests) {
      expect((await verifier.verify(body, headers)).id).toStartWith('event-');
    }
    expect(listening.written.err).toContain(
      `forwarding to ${receiver.origin}/hook; signed with LAUNCHWIRE_WEBHOOK_SECRET\n`,
    );
    expect(listening.written.err + listening.written.out).not.toContain(secret);
  });

  test('listen without a secret of the caller makes one, prints it, and signs with it', async () => {
    const receiver = await startReceiver();
    const stream = await startScriptedStream((request) => begin(request, sse(ready, event('1'))));
    const words = ['listen', '--forward', `${receiver.origin}/hook`];
    const listening = startCommandLine(words, { url: stream.origin });
    await receiver.received(1);
    listening.stopping.abort();
    expect(await listening.ended).toBe(0);
    const [, made = ''] = /signed with (whsec_\S+)/.exec(listening.written.err) ?? [];
    const [{ body, headers } = expect.unreachable()] = receiver.requests;
    expect((await webhookVerifier({ secrets: [made] }).verify(body, headers)).id).toBe('event-1');
  });

  describe.each(['node', 'bun'])('listen in a terminal, on %s', (runtime) => {
    const listen = (port: number, origin: string) =>
      runInTerminal([runtime, commandLine, 'listen', '--forward', String(port)], {
        LAUNCHWIRE_URL: origin,
        LAUNCHWIRE_WEBHOOK_SECRET: secret,
      });

    test('sends the last event once more at r, and ends well at q', async () => {
      const receiver = await startReceiver();
      const stream = await startScriptedStream((request) => begin(request, sse(ready)));
      const terminal = await listen(receiver.port, stream.origin);
      await eventually('the connection', async () => terminal.shown.includes('waiting for events'));
      terminal.press('r');
      await eventually('the answer', async () => terminal.shown.includes('no event yet'));
      stream.requests[0]?.response.write(sse(event('1')));
      await receiver.received(1);
      terminal.press('xr');
      await receiver.received(2);
      const ids = receiver.requests.map(({ headers }) => headers['webhook-id']);
      expect(ids).toEqual(['event-1', 'event-1']);
      terminal.press('q');
      expect(await terminal.ended).toBe(0);
      await stream.requests[0]?.closed;
    });

    test('ends at Ctrl-C', async () => {
      const stream = await startScriptedStream((request) => begin(request, sse(ready)));
      const terminal = await listen(9, stream.origin);
      await eventually('the connection', async () => terminal.shown.includes('waiting for events'));
      terminal.press('\u0003');
      expect(await terminal.ended).toBe(0);
    });
  });

  test('a secret in another form is refused before anything is sent', async () => {
    for (const words of [['listen'], ['trigger', 'webhook.ping']]) {
      const line = [...words, '--forward', '9'];
      const { code, err } = await runCommandLine(line, { url: 'http://127.0.0.1:9', webhookSecret: 'abc' });
      expect(code).toBe(2);
      expect(err).toStartWith('launchwire: LAUNCHWIRE_WEBHOOK_SECRET: a webhook secret is whsec_');
    }
  });

  test('events prints live events and gaps, without control codes', async () => {
    const gap = {
      event: 'gap',
      reason: 'expired',
      topics: ['events'],
      from: null,
      reads: ['/api/v2/events'],
    };
    const stream = await startScriptedStream((request) =>
      begin(request, sse(gap, ready, event('1', '\u001b[2Jmint\n\u202e'))),
    );
    const printing = startCommandLine(['events', 'follow'], { url: stream.origin });
    await eventually('a line', async () => printing.written.out.includes('\n'));
    printing.stopping.abort();
    expect(await printing.ended).toBe(0);
    expect(printing.written.out).toBe(
      '10:00:00  launch.created                  \\u001b[2Jmint\\u000a\\u202e\n',
    );
    expect(printing.written.err).toContain('events are missing (expired): read /api/v2/events');
  });
});

/** A command in its own terminal, with keyboard input. */
interface Terminal {
  /** The text on the terminal. */
  readonly shown: string;
  press(keys: string): void;
  /** The exit code. */
  ended: Promise<number | null>;
}

/** Runs a command in a pseudo-terminal, which `script` of util-linux makes. */
async function runInTerminal(
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Terminal> {
  const script = findExecutable('script') ?? (await debianExecutable('script', ['bsdutils'], silent));
  if (script === undefined) throw new Error('script of util-linux is missing: install it (Debian: bsdutils)');
  const line = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const env = { ...process.env, ...environment };
  const child: ChildProcess = spawn(script, ['-qefc', line, '/dev/null'], { env, stdio: 'pipe' });
  let shown = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  const ended = new Promise<number | null>((resolve) => void child.once('close', resolve));
  atEnd(async () => void child.kill('SIGKILL'));
  return {
    get shown() {
      return shown;
    },
    press: (keys) => void child.stdin?.write(keys),
    ended,
  };
}
