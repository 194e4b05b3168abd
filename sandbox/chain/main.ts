import { parseArgs } from 'node:util';
import { OptionRefused, readLandingService, readNode } from './address-options.ts';
import { CLUSTER_BLOCKHASH_WINDOW_BLOCKS, CLUSTER_SLOT_MS } from './cluster-facts.ts';
import { NameRefused } from './network.ts';
import { ProgramRefused, readPrograms } from './program-files.ts';
import { startChain } from './server.ts';

const USAGE = `usage: bun sandbox/chain/main.ts --port <n|0> --data <dir> [--program ADDRESS=FILE ...] [--slot-ms ${CLUSTER_SLOT_MS}] [--finalized-after-slots 8] [--blockhash-window ${CLUSTER_BLOCKHASH_WINDOW_BLOCKS}] [--block-compute-units N] [--rent-lamports-per-byte N] [--node name=NAME,…] [--landing-service name=NAME,…]`;

function fail(message: string): never {
  console.error(`${message}\n${USAGE}`);
  process.exit(2);
}

function integer(text: string, name: string, least: number): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < least)
    fail(`--${name} must be an integer of at least ${least}`);
  return value;
}

function refusal(error: unknown): never {
  if (error instanceof ProgramRefused || error instanceof OptionRefused || error instanceof NameRefused)
    fail(error.message);
  throw error;
}

function readArguments() {
  try {
    return parseArgs({
      options: {
        port: { type: 'string', default: '0' },
        data: { type: 'string' },
        program: { type: 'string', multiple: true, default: [] },
        'slot-ms': { type: 'string', default: String(CLUSTER_SLOT_MS) },
        'finalized-after-slots': { type: 'string', default: '8' },
        'blockhash-window': { type: 'string', default: String(CLUSTER_BLOCKHASH_WINDOW_BLOCKS) },
        'block-compute-units': { type: 'string' },
        'rent-lamports-per-byte': { type: 'string' },
        node: { type: 'string', multiple: true, default: [] },
        'landing-service': { type: 'string', multiple: true, default: [] },
      },
    }).values;
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

const values = readArguments();
const chain = await startChain({
  port: integer(values.port, 'port', 0),
  slotMs: integer(values['slot-ms'], 'slot-ms', 1),
  finalizedAfterSlots: integer(values['finalized-after-slots'], 'finalized-after-slots', 1),
  blockhashWindow: integer(values['blockhash-window'], 'blockhash-window', 1),
  nodes: await Promise.try(() => values.node.map(readNode)).catch(refusal),
  landingServices: await Promise.try(() => values['landing-service'].map(readLandingService)).catch(refusal),
  programs: await Promise.try(readPrograms, values.program).catch(refusal),
  ...(values['block-compute-units'] === undefined
    ? {}
    : { blockComputeUnits: integer(values['block-compute-units'], 'block-compute-units', 1) }),
  ...(values['rent-lamports-per-byte'] === undefined
    ? {}
    : {
        rentLamportsPerByte: BigInt(integer(values['rent-lamports-per-byte'], 'rent-lamports-per-byte', 1)),
      }),
  ...(values.data === undefined ? {} : { dataDir: values.data }),
}).catch(refusal);

let stopping = false;
async function shutDown(): Promise<void> {
  if (stopping) return;
  stopping = true;
  await chain.stop();
  process.exit(0);
}
process.on('SIGTERM', () => void shutDown());
process.on('SIGINT', () => void shutDown());

const others = chain.network.all.filter(({ name }) => name !== chain.name);
const addresses = Object.fromEntries(others.map(({ name, rpcUrl }) => [name, rpcUrl]));
console.log(
  JSON.stringify({ ready: true, rpcUrl: chain.rpcUrl, ...(others.length === 0 ? {} : { addresses }) }),
);
