// undici: POSTs to each row and once more, and writes what it read as one line of JSON. `UNDICI` is the path of the package.
import { createRequire } from 'node:module';

const { Pool } = createRequire(import.meta.url)(process.env.UNDICI);
const [port, rows] = process.argv.slice(2).map(Number);

async function post(pool, path) {
  const seen = { status: null, body: '', error: null };
  const pieces = [];
  try {
    const response = await pool.request({ path, method: 'POST', body: '{}' });
    seen.status = response.statusCode;
    for await (const piece of response.body) {
      pieces.push(piece);
      seen.body = Buffer.concat(pieces).toString('base64');
    }
  } catch (error) {
    seen.error = error.code ?? error.message;
  }
  return seen;
}

for (let row = 0; row < rows; row += 1) {
  const limits = { connections: 1, headersTimeout: 5000, bodyTimeout: 5000 };
  const pool = new Pool(`http://127.0.0.1:${port}`, limits);
  const first = await post(pool, `/row/${row}`);
  const second = await post(pool, `/next/${row}`);
  await pool.destroy();
  process.stdout.write(`${JSON.stringify({ row, first, second })}\n`);
}
