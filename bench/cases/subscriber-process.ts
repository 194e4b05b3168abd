// The subscribers of the pipeline cases, in a process of their own: responds to every POST with 204 and, when told to,
// records the time of each. `GET /count`, `/start-recording`, `/arrivals` (which ends the recording), `/clock`, `/healthz`.

interface Arrival {
  id: string;
  atMs: number;
}

const ID_HEADER = 'webhook-id';
const nowMs = () => performance.timeOrigin + performance.now();
const noContent = { status: 204 };
let arrivals: Arrival[] = [];
let count = 0;
/** Only latency rounds record arrivals; a million of them would measure this process. */
let isRecording = false;

function control(pathname: string): Response {
  switch (pathname) {
    case '/count':
      return Response.json({ count });
    case '/start-recording':
      isRecording = true;
      arrivals = [];
      return new Response(null, noContent);
    case '/arrivals': {
      const response = Response.json(arrivals);
      isRecording = false;
      arrivals = [];
      return response;
    }
    case '/clock':
      return Response.json({ nowMs: nowMs() });
    default:
      return new Response('ok');
  }
}

Bun.serve({
  hostname: '127.0.0.1',
  port: Number(process.env.PORT),
  idleTimeout: 0,
  async fetch(request) {
    const atMs = nowMs();
    if (request.method !== 'POST') return control(new URL(request.url).pathname);
    count += 1;
    if (isRecording) arrivals.push({ id: request.headers.get(ID_HEADER) ?? '', atMs });
    await request.arrayBuffer();
    return new Response(null, noContent);
  },
});
