import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CLUSTER_BLOCKHASH_WINDOW_BLOCKS, CLUSTER_SLOT_MS } from './cluster-facts.ts';
import type { Faults } from './faults.ts';
import type { ForkRequest, ForkResult } from './fork.ts';
import { type LandingServiceRules, landingServiceMethods } from './landing-service.ts';
import { Ledger } from './ledger.ts';
import { Network } from './network.ts';
import { type ProgramBinary, ProgramRefused } from './program-files.ts';
import type { ProgramModel } from './programs/model.ts';
import { poolPrograms } from './programs/pool-programs.ts';
import { RpcNode } from './rpc-node.ts';
import { openTipAccounts, SANDBOX_TIP_ACCOUNTS } from './tip-accounts.ts';

export type { Faults } from './faults.ts';

export interface ChainOptions {
  /** TCP port on 127.0.0.1; 0 (default) takes a free one. */
  readonly port?: number;
  /** Directory for `chain.sqlite`. If unset, nothing is kept. */
  readonly dataDir?: string;
  /** Milliseconds per slot (default 200, as on a cluster), or 'manual': only advanceSlots moves the chain. */
  readonly slotMs?: number | 'manual';
  /** Slots after which a block is finalized. Default 8, so that demos need not wait for a cluster's 31. */
  readonly finalizedAfterSlots?: number;
  /** Blocks a blockhash lives. Default 150, as on a cluster; a demo gives a person more time to sign. */
  readonly blockhashWindow?: number;
  readonly programs?: readonly ProgramBinary[];
  /** Programs computed in TypeScript; by default those that launch, trade and migrate tokens. */
  readonly models?: readonly ProgramModel[];
  /** Compute units of a block. Default: those of a cluster with slots of this length, 50 million at 200 ms. */
  readonly blockComputeUnits?: number;
  /** Default: 5,080 on a new chain, as on a cluster; a saved chain goes on with its own. */
  readonly rentLamportsPerByte?: bigint;
  /** Further nodes. The first one is called `main`. */
  readonly nodes?: readonly AddressOptions[];
  readonly landingServices?: readonly LandingServiceOptions[];
  /** Transactions kept in history. Default 100,000. */
  readonly maxTransactions?: number;
  /** Clock in Unix milliseconds, for tests. */
  readonly nowMs?: () => number;
}

/** A further address of the chain. */
export interface AddressOptions {
  /** Lower-case letters, digits and hyphens. */
  readonly name: string;
  /** TCP port on 127.0.0.1; 0 (default) takes a free one. */
  readonly port?: number;
  readonly faults?: Faults;
}

export type LandingServiceOptions = AddressOptions & LandingServiceRules;

/** One RPC endpoint over the chain. `stop` closes the endpoint only. */
export interface SandboxNode {
  readonly name: string;
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
  addNode(faults?: Faults, name?: string): SandboxNode;
  /** Opens an address that only takes transactions, with a tip. */
  addLandingService(options: LandingServiceOptions): SandboxNode;
  /** Every address by its name. */
  readonly network: Network;
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
 * to 200 slots, and after a restart start from the newest state); votes and stake are absent; a call to a program that
 * does not exist is refused without a fee.
 */
export async function startChain(options: ChainOptions = {}): Promise<SandboxChain> {
  const { dataDir, slotMs = CLUSTER_SLOT_MS } = options;
  if (dataDir !== undefined) mkdirSync(dataDir, { recursive: true });
  const ledger = new Ledger({
    file: dataDir === undefined ? null : join(dataDir, 'chain.sqlite'),
    slotMs,
    finalizedAfterSlots: BigInt(options.finalizedAfterSlots ?? 8),
    blockhashWindow: BigInt(options.blockhashWindow ?? CLUSTER_BLOCKHASH_WINDOW_BLOCKS),
    maxTransactions: options.maxTransactions ?? 100_000,
    nowMs: options.nowMs ?? Date.now,
    models: options.models ?? poolPrograms,
    blockComputeUnits: options.blockComputeUnits ?? null,
    rentLamportsPerByte: options.rentLamportsPerByte ?? null,
  });
  for (const program of options.programs ?? []) loadProgram(ledger, program);
  const network = new Network();
  const main = new RpcNode(ledger, network, { name: 'main', port: options.port ?? 0 });
  const nodes = [main];
  const open = (node: RpcNode): SandboxNode => {
    nodes.push(node);
    return node;
  };
  const addLandingService = (service: LandingServiceOptions) => {
    openTipAccounts(ledger, service.tipAccounts ?? SANDBOX_TIP_ACCOUNTS);
    ledger.keepReserve();
    return open(
      new RpcNode(ledger, network, { ...service, sendOnlyMethods: landingServiceMethods(service) }),
    );
  };
  for (const node of options.nodes ?? []) open(new RpcNode(ledger, network, node));
  for (const service of options.landingServices ?? []) addLandingService(service);
  ledger.save();
  const stopTimers = startTimers(ledger, slotMs === 'manual');
  return {
    ledger,
    network,
    name: main.name,
    rpcUrl: main.rpcUrl,
    socketUrl: main.socketUrl,
    advanceSlots: (count) => ledger.advanceSlots(count),
    fork: (request) => ledger.fork(request),
    setFaults: (faults) => main.setFaults(faults),
    addNode: (faults = {}, name = network.freeName('node')) =>
      open(new RpcNode(ledger, network, { name, faults })),
    addLandingService,
    stop: async () => {
      stopTimers();
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

function startTimers(ledger: Ledger, isManual: boolean): () => void {
  let restUntilMs = 0;
  const saver = setInterval(() => {
    if (!ledger.dirty || performance.now() < restUntilMs) return;
    restUntilMs = performance.now() + ledger.save() * SAVE_REST_FACTOR;
  }, SAVE_EVERY_MS);
  // The length of a slot may change: no timer is set for longer than a usual one.
  const waitMs = () => Math.min(ledger.msToNextSlot, CLUSTER_SLOT_MS);
  const enterSlots = () => {
    ledger.tick();
    ticker = setTimeout(enterSlots, waitMs());
  };
  let ticker = isManual ? undefined : setTimeout(enterSlots, waitMs());
  return () => {
    clearInterval(saver);
    clearTimeout(ticker);
  };
}
