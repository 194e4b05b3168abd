import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CLUSTER_BLOCKHASH_WINDOW_BLOCKS } from './blockhash-ring.ts';
import type { Faults } from './faults.ts';
import type { ForkRequest, ForkResult } from './fork.ts';
import { Ledger } from './ledger.ts';
import { type ProgramBinary, ProgramRefused } from './program-files.ts';
import type { ProgramModel } from './programs/model.ts';
import { poolPrograms } from './programs/pool-programs.ts';
import { RpcNode } from './rpc-node.ts';

export type { Faults } from './faults.ts';

export interface ChainOptions {
  /** TCP port on 127.0.0.1; 0 (default) takes a free one. */
  readonly port?: number;
  /** Directory for `chain.sqlite`; without it nothing is kept. */
  readonly dataDir?: string;
  /** Milliseconds per slot (default 400), or 'manual': only advanceSlots moves the chain. */
  readonly slotMs?: number | 'manual';
  /** Slots after which a block is finalized. Default 8, so that demos need not wait for a cluster's 31. */
  readonly finalizedAfterSlots?: number;
  /** Blocks a blockhash lives. Default 150, as on a cluster; a demo gives a person more time to sign. */
  readonly blockhashWindow?: number;
  readonly programs?: readonly ProgramBinary[];
  /** Programs computed in TypeScript; by default those that launch, trade and migrate tokens. */
  readonly models?: readonly ProgramModel[];
  /** Transactions kept in history. Default 100,000. */
  readonly maxTransactions?: number;
  /** Clock in Unix milliseconds, for tests. */
  readonly nowMs?: () => number;
}

/** One RPC endpoint over the chain. `stop` closes the endpoint only. */
export interface SandboxNode {
  readonly rpcUrl: string;
  /** Subscriptions; also served on the port after it, where @solana/web3.js looks for them. */
  readonly socketUrl: string;
  setFaults(faults: Faults): void;
  stop(): Promise<void>;
}

export interface SandboxChain extends SandboxNode {
  /** The state behind all nodes: `slot`, `setAccount`, `addProgram`, `save`, `ring`, `history`. */
  readonly ledger: Ledger;
  advanceSlots(count: number): void;
  /** Drops the newest blocks, see `Ledger.fork`. */
  fork(request: ForkRequest): ForkResult;
  /** Opens another endpoint over the same ledger, with faults of its own. */
  addNode(faults?: Faults): SandboxNode;
  /** Closes every endpoint and saves. */
  stop(): Promise<void>;
}

const SAVE_EVERY_MS = 5_000;
// A save holds the event loop; spending at most 1/50 of the time on it keeps a big state from being felt.
const SAVE_REST_FACTOR = 50;

/**
 * Starts a local Solana chain: JSON-RPC over LiteSVM, with the slots, blockhash window, commitments, history and
 * errors of a cluster. Differences that remain: one node executes, so there are forks and skipped slots only on
 * command; simulation and preflight run on the newest state whatever their commitment (reads are exact per commitment, back
 * to 200 slots, and after a restart start from the newest state); durable nonces, votes and stake are
 * absent; a call to a program that does not exist is refused without a fee.
 */
export async function startChain(options: ChainOptions = {}): Promise<SandboxChain> {
  const { dataDir, slotMs = 400 } = options;
  if (dataDir !== undefined) mkdirSync(dataDir, { recursive: true });
  const ledger = new Ledger({
    file: dataDir === undefined ? null : join(dataDir, 'chain.sqlite'),
    slotMs,
    finalizedAfterSlots: BigInt(options.finalizedAfterSlots ?? 8),
    blockhashWindow: BigInt(options.blockhashWindow ?? CLUSTER_BLOCKHASH_WINDOW_BLOCKS),
    maxTransactions: options.maxTransactions ?? 100_000,
    nowMs: options.nowMs ?? Date.now,
    models: options.models ?? poolPrograms,
  });
  for (const program of options.programs ?? []) loadProgram(ledger, program);
  ledger.save();
  const nodes = [new RpcNode(ledger, options.port ?? 0)];
  const timers = startTimers(ledger, slotMs);
  return {
    ledger,
    rpcUrl: nodes[0]?.rpcUrl ?? '',
    socketUrl: nodes[0]?.socketUrl ?? '',
    advanceSlots: (count) => ledger.advanceSlots(count),
    fork: (request) => ledger.fork(request),
    setFaults: (faults) => nodes[0]?.setFaults(faults),
    addNode: (faults) => {
      const node = new RpcNode(ledger, 0, faults);
      nodes.push(node);
      return node;
    },
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(nodes.map((node) => node.stop()));
      ledger.save();
      ledger.close();
    },
  };
}

/** Throws ProgramRefused when it is an ELF file, but no program of the chain. */
function loadProgram(ledger: Ledger, { address, file, elf }: ProgramBinary): void {
  try {
    ledger.addProgram(address, elf);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ProgramRefused(`--program: ${file} is no program of the chain (${reason}).`, { cause });
  }
}

function startTimers(ledger: Ledger, slotMs: number | 'manual'): ReturnType<typeof setInterval>[] {
  let restUntilMs = 0;
  const saver = setInterval(() => {
    if (!ledger.dirty || performance.now() < restUntilMs) return;
    restUntilMs = performance.now() + ledger.save() * SAVE_REST_FACTOR;
  }, SAVE_EVERY_MS);
  return slotMs === 'manual' ? [saver] : [saver, setInterval(() => ledger.tick(), slotMs)];
}
