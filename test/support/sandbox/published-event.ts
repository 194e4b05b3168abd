import type { SandboxState } from '../../../sandbox/state-file.ts';
import { runBun } from './sandbox-process.ts';

/** Publishes a public event in a running sandbox with the admin CLI; its id. */
export async function publishEvent(state: SandboxState, subject: string, data: object): Promise<string> {
  const command = ['event', 'publish', '--type', 'build.service.launch.created.v1', '--json'];
  const facts = ['--subject', subject, '--data', JSON.stringify(data)];
  const { code, output } = await runBun(['src/admin.ts', ...command, ...facts], { ...state.environment });
  if (code !== 0) throw new Error(`event publish ended with ${code}: ${output}`);
  return (JSON.parse(output) as { eventId: string }).eventId;
}
