import type { Command, Option } from './command.ts';
import { globalOptions } from './global-options.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];
export const shells: readonly string[] = SHELLS;

/** A script that completes commands, options and their choices. */
export function completionScript(shell: Shell, commands: readonly Command[]): string {
  return { bash, zsh, fish }[shell](commands);
}

const optionsOf = (options: Readonly<Record<string, Option>>) =>
  Object.entries({ ...options, ...globalOptions }) as [string, Option][];
const firstWords = (commands: readonly Command[]) => [
  ...new Set(commands.map(({ name }) => name.split(' ')[0] ?? '')),
];
const verbsOf = (commands: readonly Command[], group: string) =>
  commands.filter(({ name }) => name.startsWith(`${group} `)).map(({ name }) => name.split(' ')[1] ?? '');
/** Within single quotes of a shell. */
const quoted = (text: string) => text.replaceAll("'", `'\\''`);

function bash(commands: readonly Command[]): string {
  const groups = firstWords(commands).flatMap((group) => {
    const verbs = verbsOf(commands, group);
    return verbs.length === 0 ? [] : [`    ${group}) words='${verbs.join(' ')}' ;;\n`];
  });
  const flags = commands.map(({ name, options }) => {
    const names = optionsOf(options).map(([option]) => `--${option}`);
    return `    '${name}'*) words='${names.join(' ')}' ;;\n`;
  });
  const choices = choiceCases(commands).map(
    ([option, values]) => `    --${option}) words='${values.join(' ')}' ;;\n`,
  );
  return `# source <(launchwire completion bash)
_launchwire() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words=''
  local line="\${COMP_WORDS[*]:1:COMP_CWORD-1}"
  if [ "$COMP_CWORD" -eq 1 ]; then words='${[...firstWords(commands), '--help', '--version'].join(' ')}'; fi
  if [ "$COMP_CWORD" -eq 2 ]; then case "$previous" in
${groups.join('')}  esac; fi
  case "$current" in -*) case "$line" in
${flags.join('')}  esac ;; esac
  case "$previous" in
${choices.join('')}  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _launchwire launchwire
`;
}

/** Options whose values are known, over all commands. */
function choiceCases(commands: readonly Command[]): [option: string, values: readonly string[]][] {
  const found = new Map<string, Set<string>>();
  for (const { options } of commands) {
    for (const [name, { choices = [] }] of Object.entries(options)) {
      for (const choice of choices) found.set(name, (found.get(name) ?? new Set()).add(choice));
    }
  }
  return [...found].map(([name, values]) => [name, [...values]]);
}

function zsh(commands: readonly Command[]): string {
  return `#compdef launchwire
# source <(launchwire completion zsh)
autoload -U +X bashcompinit && bashcompinit
${bash(commands)}`;
}

function fish(commands: readonly Command[]): string {
  const lines = firstWords(commands).map((word) => {
    const summary = commands.find(({ name }) => name === word)?.summary ?? verbsOf(commands, word).join(', ');
    return `complete -c launchwire -n __fish_use_subcommand -f -a ${word} -d '${quoted(summary)}'`;
  });
  for (const { name, summary, options } of commands) {
    const [group = '', verb] = name.split(' ');
    const at = verb === undefined ? group : `${group}; and __fish_seen_subcommand_from ${verb}`;
    if (verb !== undefined) {
      const unseen = `__fish_seen_subcommand_from ${group}; and not __fish_seen_subcommand_from ${verbsOf(commands, group).join(' ')}`;
      lines.push(`complete -c launchwire -n '${unseen}' -f -a ${verb} -d '${quoted(summary)}'`);
    }
    for (const [option, { kind, choices, help }] of optionsOf(options)) {
      const value = kind === 'flag' ? '' : choices === undefined ? ' -r' : ` -x -a '${choices.join(' ')}'`;
      lines.push(
        `complete -c launchwire -n '__fish_seen_subcommand_from ${at}' -l ${option}${value} -d '${quoted(help)}'`,
      );
    }
  }
  return `# launchwire completion fish | source\n${lines.join('\n')}\n`;
}
