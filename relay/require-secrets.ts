import type { Database } from '../src/db/client.ts';
import { ConfigurationError } from '../src/shared/configuration.ts';
import { createSecretBox, NotOpened, type SecretKeys } from '../src/shared/secret-box.ts';
import { openWebhookSecret } from '../src/shared/webhooks/secret.ts';

/** The newest ones: a relay with a wrong key opens none of them, one in the middle of a rotation some. */
const SAMPLE = 20;

/**
 * Throws ConfigurationError when the keys open none of the newest secrets of enabled endpoints: such a relay could sign
 * nothing, and would use up the attempts of every delivery.
 */
export async function requireSecrets(
  database: Database,
  { secretKey, secretKeyPrevious }: SecretKeys,
): Promise<void> {
  const box = createSecretBox(secretKey, secretKeyPrevious);
  const rows = await database<{ id: string; sealedSecret: Uint8Array }[]>`
    select id, sealed_secret from webhook_endpoints
    where deleted_at is null and status = 'enabled' and octet_length(sealed_secret) > 0
    order by id desc limit ${SAMPLE}`;
  if (rows.length === 0 || rows.some(({ id, sealedSecret }) => opens(box, id, sealedSecret))) return;
  throw new ConfigurationError([
    'SECRET_KEY opens none of the stored webhook secrets: give the relay the SECRET_KEY of the api, or name the earlier key in SECRET_KEY_PREVIOUS',
  ]);
}

function opens(box: ReturnType<typeof createSecretBox>, endpointId: string, sealed: Uint8Array): boolean {
  try {
    openWebhookSecret(box, endpointId, sealed);
    return true;
  } catch (error) {
    if (error instanceof NotOpened) return false;
    throw error;
  }
}
