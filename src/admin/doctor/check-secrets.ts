import type { AdminConfig } from '../../config/load.ts';
import type { Database } from '../../db/client.ts';
import { checkSecretKeys } from '../../db/secret-keys.ts';
import type { ReportProgress } from '../command.ts';
import { countSecrets } from '../re-encrypt.ts';
import { boxesOf } from '../secret-commands.ts';
import { causeOf, type Finding, failed, ok, skipped } from './finding.ts';

/**
 * Checks that SECRET_KEY and SECRET_KEY_PREVIOUS are the keys of the processes and open every stored secret.
 * Changes nothing.
 */
export async function checkSecrets(
  database: Database,
  config: AdminConfig,
  report: ReportProgress,
): Promise<Finding> {
  const { secretKey, secretKeyPrevious } = config;
  if (secretKey === undefined) return skipped('secrets', 'needs SECRET_KEY');
  try {
    const { found, underEarlierKey, unreadable } = await countSecrets(
      database,
      boxesOf({ secretKey, secretKeyPrevious }, config),
      report,
    );
    if (unreadable > 0)
      return failed(
        'secrets',
        `${unreadable} of ${found} are under a key that is neither SECRET_KEY nor in SECRET_KEY_PREVIOUS or ORDER_KEYS: name that key`,
      );
    const earlier = underEarlierKey === 0 ? '' : `, ${underEarlierKey} of them under an earlier key`;
    const refusal = await checkSecretKeys(database, { secretKey, secretKeyPrevious }, 'seal');
    return refusal === null ? ok('secrets', `${found} open${earlier}`) : failed('secrets', refusal);
  } catch (error) {
    return failed('secrets', `they cannot be read: ${causeOf(error)}`);
  }
}
