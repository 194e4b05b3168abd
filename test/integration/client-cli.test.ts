import { beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { commandLine, commands } from '../../packages/client/src/cli/commands.ts';
import { examplesOf } from '../../packages/client/src/cli/kit/command.ts';
import { completionScript } from '../../packages/client/src/cli/kit/completion.ts';
import { readLine } from '../../packages/client/src/cli/kit/read-line.ts';
import type { Settings } from '../../packages/client/src/cli/settings.ts';
import { cancelOperation } from '../../src/features/operations/cancel-operation.ts';
import { followRankings } from '../../src/features/tokens/follow-rankings.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { runCommandLine, startCommandLine } from '../support/client/command-line.ts';
import { runCommand } from '../support/client/packed-client.ts';
import { insertSentIntents } from '../support/intents/insert-sent-intents.ts';
import { createPreparedIntent } from '../support/intents/intents.ts';
import { insertAttempt } from '../support/rows/insert-attempt.ts';
import { insertDelivery } from '../support/rows/insert-delivery.ts';
import { insertEndpoint } from '../support/rows/insert-endpoint.ts';
import { insertEvent } from '../support/rows/insert-event.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTempDir } from '../support/run/temp-dir.ts';

const wallet = Keypair.generate();
const folder = createTempDir('client-cli');
const keyFile = join(folder, 'wallet.json');
let api: TestApi;
let key: TestKey;

beforeAll(async () => {
  api = await startTestApi();
  key = await createTestKey(api.dependencies.database, { walletAddress: wallet.publicKey.toBase58() });
  writeFileSync(keyFile, JSON.stringify([...wallet.secretKey]));
});

const settingsOf = (settings: Partial<Settings> = {}) => ({ url: api.origin, apiKey: key.text, ...settings });
const start = (words: readonly string[]) => startCommandLine(words, settingsOf());
const cli = (words: readonly string[], settings?: Partial<Settings>) =>
  runCommandLine(words, settingsOf(settings));

describe('usage', () => {
  test.each(commands.map((command) => [command.name, command] as const))(
    '%s explains itself, with a valid example',
    async (name, command) => {
      const { code, out, err } = await cli([...name.split(' '), '--help']);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toStartWith(`${command.summary}.\n`);
      for (const option of Object.keys(command.options ?? {})) expect(out).toContain(`--${option}`);
      for (const example of examplesOf(command)) {
        expect(out).toContain(`launchwire ${name} ${example}`.trim());
        const [words = ''] = example.split(' |');
        const line = `${name} ${words}`.trim().split(' ');
        expect(readLine(commandLine, line)).toMatchObject({ kind: 'run', command: { name } });
      }
    },
  );

  test.each([...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))])(
    '%s is explained with its verbs, also after help',
    async (word) => {
      const explained = await cli([word, '--help']);
      expect(explained).toMatchObject({ code: 0, err: '' });
      for (const { name, summary } of commands)
        if (name.split(' ')[0] === word) expect(explained.out).toContain(summary);
      expect(await cli(['help', word])).toEqual(explained);
    },
  );

  test('is explained for all commands, and the version is that of the package', async () => {
    for (const words of [[], ['--help'], ['help'], ['-h']]) {
      const { code, out } = await cli(words);
      expect(code).toBe(0);
      for (const { name, summary } of commands)
        expect(out).toMatch(new RegExp(`^  ${name} +${summary.slice(0, 20)}`, 'm'));
      expect(out).toContain('LAUNCHWIRE_API_KEY');
    }
    expect(await cli(['--version'])).toEqual({ code: 0, out: '1.2.3\n', err: '' });
    expect(await cli(['--json', '--help'])).toEqual(await cli(['--help']));
    expect(await cli(['--json', 'me'])).toEqual(await cli(['me', '--json']));
    expect(await cli(['--url', api.origin, 'me'], { url: undefined })).toEqual(await cli(['me']));
    expect(await cli([`--url=${api.origin}`, 'me'], { url: undefined })).toEqual(await cli(['me']));
  });

  test.each<[string, string]>([
    ['intent', 'there is no command "intent"; did you mean intents?'],
    ['intents', 'intents needs one of list, show, sends, submit'],
    ['intents shwo', 'intents needs one of list, show, sends, submit, not "shwo"; did you mean show?'],
    [
      'endpoints remove',
      'endpoints needs one of list, show, create, update, rotate, ping, delete, not "remove"',
    ],
    ['tokns list', 'there is no command "tokns"; did you mean tokens?'],
    ['--jsn me', 'there is no option --jsn; did you mean --json?'],
    ['--url http://x', 'a command is needed'],
    ['quote', '<mint> and --side are required'],
    ['quote m --amount 1', '--side is required'],
    ['quote m --side sell', '--amount is needed, or --bps'],
    ['quote m --side sell --amount 1 --bps 1', '--amount and --bps exclude each other'],
    ['quote m --side buy --bps 1 --wallet w', '--bps is a share of tokens to sell, with exact-in'],
    ['quote m --side sell --bps 10001 --wallet w', '--bps must be a whole number from 1 to 10000'],
    ['quote m --side sell --bps 1', '--bps needs --wallet'],
    ['quote m --side sell --amount 1 --wallet w', '--wallet is for --bps'],
    ['quote m,n --side sell --amount 1sol', '--amount is in tokens here, not in sol'],
    ['quote m --side hold --amount 1', '--side must be buy or sell, not "hold"'],
    ['quote m --side by --amount 1', '--side must be buy or sell, not "by"; did you mean buy?'],
    ['quote m --side buy --side sell --amount 1', '--side is given twice'],
    [
      'quote m --side buy --amount 0.5',
      '--amount is a whole number of raw units, or a number with its unit, as 0.05sol or 12.5tokens, not "0.5"',
    ],
    ['quote m --side buy --amount 1tokens', '--amount is in sol here, not in tokens'],
    ['quote m --side sell --amount 1sol', '--amount is in tokens here, not in sol'],
    ['quote m --side sell --mode exact-out --amount 1TOKENS', '--amount is in sol here, not in tokens'],
    ['quote m --side buy --amount 0.0000000001sol', '--amount has at most 9 decimals, not "0.0000000001sol"'],
    ['events list --type lunch.*', 'there is no event type "lunch.*"; did you mean launch.*?'],
    [
      'endpoints create https://x.example --events launch.*,',
      '--events is a list with commas, not "launch.*,"',
    ],
    [
      'endpoints create https://x.example --events launch.create',
      'there is no event type "launch.create"; did you mean launch.created?',
    ],
    [
      'endpoints update id',
      'nothing to change: give one or more of --new-url, --events, --subjects, --description, --status',
    ],
    ['endpoints update id --status on', '--status must be enabled or disabled, not "on"'],
    [
      'endpoints update id --events launch.create',
      'there is no event type "launch.create"; did you mean launch.created?',
    ],
    ['endpoints rotate id --overlap 604801', '--overlap must be a whole number from 0 to 604800'],
    ['quote m --side buy --amount 1 --slipage 3', 'there is no option --slipage; did you mean --slippage?'],
    ['quote m --side buy --amount 1 --slippage 10001', '--slippage must be a whole number from 0 to 10000'],
    ['me too', '"too" is one argument too many'],
    ['me --url ftp://x', '"ftp://x" is not an address: it begins with https:// or http://'],
    [
      'trigger lunch.created --forward 1',
      'there is no event type "lunch.created"; did you mean launch.created?',
    ],
    [
      'trigger launch.created --forward nowhere',
      '--forward is an address like http://127.0.0.1:8000/webhooks, not "nowhere"',
    ],
    ['intents submit id --key-file /nothing', '/nothing cannot be read: ENOENT'],
    ['completion tcsh', '<shell> must be bash, zsh or fish, not "tcsh"'],
  ])('%s: is refused in one line, with the way to help', async (line, message) => {
    const { code, out, err } = await cli(line.split(' '));
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toStartWith(`launchwire: ${message}\nSee launchwire `);
    expect(err.trimEnd()).toEndWith('--help.');
  });

  test('no command has an option of the name that one for all commands has', () => {
    const shared = commands.flatMap(({ name, options = {} }) =>
      Object.keys(options)
        .filter((option) => option in commandLine.globalOptions)
        .map((option) => `${name} --${option}`),
    );
    expect(shared).toEqual([]);
  });

  test('a key file without a key is refused without showing its content', async () => {
    const file = join(folder, 'other.txt');
    for (const content of ['my diary', '[1,2,3]', '']) {
      writeFileSync(file, content);
      const { code, err } = await cli(['intents', 'submit', 'id', '--key-file', file]);
      expect(code).toBe(2);
      expect(err).toContain(`${file} holds no secret key`);
      expect(err).not.toContain('diary');
    }
  });

  test.each(['bash', 'zsh', 'fish'] as const)(
    'completion for %s names every command and option',
    async (shell) => {
      const { code, out } = await cli(['completion', shell]);
      expect({ code, out }).toEqual({ code: 0, out: completionScript(shell, commandLine) });
      for (const { name, options = {} } of commands) {
        for (const word of [...name.split(' '), ...Object.keys(options)]) expect(out).toContain(word);
      }
    },
  );

  test('completion completes in bash', async () => {
    const script = `${completionScript('bash', commandLine)}
try() { COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _launchwire; echo "\${COMPREPLY[*]}"; }
try launchwire del; try launchwire deliveries re; try launchwire deliveries list --st; try launchwire swap m --side ''`;
    const { stdout } = await runCommand(['bash', '-c', script], { cwd: folder });
    expect(stdout).toBe('deliveries\nreplay retry recover\n--status\nbuy sell\n');
  });
});

