import type { AdminDependencies } from '../../src/admin/admin-dependencies.ts';
import type { OptionValues } from '../../src/admin/command.ts';
import { commands } from '../../src/admin/commands.ts';
import { checkOptions } from '../../src/admin/invocation.ts';

/** Runs an admin command in this process and returns what it prints. Throws what the command throws. */
export function runAdmin(
  admin: AdminDependencies,
  command: `${string} ${string}`,
  options: OptionValues,
): Promise<Record<string, unknown>> {
  const found = commands.find(({ group, verb }) => `${group} ${verb}` === command);
  if (found === undefined) throw new Error(`the admin CLI has no \`${command}\``);
  checkOptions(found, options);
  return found.run(admin, options, () => {});
}
