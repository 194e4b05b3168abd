import { nkeys } from '@nats-io/transport-node';

type KeyPair = ReturnType<typeof nkeys.createUser>;

const encodeJson = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** A signed NATS JWT (version 2). */
function issue(issuer: KeyPair, subject: KeyPair, name: string, claims: Record<string, unknown>): string {
  const head = encodeJson({ typ: 'JWT', alg: 'ed25519-nkey' });
  const body = encodeJson({
    jti: crypto.randomUUID(),
    iat: 1_700_000_000,
    iss: issuer.getPublicKey(),
    name,
    sub: subject.getPublicKey(),
    nats: { version: 2, ...claims },
  });
  const signature = issuer.sign(new TextEncoder().encode(`${head}.${body}`));
  return `${head}.${body}.${Buffer.from(signature).toString('base64url')}`;
}

/** Creates an operator with one account and one user. Returns the server's configuration and the user's
 * credentials file. */
export function createCredentials(): { settings: string[]; credentials: string } {
  const [operator, account, system, user] = [
    nkeys.createOperator(),
    nkeys.createAccount(),
    nkeys.createAccount(),
    nkeys.createUser(),
  ];
  const unlimited = {
    limits: { subs: -1, conn: -1, leaf: -1, imports: -1, exports: -1, data: -1, payload: -1 },
  };
  const jetStream = {
    limits: { ...unlimited.limits, mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 },
  };
  const accountJwt = issue(operator, account, 'account', { type: 'account', ...jetStream });
  const systemJwt = issue(operator, system, 'system', { type: 'account', ...unlimited });
  const userJwt = issue(account, user, 'user', { type: 'user', subs: -1, data: -1, payload: -1 });
  return {
    settings: [
      `operator: ${issue(operator, operator, 'operator', { type: 'operator' })}`,
      `system_account: ${system.getPublicKey()}`,
      'resolver: MEMORY',
      'resolver_preload {',
      `  ${account.getPublicKey()}: ${accountJwt}`,
      `  ${system.getPublicKey()}: ${systemJwt}`,
      '}',
    ],
    credentials: [
      '-----BEGIN NATS USER JWT-----',
      userJwt,
      '------END NATS USER JWT------',
      '',
      '-----BEGIN USER NKEY SEED-----',
      textOf(user.getSeed()),
      '------END USER NKEY SEED------',
      '',
    ].join('\n'),
  };
}
