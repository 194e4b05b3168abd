/**
 * The limit of a stream: `Bun.serve` that writes the bytes of a POST to every stream that is open, through the same kind
 * of body, and nothing else.
 */
interface Controller {
  write(bytes: Uint8Array): unknown;
  flush(): unknown;
}

const open = new Set<Controller>();
const BEGUN = Buffer.from('event: heartbeat\ndata: {}\n\n');

Bun.serve({
  port: Number(process.env.PORT),
  hostname: '127.0.0.1',
  idleTimeout: 0,
  routes: {
    '/healthz': () => new Response('ok'),
    '/stream': (request) => {
      const source: Bun.DirectUnderlyingSource<Uint8Array> = {
        type: 'direct',
        async pull(controller) {
          open.add(controller);
          void controller.write(BEGUN);
          controller.flush();
          await new Promise<void>((resolve) => {
            request.signal.addEventListener('abort', () => resolve(), { once: true });
          });
          open.delete(controller);
        },
      };
      return new Response(new ReadableStream(source), { headers: { 'content-type': 'text/event-stream' } });
    },
    '/send': {
      POST: async (request) => {
        const bytes = new Uint8Array(await request.arrayBuffer());
        for (const controller of open) {
          void controller.write(bytes);
          controller.flush();
        }
        return new Response('sent');
      },
    },
  },
});
