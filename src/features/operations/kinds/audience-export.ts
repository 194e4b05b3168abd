import { UnusableNodeResponse } from '../../../chain/holdings/mint-account-stream.ts';
import type { MintAccounts, TokenHolderSource } from '../../../chain/holdings/mint-holders.ts';
import type { Transaction } from '../../../db/client.ts';
import { Problem } from '../../../shared/problem.ts';
import { findKeptFiles, KEPT_BYTES_MAX } from '../results/find-kept-files.ts';
import { deleteChunks, insertChunk, type ResultFile } from '../results/rows.ts';
import { DependencyUnavailable, type OperationKind, type OperationRun } from '../runner/kind.ts';
import {
  clearAccounts,
  listHolders,
  type RankedHolder,
  rankHolders,
  stageAccounts,
} from './audience-rows.ts';
import type { AudienceExportInput } from './input-schema.ts';

/** Stored once all holders of the slot are stored: from here on the file is written, piece by piece. */
interface Checkpoint {
  slot: string;
  holders: string;
  /** Holders in the pieces written so far. */
  written: string;
  chunks: number;
  byteLength: string;
}

type Run = OperationRun<AudienceExportInput, Checkpoint>;

const UNAVAILABLE = 'No chain node could list the holders of this mint.';

/**
 * Exports every wallet that holds a token, as of one slot, largest balance first. Accounts are written to the
 * database as the node's response arrives, and from there to the file page by page, so memory does not grow
 * with the number of holders.
 */
export function audienceExport(
  sources: readonly TokenHolderSource[],
): OperationKind<AudienceExportInput, Checkpoint> {
  return {
    kind: 'audience_export',
    async run(run) {
      const checkpoint = run.checkpoint ?? (await collect(run, sources));
      return writeFile(run, checkpoint);
    },
  };
}

/** Asks the nodes in order until one gives a complete list. */
async function collect(run: Run, sources: readonly TokenHolderSource[]): Promise<Checkpoint> {
  const failures: string[] = [];
  let nodesWithoutMint = 0;
  for (const source of sources) {
    const program = await source.findProgram(run.input.mintAddress);
    run.signal.throwIfAborted();
    if (!program.ok) {
      failures.push(`${source.name}: ${program.failure.message}`);
    } else if (program.value === null) {
      nodesWithoutMint += 1;
    } else {
      const slot = await collectFrom(run, source, program.value, failures);
      if (slot !== null) return rank(run, slot);
    }
  }
  // A lagging node may not have the mint yet: it does not exist only when all nodes agree.
  if (nodesWithoutMint > 0 && nodesWithoutMint === sources.length)
    throw new Problem('token_not_found', { detail: 'The chain has no token mint at this address.' });
  throw new DependencyUnavailable(UNAVAILABLE, failures.join('; ') || 'no RPC node is configured');
}

/**
 * Stores every token account of the mint that one node lists. Null, with a line in `failures`, when it
 * cannot.
 */
async function collectFrom(
  run: Run,
  source: TokenHolderSource,
  tokenProgram: MintAccounts['tokenProgram'],
  failures: string[],
): Promise<bigint | null> {
  const { input, operationId, signal, log } = run;
  await run.step(async (transaction) => {
    await clearAccounts(transaction, operationId);
    return {};
  });
  const { mintAddress, minSlot = '0' } = input;
  const accounts = source.list({ mintAddress, tokenProgram, minSlot: BigInt(minSlot) }, signal);
  let found = 0n;
  try {
    for (;;) {
      const next = await accounts.next();
      if (next.done) {
        if (next.value < BigInt(minSlot)) throw new UnusableNodeResponse(`slot ${next.value} is too early`);
        return next.value;
      }
      found += BigInt(next.value.length);
      await run.step(async (transaction) => {
        await stageAccounts(transaction, operationId, next.value);
        return { progress: { completed: 0n, total: found, unit: 'holders' } };
      });
    }
  } catch (error) {
    if (!(error instanceof UnusableNodeResponse)) throw error;
    signal.throwIfAborted();
    log.warn({ err: error, node: source.name, accounts: found }, 'audience.node_unusable');
    failures.push(`${source.name}: ${error.message}`);
    return null;
  } finally {
    await accounts.return(0n);
  }
}

