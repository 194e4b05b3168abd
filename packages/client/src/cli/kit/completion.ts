import { type Declaration, firstWords, type Program, verbsOf } from './command.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

type Completed = Pick<Program<Declaration>, 'name' | 'commands' | 'globalOptions'>;

/** A script that completes commands, options and their choices of a program of one word. */
export function completionScript(shell: Shell, program: Completed): string {
  return { bash, zsh, fish }[shell](program);
}

const optionsOf = ({ options }: Declaration, { globalOptions }: Completed) =>
  Object.entries({ ...options, ...globalOptions });
/** Within single quotes of a shell. */
const quoted = (text: string) => text.replaceAll("'", `'\\''`);

function bash(program: Completed): string {
  const { name: word, commands } = program;
  const groups = firstWords(commands).flatMap((group) => {
    const verbs = verbsOf(commands, group);
    return verbs.length === 0 ? [] : [`    ${group}) words='${verbs.join(' ')}' ;;\n`];
  });
  const flags = commands.map((command) => {
    const names = optionsOf(command, program).map(([option]) => `--${option}`);
    return `    '${command.name}'*) words='${names.join(' ')}' ;;\n`;
  });
  const choices = choiceCases(commands).map(
    ([option, values]) => `    --${option}) words='${values.join(' ')}' ;;\n`,
  );
  return `# source <(${word} completion bash)
_${word}() {
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
complete -o default -F _${word} ${word}
`;
}

/** Options whose values are known, over all commands. */
function choiceCases(commands: readonly Declaration[]): [option: string, values: readonly string[]][] {
  const found = new Map<string, Set<string>>();
  for (const { options = {} } of commands) {
    for (const [name, { choices = [] }] of Object.entries(options)) {
      for (const choice of choices) found.set(name, (found.get(name) ?? new Set()).add(choice));
    }
  }
  return [...found].map(([name, values]) => [name, [...values]]);
}

function zsh(program: Completed): string {
  return `#compdef ${program.name}
# source <(${program.name} completion zsh)
autoload -U +X bashcompinit && bashcompinit
${bash(program)}`;
}

function fish(program: Completed): string {
  const { name: completed, commands } = program;
  const lines = firstWords(commands).map((word) => {
    const summary = commands.find(({ name }) => name === word)?.summary ?? verbsOf(commands, word).join(', ');
    return `complete -c ${completed} -n __fish_use_subcommand -f -a ${word} -d '${quoted(summary)}'`;
  });
  for (const command of commands) {
    const [group = '', verb] = command.name.split(' ');
    const at = verb === undefined ? group : `${group}; and __fish_seen_subcommand_from ${verb}`;
    if (verb !== undefined) {
      const unseen = `__fish_seen_subcommand_from ${group}; and not __fish_seen_subcommand_from ${verbsOf(commands, group).join(' ')}`;
      lines.push(`complete -c ${completed} -n '${unseen}' -f -a ${verb} -d '${quoted(command.summary)}'`);
    }
    for (const [option, { format, choices, help }] of optionsOf(command, program)) {
      const value = format === '' ? '' : choices === undefined ? ' -r' : ` -x -a '${choices.join(' ')}'`;
      lines.push(
        `complete -c ${completed} -n '__fish_seen_subcommand_from ${at}' -l ${option}${value} -d '${quoted(help)}'`,
      );
    }
  }
  return `# ${completed} completion fish | source\n${lines.join('\n')}\n`;
}
