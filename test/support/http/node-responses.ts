import { fileURLToPath } from 'node:url';
import { atEnd } from '../run/cleanup.ts';

/** The result of Node's client for a response. */
export type NodeVerdict =
  | {
      status: number;
      location: string | null;
      retryAfter: string | null;
      /** Each byte is one latin1 character. */
      body: string;
      isKept: boolean;
    }
  | { error: string };

/** Starts Node with its own `node:http`, because Bun's is a different client. It handles one response at a
 * time. */
export function startNodeClient(): (bytes: Uint8Array) => Promise<NodeVerdict> {
  const script = fileURLToPath(new URL('node-responses.mjs', import.meta.url));
  const child = Bun.spawn(['node', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  atEnd(async () => {
    child.kill();
    await child.exited;
  });
  const lines = linesOf(child.stdout);
  return async (bytes) => {
    child.stdin.write(`${Buffer.from(bytes).toString('base64')}\n`);
    child.stdin.flush();
    const { value } = await lines.next();
    return JSON.parse(value ?? '') as NodeVerdict;
  };
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  return undefined;
}
