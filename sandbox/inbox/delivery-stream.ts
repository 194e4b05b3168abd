import type { ReceivedDeliveries, ReceivedDelivery } from './received-deliveries.ts';

/** Browsers and proxies close a silent stream. */
const HEARTBEAT_MS = 15_000;

/** Server-sent events: first all stored deliveries, oldest first, as `snapshot`, then every new one. */
export function streamDeliveries(deliveries: ReceivedDeliveries, headers: Record<string, string>): Response {
  const encoder = new TextEncoder();
  let end = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (text: string) => controller.enqueue(encoder.encode(text));
      const onDelivery = (one: ReceivedDelivery) => send(`event: delivery\ndata: ${JSON.stringify(one)}\n\n`);
      send(`retry: 1000\nevent: snapshot\ndata: ${JSON.stringify(deliveries.list().reverse())}\n\n`);
      const stopListening = deliveries.listen(onDelivery);
      const heartbeat = setInterval(() => send(': \n\n'), HEARTBEAT_MS);
      end = () => {
        stopListening();
        clearInterval(heartbeat);
      };
    },
    cancel() {
      end();
    },
  });
  return new Response(body, { headers: { ...headers, 'Content-Type': 'text/event-stream; charset=utf-8' } });
}
