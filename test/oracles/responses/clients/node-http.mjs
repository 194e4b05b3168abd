// The client of Node: POSTs to each row and once more, and writes what it read as one line of JSON.
import { Agent, request } from 'node:http';

const [port, rows] = process.argv.slice(2).map(Number);

function post(agent, path) {
  return new Promise((resolve) => {
    const seen = { status: null, body: '', error: null };
    let isDone = false;
    const done = (error) => {
      if (isDone) return;
      isDone = true;
      resolve({ ...seen, error });
    };
    const pieces = [];
    const options = { host: '127.0.0.1', port, path, method: 'POST', agent, timeout: 5000 };
    const sent = request({ ...options, headers: { 'content-length': '2' } });
    sent.on('timeout', () => sent.destroy(new Error('timeout')));
    sent.on('error', (error) => done(error.code ?? error.message));
    sent.on('upgrade', (response, socket) => {
      seen.status = response.statusCode;
      socket.destroy();
      done('upgrade');
    });
    sent.on('response', (response) => {
      seen.status = response.statusCode;
      response.on('data', (piece) => {
        pieces.push(piece);
        seen.body = Buffer.concat(pieces).toString('base64');
      });
      response.on('error', (error) => done(error.code ?? error.message));
      response.on('end', () => done(null));
    });
    sent.end('{}');
  });
}

for (let row = 0; row < rows; row += 1) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const first = await post(agent, `/row/${row}`);
  const second = await post(agent, `/next/${row}`);
  agent.destroy();
  process.stdout.write(`${JSON.stringify({ row, first, second })}\n`);
}