describe('tokens list', () => {
  const launch = (symbol: string, at: number) =>
    api.dependencies.database`
      insert into tokens (mint_address, creator_wallet, name, symbol, decimals, total_supply, launch_type, status,
        created_at, updated_at)
      values (${Keypair.generate().publicKey.toBase58()}, ${wallet.publicKey.toBase58()}, ${symbol}, ${symbol}, 6, 1, 'dbc',
        'bonding', now() + ${at}::int4 * interval '1 second', now())`;
  const list = async (...words: string[]) => {
    const { out } = await cli(['tokens', 'list', '--json', ...words]);
    return (JSON.parse(out) as { symbol: string; mintAddress: string }[]).map(({ symbol }) => symbol);
  };

  test('searches, sorts, and reads by creator and address', async () => {
    for (const [at, symbol] of ['ZEBRA', 'QUAGGA'].entries()) await launch(symbol, at);
    const context = { db: api.dependencies.database, clock: systemClock, onRanked: () => {} };
    while (await followRankings(context));
    expect(await list('--query', 'quaga')).toEqual(['QUAGGA']);
    expect(await list('--sort', 'marketCap', '--limit', '1')).toHaveLength(1);
    expect(await list('--creator', wallet.publicKey.toBase58())).toEqual(['QUAGGA', 'ZEBRA']);
    const mints = await api.dependencies.database<{ mintAddress: string }[]>`
      select mint_address from tokens where symbol in ('ZEBRA', 'QUAGGA') order by symbol desc`;
    const named = mints.map(({ mintAddress }) => mintAddress).join();
    expect(await list('--mints', named, '--limit', '1')).toEqual(['ZEBRA', 'QUAGGA']);
    const { out } = await cli(['tokens', 'list', '--sort', 'trades1h']);
    expect(out).toContain('PRICE CHANGE1H');
    expect((await cli(['tokens', 'list'])).out).not.toContain('PRICE CHANGE1H');
    expect(await cli(['tokens', 'list', '--query', 'a', '--sort', 'trades1h'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('must be absent beside query'),
    });
  });
});

describe('reads', () => {
  test('me shows the account as fields, or as JSON', async () => {
    const { out, code } = await cli(['me']);
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^accountId +${key.accountId}$`, 'm'));
    expect(JSON.parse((await cli(['me', '--json'])).out)).toMatchObject({ keyId: key.keyId });
  });

  test('keys are listed with their last use, and revoked by their id', async () => {
    const { database } = api.dependencies;
    const { accountId } = key;
    const other = await createTestKey(database, { accountId });
    const { out } = await cli(['keys', 'list']);
    expect(out).toMatch(/^ID +NAME +SCOPES +CREATED AT +EXPIRES AT +REVOKED AT +LAST USED AT\n/);
    expect(out).toContain(other.keyId);
    expect(out).not.toContain(other.text.split('_')[3] ?? other.text);
    expect(JSON.parse((await cli(['keys', 'list', '--limit', '1', '--json'])).out)).toHaveLength(1);
    const revoked = await cli(['keys', 'revoke', other.keyId, '--json']);
    expect(JSON.parse(revoked.out)).toMatchObject({ id: other.keyId, revokedAt: expect.any(String) });
    expect((await cli(['keys', 'revoke', other.keyId.replace(/.$/, '-')])).code).toBe(1);
  });

  test('refusals are one line with exit code 1, an unreachable deployment is 3', async () => {
    const refused = await cli(['me'], { apiKey: undefined });
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toMatch(/^launchwire: invalid_api_key: .* Set LAUNCHWIRE_API_KEY\.\n$/);
    const away = await cli(['me', '--url', 'http://127.0.0.1:9']);
    expect(away.code).toBe(3);
    expect(away.err).toContain('http://127.0.0.1:9/api/v2/me');
    expect(away.err.trim().split('\n')).toHaveLength(1);
    expect(await cli(['me'], { url: undefined })).toMatchObject({ code: 2 });
    const unknown = await cli(['quote', key.walletAddress, '--side', 'buy', '--amount', '1']);
    expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining('launchwire: token_not_found') });
  });

  test('intents are listed, shown and submitted with a key file', async () => {
    const { database } = api.dependencies;
    const { id } = await createPreparedIntent(database, { accountId: key.accountId, wallet });
    const { out } = await cli(['intents', 'list', '--status', 'prepared']);
    expect(out).toMatch(/^ID +KIND +STATUS +CREATED AT +TRANSACTION SIGNATURE\n/);
    expect(out).toContain(`${id}  token_transfer  prepared`);
    expect((await cli(['intents', 'list', '--status', 'failed'])).out).toBe('none\n');
    expect((await cli(['intents', 'show', id])).out).toMatch(/^status +prepared$/m);
    const submitted = await cli(['intents', 'submit', id, '--key-file', keyFile, '--no-wait', '--json']);
    expect(submitted).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(submitted.out)).toMatchObject({ id, status: 'submitted' });

    const failing = await createPreparedIntent(database, { accountId: key.accountId, wallet });
    writeFileSync(join(folder, 'wallet.txt'), `${bs58.encode(wallet.secretKey)}\n`);
    const waiting = start(['intents', 'submit', failing.id, '--key-file', join(folder, 'wallet.txt')]);
    await eventually('the submission', async () => waiting.written.err.includes('submitted…'));
    await database`update transaction_intents set status = 'failed', version = 3, completed_at = now(),
      error_code = 'solana_blockhash_expired', error_detail = 'Too late.' where id = ${failing.id}`;
    await eventually('the end', async () => {
      api.dependencies.pipeline.waits.wake([failing.id]);
      return api.dependencies.pipeline.waits.count === 0;
    });
    expect(await waiting.ended).toBe(1);
    expect(waiting.written.err).toContain('launchwire: solana_blockhash_expired: Too late.');
  });

  test('sends of an intent and the landing report are shown as tables, and whole as JSON', async () => {
    const { database } = api.dependencies;
    const createdAt = new Date(Date.now() - 3_600_000);
    const [id = ''] = await insertSentIntents(database, key.accountId, [
      {
        createdAt,
        end: 'confirmed',
        endsAfterMs: 900,
        landing: { slot: 105n, feeLamports: 5_000n, tipLamports: 0n },
        sends: [
          { target: 'node-a', firstSlot: 102n },
          { target: 'fast', firstSlot: null, isHeldOut: true },
        ],
      },
    ]);
    const sends = await cli(['intents', 'sends', id]);
    expect(sends.out).toMatch(
      /^NAME +SEND COUNT +TAKEN COUNT +ANSWER .* HELD OUT\nfast +0 +0 +- .* true\nnode-a +1 +1 +accepted /,
    );
    const whole = await cli(['intents', 'sends', id, '--json']);
    expect(JSON.parse(whole.out)).toMatchObject({
      intentId: id,
      addresses: [{ name: 'fast' }, { name: 'node-a' }],
    });

    const range = [
      '--from',
      new Date(createdAt.getTime() - 1).toISOString(),
      '--to',
      new Date(createdAt.getTime() + 1).toISOString(),
    ];
    const report = await cli(['landing-report', ...range, '--by', 'address']);
    expect(report.out.split('\n').map((line) => line.replaceAll(/ +/g, ' '))).toEqual([
      'GROUP SENT LANDED FAILED EXPIRED OPEN SLOTS MS FEES TIPS',
      'all 1 1 0 0 0 3/3/3 900/900/900 5000 0',
      'fast 0 0 0 0 0 - - 0 0',
      'without fast 1 1 0 0 0 3/3/3 900/900/900 5000 0',
      'node-a 1 1 0 0 0 3/3/3 900/900/900 5000 0',
      '',
    ]);
    expect(JSON.parse((await cli(['landing-report', '--json'])).out)).toMatchObject({
      by: 'route',
      total: { landed: 1 },
    });
    expect(await cli(['landing-report', '--from', 'yesterday'])).toMatchObject({ code: 2 });
  });

  test('deliveries of all endpoints are listed, and replayed', async () => {
    const { database } = api.dependencies;
    const { accountId } = key;
    const endpointId = await insertEndpoint(database, { accountId });
    const eventType = 'build.service.operation.succeeded.v1';
    const eventId = await insertEvent(database, { accountId, type: eventType });
    const delivery = { endpointId, eventId, eventType, status: 'dead_letter' } as const;
    const id = await insertDelivery(database, delivery);
    const { out, err } = await cli(['deliveries', 'list', '--status', 'dead_letter']);
    expect({ err, out }).toMatchObject({ err: '', out: expect.stringContaining(id) });
    expect((await cli(['deliveries', 'attempts', id])).out).toBe('none\n');
    await insertAttempt(database, {
      deliveryId: id,
      succeeded: false,
      errorCode: 'network_error',
      errorReason: 'connection_refused',
      redirectCount: 1,
      hopOrigin: 'https://moved.example',
    });
    expect((await cli(['deliveries', 'attempts', id])).out).toContain(
      '  failed   network_error  connection_refused  https://moved.example (redirect 1)  ',
    );
    const event = await cli(['events', 'show', eventId]);
    expect(event).toMatchObject({ code: 0, out: expect.stringMatching(/^type +operation\.succeeded$/m) });
    expect(JSON.parse((await cli(['events', 'show', eventId, '--json'])).out)).toMatchObject({ id: eventId });
    const shown = (await cli(['deliveries', 'show', id])).out;
    expect(shown).toMatch(/^status +dead_letter$/m);
    expect(shown).toMatch(/^eventType +operation\.succeeded$/m);
    const retry = await cli(['deliveries', 'retry', id]);
    expect(retry).toMatchObject({ code: 1, err: expect.stringContaining('webhook_delivery_not_retrying') });
    await database`update webhook_deliveries set status = 'retrying', next_attempt_at = now() + interval '1 day' where id = ${id}`;
    expect(await cli(['deliveries', 'retry', id])).toMatchObject({
      err: '',
      out: expect.stringMatching(/^status +retrying$/m),
    });
    await database`
      update webhook_endpoints set paused_until = now() + interval '1 hour', pause_reason = 'http_429' where id = ${endpointId}`;
    expect(await cli(['deliveries', 'retry', id])).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^The endpoint is paused \(http_429\): the attempt is made at \S+Z\.\n$/),
    });
    await database`update webhook_deliveries set status = 'dead_letter', next_attempt_at = null where id = ${id}`;
    const replayed = JSON.parse((await cli(['deliveries', 'replay', id, '--json'])).out);
    expect(replayed).toMatchObject({ id, status: 'pending' });
    expect(await cli(['deliveries', 'replay', id])).toMatchObject({ code: 1 });
  });

  test('a recovery is started and waited for, and ends as its operation does', async () => {
    const { database, outbox, clock, operationLinks: links, pipeline } = api.dependencies;
    const endpointId = await insertEndpoint(database, { accountId: key.accountId });
    const words = ['deliveries', 'recover', endpointId, '--since', '2026-11-20T10:00:00Z'];
    const queued = JSON.parse((await cli([...words, '--only', 'missed', '--no-wait', '--json'])).out);
    expect(queued).toMatchObject({ kind: 'delivery_recovery', status: 'queued' });
    expect(await cli(words)).toMatchObject({
      code: 1,
      err: expect.stringContaining('operation_limit_reached'),
    });
    const cancel = (id: string) =>
      database.begin((transaction) => cancelOperation(transaction, { outbox, clock, links }, id));
    await cancel(queued.id);
    const waiting = start(words);
    const [, id = ''] = await eventually('the operation', async () =>
      /operation (\S+)/.exec(waiting.written.err),
    );
    await cancel(id);
    await eventually('the end', async () => {
      pipeline.waits.wake([id]);
      return pipeline.waits.count === 0;
    });
    expect(await waiting.ended).toBe(1);
    expect(waiting.written.err).toContain(`operation ${id} cancelled`);
    expect(await cli([...words.slice(0, -1), 'yesterday'])).toMatchObject({ code: 2 });
  });

  test('recorded events are listed by time, type and subject', async () => {
    const { database, outbox } = api.dependencies;
    const subject = `${crypto.randomUUID()}`;
    await database.begin((transaction) =>
      outbox.append(transaction, { name: 'presale.opened', subject, accountId: null, data: {} }),
    );
    const words = ['events', 'list', '--subject', subject];
    const found = await eventually('the event', async () => {
      const { out } = await cli(words);
      return out.includes(subject) && out;
    });
    expect(found).toMatch(/^ID +TYPE +SUBJECT +RECORDED AT\n\S+ +presale\.opened /);
    expect((await cli([...words, '--since', '2999-01-01T00:00:00Z'])).out).toBe('none\n');
    for (const type of ['build.service.launch.*', 'launch.*', 'launch.created'])
      expect((await cli([...words, '--type', type])).out).toBe('none\n');
    for (const type of ['*', 'presale.*', 'presale.opened', 'build.service.presale.opened.v1'])
      expect((await cli([...words, '--type', type])).out).toBe(found);
    const [{ type = '' } = {}] = JSON.parse((await cli([...words, '--json'])).out);
    expect(type).toBe('build.service.presale.opened.v1');
    for (const since of ['now', '2026-02-30T00:00:00Z', '2026-11-20T24:00:00Z'])
      expect(await cli([...words, '--since', since])).toMatchObject({ code: 2 });
    expect((await cli([...words, '--since', '2999-01-01t00:00:00z'])).out).toBe('none\n');
  });
});
