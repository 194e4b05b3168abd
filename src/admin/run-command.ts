import type { Values } from '../../packages/client/src/cli/kit/command.ts';
import { checkValues } from '../../packages/client/src/cli/kit/read-line.ts';
import type { AdminDependencies } from './admin-dependencies.ts';
import { commands } from './commands.ts';

/** Runs a command in this process and returns what it prints. Throws what the command throws. */
export function runCommand(
  admin: AdminDependencies,
  name: string,
  values: Values,
): Promise<Record<string, unknown>> {
  const command = commands.find((one) => one.name === name);
  if (command === undefined) throw new Error(`the admin CLI has no \`${name}\``);
  const { options } = checkValues(command, { arguments: {}, options: values });
  return command.run(admin, options, () => {});
}
