/** What the sandbox gives to each of its processes; nothing listens at these addresses. */
export const processSettings = {
  port: 3000,
  databaseUrl: 'postgres://localhost/sandbox',
  natsUrl: 'nats://127.0.0.1:4222',
  rpcUrl: 'http://127.0.0.1:8899',
  secretKey: Buffer.alloc(32, 1).toString('base64'),
};
