import { describe, expect, test } from 'bun:test';
import { examplesOf, firstWords, groupOf, UsageError } from '../../packages/client/src/cli/kit/command.ts';
import { commandHelp, groupHelp, programHelp } from '../../packages/client/src/cli/kit/help.ts';
import { readLine } from '../../packages/client/src/cli/kit/read-line.ts';
import type { Command } from '../../src/admin/command.ts';
import { commands, groups } from '../../src/admin/commands.ts';
import { administration } from '../../src/admin/program.ts';

const UUID = '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e';

/** The words of an example, as a shell splits them; it quotes with `'` alone. */
function shellWords(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

const parse = (line: string) => readLine(administration, shellWords(line));

function mistake(line: string): string {
  try {
    parse(line);
  } catch (error) {
    if (error instanceof UsageError) return `${error.message} (${error.command})`;
    throw error;
  }
  throw new Error(`accepted: ${line}`);
}

describe('every command', () => {
  test('is in a group that says what it is about', () => {
    expect(firstWords(commands)).toEqual(Object.keys(groups));
  });

  test.each(commands.map((command) => [command.name, command] as const))(
    '%s explains itself, and its example is accepted',
    (name, command: Command) => {
      expect(command.summary).toMatch(/^[A-Z].*[^.]$/);
      const help = commandHelp(administration, command);
      for (const [option, { help: description, format, required, default: value, ifUnset }] of Object.entries(
        command.options,
      )) {
        expect(description.length).toBeGreaterThan(5);
        const line = help.split('\n').find((one) => one.startsWith(`  --${option}`)) ?? '';
        if (format !== '') expect(line).toContain(`<${format}>`);
        const explanation = line.includes(description) ? line : help;
        expect(explanation).toContain(description);
        if (required === true) expect(explanation).toContain('required');
        if (value !== undefined) expect(explanation).toContain(`default ${value}`);
        if (ifUnset !== undefined) expect(explanation).toContain(`if unset, ${ifUnset}`);
      }
      const [example = ''] = examplesOf(command);
      expect(help).toContain(`${name} ${example}`.trim());
      expect(parse(`${name} ${example}`)).toMatchObject({ kind: 'run' });
      expect(parse(`${name} --help`)).toEqual({ kind: 'help', command });
      expect(parse(`help ${name}`)).toEqual({ kind: 'help', command });
    },
  );
});

test('the program and its groups list every command', () => {
  const program = programHelp(administration);
  for (const [group, about] of Object.entries(groups)) {
    expect(program).toContain(about);
    const help = groupHelp(administration, group);
    for (const command of commands.filter((one) => groupOf(one) === group)) {
      expect(help).toContain(command.summary);
      expect(program).toContain(command.name.split(' ')[1] ?? '');
    }
  }
  expect(parse('')).toEqual({ kind: 'help' });
  expect(parse('--version')).toEqual({ kind: 'version' });
  expect(parse('key -h')).toEqual({ kind: 'help', group: 'key' });
});

describe('a command line', () => {
  test('adds up a list, and takes a value after an equals sign', () => {
    const line = `key create --account=new --wallet So11111111111111111111111111111111111111112 --scopes operations:read --scopes webhooks:read,webhooks:write --json`;
    expect(parse(line)).toMatchObject({
      options: { json: 'true', account: 'new', scopes: 'operations:read,webhooks:read,webhooks:write' },
    });
  });

  test('takes a value that begins with a dash after an equals sign, and - alone', () => {
    expect(parse(`event publish --type build.service.webhook.ping.v1 --subject=--x --data {}`)).toMatchObject(
      {
        options: { subject: '--x' },
      },
    );
    expect(parse('token upsert --file -')).toMatchObject({ options: { file: '-' } });
  });

  test.each([
    ['frobnicate', 'there is no command "frobnicate" ()'],
    ['--json key list', '--account is required (key list)'],
    ['--jsn key list', 'there is no option --jsn; did you mean --json? ()'],
    ['--account a key list', 'there is no option --account ()'],
    ['keys list', 'there is no command "keys"; did you mean key? ()'],
    ['key lst', 'key needs one of create, list, revoke, not "lst"; did you mean list? (key)'],
    ['key', 'key needs one of create, list, revoke (key)'],
    ['key list', '--account is required (key list)'],
    [
      'round create --mint short --opens-at soon',
      '--locks-at, --settles-at, --minimum-balance-raw and --prize-pool-lamports are required; ' +
        '--mint must be a base58 address of 32 bytes; --opens-at must be an RFC 3339 time, e.g. 2026-11-20T10:00:00Z (round create)',
    ],
    ['key list --account', '--account needs a value: --account <uuid> (key list)'],
    ['key list --account --json', '--account needs a value: --account <uuid> (key list)'],
    [`key list --acount ${UUID}`, 'there is no option --acount; did you mean --account? (key list)'],
    ['key list --account mine', '--account must be a UUID (key list)'],
    [`key list --account ${UUID} --account ${UUID}`, '--account is given twice (key list)'],
    [`key list ${UUID}`, `"${UUID}" is one argument too many (key list)`],
    [`key list --account ${UUID} -- --json`, '"--json" is one argument too many (key list)'],
    [`key list --account ${UUID} --json --json`, '--json is given twice (key list)'],
    [`key list --account ${UUID} --json=true`, '--json takes no value (key list)'],
    ['key list --__proto__ x', 'there is no option --__proto__ (key list)'],
    [
      `delivery list --endpoint ${UUID} --limit 0`,
      '--limit must be a whole number from 1 to 1000 (delivery list)',
    ],
    [
      `delivery replay --endpoint ${UUID} --status lost`,
      '--status must be dead_letter or succeeded, not "lost" (delivery replay)',
    ],
    [
      `delivery replay --endpoint ${UUID} --status succeeded --since yesterday`,
      '--since must be an RFC 3339 time, e.g. 2026-11-20T10:00:00Z (delivery replay)',
    ],
    [
      'service-key create --name a --groups everything',
      expect.stringMatching(/^--groups (must be|does not know "everything")/),
    ],
    [
      `event publish --type build.service.webhook.pin.v1 --subject a --data {}`,
      '--type does not know "build.service.webhook.pin.v1"; did you mean build.service.webhook.ping.v1? (event publish)',
    ],
    [
      'event publish --type webhook.pin --subject a --data {}',
      '--type does not know "webhook.pin"; did you mean webhook.ping? (event publish)',
    ],
    [
      `operation fail --id ${UUID} --code token_missing`,
      expect.stringMatching(
        /^--code does not know "token_missing": the nearest of \d+ are token_not_found, (\w+, ){3}\w+; --help names all \(operation fail\)$/,
      ),
    ],
    [
      'event publish --type build.service.webhook.ping.v1 --subject a --data {',
      '--data must be valid JSON (event publish)',
    ],
    ...['api', 'api=1,api=2', 'apis=1', 'api=-1', 'api=1,'].map((counts) => [
      `doctor --processes=${counts}`,
      '--processes must be like api=2,worker=2, with api, worker, relay, internal, each at most once (doctor)',
    ]),
    ['doctor now', '"now" is one argument too many (doctor)'],
  ])('%p is refused: %s', (line, expected) => {
    expect(mistake(line)).toEqual(expected);
  });
});
