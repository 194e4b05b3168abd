import { canBind, freePort } from '../services/free-port.ts';

const DEFAULT_PORT = 3000;

/** The port of the api: `PORT` as given (0 for any free one), else the usual one, else a free one with a remark. */
export async function chooseApiPort(
  given: string | undefined,
  usual = DEFAULT_PORT,
): Promise<{ port: number; remark: string | undefined }> {
  if (!given) {
    if (await canBind(usual)) return { port: usual, remark: undefined };
    const port = await freePort();
    return { port, remark: `port ${usual} is taken, the api listens on ${port}` };
  }
  const port = Number(given);
  if (port === 0) return { port: await freePort(), remark: undefined };
  if (Number.isInteger(port) && port > 0 && port < 65_536 && !(await canBind(port))) {
    throw new Error(`PORT ${port} is taken by another program: choose another one.`);
  }
  return { port, remark: undefined };
}
