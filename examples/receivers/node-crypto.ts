// A receiver on Node alone, without any package.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';

/** The keys of secrets (`whsec_…`) with white space between them. Throws unless all are secrets, and there is one. */
function readSecrets(text: string): Buffer[] {
  const secrets = text.split(/\s+/).filter((part) => part !== '');
  if (secrets.length === 0) throw new Error('there is no secret');
  return secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const isWhole = secret === `whsec_${key.toString('base64')}`;
    if (isWhole && key.length >= 24 && key.length <= 64) return key;
    throw new Error('a secret is whsec_ and the base64 of 24 to 64 bytes');
  });
}

/** True when the body was signed with one of the keys within the last five minutes. */
function isGenuine(headers: Headers, body: Buffer, keys: Buffer[]): boolean {
  const id = headers.get('webhook-id') ?? '';
  const timestamp = headers.get('webhook-timestamp') ?? '';
  if (id === '' || !(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false;
  const given = (headers.get('webhook-signature') ?? '').split(' ');
  return keys.some((key) => {
    const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
    const expected = Buffer.from(`v1,${digest}`);
    return given.some((part) => {
      const signature = Buffer.from(part);
      return signature.length === expected.length && timingSafeEqual(signature, expected);
    });
  });
}

const keys = readSecrets(process.env.LAUNCHWIRE_WEBHOOK_SECRET ?? '');
const BODY_BYTES_MAX = 128 * 1024;

/** Undefined when it is too long. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  let size = 0;
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    size += chunk.length;
    if (size > BODY_BYTES_MAX) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function statusFor(request: IncomingMessage): Promise<number> {
  const body = await bodyOf(request);
  if (body === undefined) return 413;
  const headers = new Headers(request.headers as Record<string, string>);
  if (!isGenuine(headers, body, keys)) return 400;
  const { type } = JSON.parse(body.toString());
  // Store the event under its id here, once, before you respond; process it afterwards.
  console.log(headers.get('webhook-id'), type);
  return 204;
}

const server = createServer(async (request, response) => {
  const status = await statusFor(request).catch((error: unknown) => {
    console.error(error);
    return 500;
  });
  response.writeHead(status).end();
});
server.listen(Number(process.env.PORT ?? 8000), '127.0.0.1');