/** Ranks wallets by the sum of their accounts; afterwards the run needs no node any more. */
async function rank({ operationId, input, step }: Run, slotNumber: bigint): Promise<Checkpoint> {
  const checkpoint = { slot: slotNumber.toString(), holders: '0', written: '0', chunks: 0, byteLength: '0' };
  await step(async (transaction) => {
    await deleteChunks(transaction, operationId);
    const holders = await rankHolders(transaction, operationId, input);
    checkpoint.holders = holders.toString();
    return { progress: { completed: 0n, total: holders, unit: 'holders' }, checkpoint };
  });
  return checkpoint;
}

/** Checked before each piece, because the length of a file is known only at its end. */
async function requireRoom(transaction: Transaction, accountId: string, byteCount: number): Promise<void> {
  const { bytes } = await findKeptFiles(transaction, accountId);
  if (bytes + BigInt(byteCount) <= KEPT_BYTES_MAX) return;
  const detail = `With this file the account would keep more than ${KEPT_BYTES_MAX} bytes of exports.`;
  throw new Problem('operation_limit_reached', { detail });
}

/** Writes the missing pieces; each is one step with its checkpoint. */
async function writeFile(
  { operationId, accountId, input, step }: Run,
  start: Checkpoint,
): Promise<ResultFile> {
  let at = start;
  const format = audienceFormat(input);
  const total = BigInt(start.holders);
  while (at.chunks === 0 || BigInt(at.written) < total) {
    let next = at;
    await step(async (transaction) => {
      const holders = await listHolders(transaction, operationId, BigInt(at.written), format.linesPerChunk);
      const lines = holders.map((holder) => format.line(holder, at.slot)).join('');
      const content = Buffer.from(at.chunks === 0 ? format.header + lines : lines);
      await requireRoom(transaction, accountId, content.byteLength);
      if (content.byteLength > 0) await insertChunk(transaction, operationId, at.chunks, content);
      const written = BigInt(at.written) + BigInt(holders.length);
      next = {
        ...at,
        written: written.toString(),
        chunks: at.chunks + 1,
        byteLength: (BigInt(at.byteLength) + BigInt(content.byteLength)).toString(),
      };
      return { progress: { completed: written, total, unit: 'holders' }, checkpoint: next };
    });
    at = next;
  }
  return {
    contentType: format.contentType,
    fileName: audienceFileName(input.mintAddress, at.slot, format),
    byteLength: BigInt(at.byteLength),
  };
}

type Line = Pick<RankedHolder, 'walletAddress' | 'balanceRaw'>;

/** The format of the file of an export. */
interface AudienceFormat {
  contentType: string;
  extension: string;
  /** Text before the first line; may be empty. */
  header: string;
  /**
   * Lines that fit into the 256 KiB of a piece: addresses have at most 44 characters, amounts and slots 20.
   */
  linesPerChunk: number;
  line(holder: Line, slot: string): string;
}

/** RFC 4180 with its media type and line ends; no field needs quotes. */
const csv: AudienceFormat = {
  contentType: 'text/csv; charset=utf-8; header=present',
  extension: 'csv',
  header: 'wallet_address,balance_raw,slot\r\n',
  linesPerChunk: 2_900,
  line: ({ walletAddress, balanceRaw }, slot) => `${walletAddress},${balanceRaw},${slot}\r\n`,
};

/** One object per line; the file without holders is empty. */
const ndjson: AudienceFormat = {
  contentType: 'application/x-ndjson',
  extension: 'ndjson',
  header: '',
  linesPerChunk: 1_900,
  line: ({ walletAddress, balanceRaw }, slot) => `${JSON.stringify({ walletAddress, balanceRaw, slot })}\n`,
};

const formats = { csv, ndjson } as const;

function audienceFormat({ format = 'csv' }: Pick<AudienceExportInput, 'format'>): AudienceFormat {
  return formats[format];
}

function audienceFileName(mintAddress: string, slot: string, { extension }: AudienceFormat): string {
  return `audience-${mintAddress}-${slot}.${extension}`;
}
