import { createHash } from 'node:crypto';
import { Keypair, PublicKey, TransactionInstruction } from '@solana/web3.js';
import bs58 from 'bs58';
import { sighash } from '../../../sandbox/chain/programs/anchor/anchor-program.ts';
import { type SandboxChain, startChain } from '../../../sandbox/chain/server.ts';
import { parseTransaction } from '../../../sandbox/chain/wire-transaction.ts';
import { curvePlans } from '../../../sandbox/market/curve-kinds.ts';
import { type LaunchAddresses, launchAddresses } from '../../../sandbox/market/launch-addresses.ts';
import { createConfig } from '../../../sandbox/market/pool-instructions.ts';
import {
  launchInstructions,
  migrationInstructions,
  signed,
  tradeInstructions,
  wrapInstructions,
} from '../../../sandbox/market/transactions.ts';
import { dammV1MigrationAddress } from '../../../src/chain/accounts/derived-addresses.ts';
import { BONDING_CURVE } from '../../../src/chain/accounts/programs.ts';
import { migrationProgress } from '../../../src/chain/accounts/virtual-pool.ts';
import { writeCurveConfig } from '../../../src/chain/pools/curve/config-account.ts';
import { readCurvePoolKeys, writeCurvePool } from '../../../src/chain/pools/curve/pool-account.ts';
import { transferPoolCreator } from '../../../src/chain/transactions/creator-transfer-instruction.ts';

/** What a curve's program did with one transfer of a pool's creator. */
export interface RecordedTransfer {
  what: string;
  /** The number of the error; null when the creator changed. */
  error: number | null;
  /** Hex data of the event. */
  event: string | null;
}

/** Accounts of the instruction that differ from the right ones; `migration: null` leaves the last one out. */
interface Change {
  by?: Keypair;
  pool?: string;
  config?: string;
  eventAuthority?: string;
  isUnsigned?: boolean;
  migration?: string | null;
}

const plan = curvePlans.quick;
const WHOLE_CURVE = 30_000_000_000n;
const LAMPORTS = 200_000_000_000n;
const DAMM_V1_OPTION = 0;
const UNKNOWN_OPTION = 7;

function keypairOf(name: string): Keypair {
  return Keypair.fromSeed(createHash('sha256').update(name).digest());
}

const textOf = ({ publicKey }: Keypair) => publicKey.toBase58();
const [partner, config, otherConfig, mint, creator, heir, stranger] = [
  'partner',
  'config',
  'other config',
  'mint',
  'creator',
  'heir',
  'stranger',
].map(keypairOf) as [Keypair, Keypair, Keypair, Keypair, Keypair, Keypair, Keypair];

/**
 * The account of a pool's migration to DAMM v1.
 *
 * @param liquidity to lock and to claim for the partner, then for the creator
 * @param flags creator locked, partner locked, creator claimed, partner claimed
 */
export function dammV1MigrationOf(pool: string, liquidity: readonly bigint[], flags: readonly number[]) {
  const data = Buffer.alloc(280);
  data.set(sighash('account', 'MeteoraDammMigrationMetadata'));
  data.set(bs58.decode(pool), 8);
  for (const [at, amount] of liquidity.entries()) data.writeBigUInt64LE(amount, 136 + 8 * at);
  for (const [at, flag] of flags.entries()) data.writeUInt8(flag, 169 + at);
  return { lamports: 10_000_000n, owner: BONDING_CURVE, data, executable: false, rentEpoch: 0n };
}

/** A life of one pool with transfers of its creator, under keys that are always the same. */
class Transfers {
  readonly #chain: SandboxChain;
  readonly #addresses: LaunchAddresses = launchAddresses(textOf(mint), textOf(config), plan);
  readonly recorded: RecordedTransfer[] = [];

  constructor(chain: SandboxChain) {
    this.#chain = chain;
    for (const wallet of [partner, creator, heir, stranger]) this.#fund(wallet);
    chain.advanceSlots(1);
  }

  get pool(): string {
    return this.#addresses.pool;
  }

  launch(): void {
    for (const keypair of [config, otherConfig]) {
      const addresses = { config: textOf(keypair), partner: textOf(partner) };
      this.#must([createConfig(plan, addresses)], [partner, keypair]);
    }
    const texts = { name: 'A', symbol: 'A', uri: 'https://example.org' };
    this.#must(launchInstructions(this.#addresses, textOf(creator), texts, 1_000_000_000n), [creator, mint]);
  }

  complete(): void {
    const order = { side: 'buy', mode: 'partial_fill', amountRaw: WHOLE_CURVE, limitRaw: 1n } as const;
    const trade = tradeInstructions(this.#addresses, textOf(stranger), order, {
      opens: true,
      isMigrated: false,
    });
    this.#must([...wrapInstructions(textOf(stranger), WHOLE_CURVE), ...trade], [stranger]);
  }

  migrate(): void {
    const mints = [keypairOf('first position'), keypairOf('second position')] as const;
    const named = [textOf(mints[0]), textOf(mints[1])] as const;
    this.#must(migrationInstructions(this.#addresses, textOf(partner), named), [partner, ...mints]);
  }

  setProgress(progress: number): void {
    this.#rewrite(this.pool, (data) => writeCurvePool(data, { migrationProgress: progress }));
  }

  setMigrationOption(option: number): void {
    this.#rewrite(textOf(config), (data) => writeCurveConfig(data, { migrationOption: option }));
  }

  setMigration(address: string, pool: string, liquidity: readonly bigint[], flags: readonly number[]): void {
    this.#chain.ledger.setAccount(address, dammV1MigrationOf(pool, liquidity, flags));
  }

  /** Sends a transfer from the wallet that is the creator now, unless another is named. */
  async transfer(what: string, change: Change & { from?: Keypair; to?: Keypair } = {}): Promise<void> {
    const now = this.#creator() === textOf(creator) ? creator : heir;
    const { from = now, to = now === creator ? heir : creator } = change;
    const built = await transferPoolCreator(
      { address: change.pool ?? this.pool, config: change.config ?? textOf(config) },
      textOf(from),
      textOf(to),
    );
    const keys = built.accounts.map(({ address, isSigner, isWritable }, at) => ({
      pubkey: new PublicKey(at === 4 ? (change.eventAuthority ?? address) : address),
      isSigner: isSigner && change.isUnsigned !== true,
      isWritable,
    }));
    if (change.migration !== undefined) keys.pop();
    if (typeof change.migration === 'string')
      keys.push({ pubkey: new PublicKey(change.migration), isSigner: false, isWritable: false });
    const programId = new PublicKey(built.program);
    const instruction = new TransactionInstruction({ programId, keys, data: Buffer.from(built.data) });
    const { err, events } = this.#land([instruction], [change.by ?? from]);
    const custom = /"Custom":(\d+)/.exec(err ?? '')?.[1];
    if (err !== null && custom === undefined) throw new Error(`${what}: ${err}`);
    const isNew = this.#creator() === textOf(to) && textOf(to) !== textOf(now);
    if (isNew !== (err === null)) throw new Error(`${what}: the creator is ${this.#creator()}`);
    this.recorded.push({
      what,
      error: custom === undefined ? null : Number(custom),
      event: events[0] ?? null,
    });
  }

  #creator(): string | undefined {
    const account = this.#chain.ledger.vm.getAccount(this.pool);
    return account === null ? undefined : readCurvePoolKeys(account)?.creator;
  }

  #fund(wallet: Keypair): void {
    this.#chain.ledger.setAccount(textOf(wallet), {
      lamports: LAMPORTS,
      owner: '11111111111111111111111111111111',
      data: new Uint8Array(0),
      executable: false,
      rentEpoch: 0n,
    });
  }

  #rewrite(address: string, change: (data: Uint8Array) => void): void {
    const account = this.#chain.ledger.vm.getAccount(address);
    if (account === null) throw new Error(`${address} does not exist`);
    const data = Uint8Array.from(account.data);
    change(data);
    this.#chain.ledger.setAccount(address, { ...account, data });
  }

  #must(instructions: readonly TransactionInstruction[], signers: readonly Keypair[]): void {
    const { err } = this.#land(instructions, signers);
    if (err !== null) throw new Error(err);
  }

  #land(instructions: readonly TransactionInstruction[], signers: readonly Keypair[]) {
    const { ledger } = this.#chain;
    const wire = parseTransaction(signed(instructions, signers, ledger.ring.hashOf(ledger.slot)));
    const { landed, err } = ledger.land(wire);
    if (!landed) throw new Error(`refused without a trace: ${JSON.stringify(err)}`);
    this.#chain.advanceSlots(2);
    const meta: { innerInstructions: { instructions: { data: string }[] }[] } = JSON.parse(
      ledger.history.bySignature(wire.signature)?.metaJson ?? '',
    );
    const events = meta.innerInstructions
      .flatMap(({ instructions: inner }) => inner)
      .map(({ data }) => Buffer.from(bs58.decode(data)).toString('hex'));
    return { err: err === null ? null : JSON.stringify(err), events };
  }
}

/** Repeats the recorded transfers, on the models of the programs or on the given binaries. */
export async function playTransfers(
  programs: { address: string; file: string; elf: Uint8Array }[] = [],
): Promise<RecordedTransfer[]> {
  const chain = await startChain({ slotMs: 'manual', programs });
  try {
    const life = new Transfers(chain);
    life.launch();
    await whileBonding(life);
    life.complete();
    await whileComplete(life);
    life.migrate();
    await onceMigrated(life);
    return life.recorded;
  } finally {
    await chain.stop();
  }
}

async function whileBonding(life: Transfers): Promise<void> {
  await life.transfer('a stranger to itself', { from: stranger, to: stranger });
  await life.transfer('a stranger', { from: stranger, to: heir });
  await life.transfer('the creator to itself', { to: creator });
  await life.transfer('another config', { config: textOf(otherConfig) });
  await life.transfer('another config, to itself', { config: textOf(otherConfig), to: creator });
  await life.transfer('another config, a stranger', { config: textOf(otherConfig), from: stranger });
  await life.transfer('without the signature', { isUnsigned: true, by: stranger });
  await life.transfer('a wallet as the pool', { pool: textOf(heir) });
  await life.transfer('a config as the pool', { pool: textOf(config) });
  await life.transfer('a pool as the config', { config: life.pool });
  await life.transfer('a wallet as the config', { config: textOf(heir) });
  await life.transfer('another event authority', { eventAuthority: textOf(heir) });
  await life.transfer('while the curve trades');
  await life.transfer('the former creator', { from: creator, to: stranger });
  await life.transfer('back, without the last account', { migration: null });
}

async function whileComplete(life: Transfers): Promise<void> {
  await life.transfer('of a complete curve');
  await life.transfer('of a complete curve, a stranger', { from: stranger });
  await life.transfer('of a complete curve, to itself', { to: creator });
  life.setProgress(migrationProgress.curveComplete);
  await life.transfer('of a complete curve whose vesting is not locked');
  life.setProgress(migrationProgress.vestingLocked);
}

async function onceMigrated(life: Transfers): Promise<void> {
  await life.transfer('once migrated to DAMM v2');
  await life.transfer('once migrated to DAMM v2, without the last account', { migration: null });
  await life.transfer('once migrated to DAMM v2, a stranger', { from: stranger });
  life.setMigrationOption(DAMM_V1_OPTION);
  await life.transfer('DAMM v1, without the last account', { migration: null });
  await life.transfer('DAMM v1, the last account does not exist');
  const migration = await dammV1MigrationAddress(life.pool);
  life.setMigration(migration, textOf(otherConfig), [0n, 0n, 0n, 0n], [0, 0, 0, 0]);
  await life.transfer('DAMM v1, the migration of another pool');
  for (const [what, liquidity, flags] of distributions) {
    life.setMigration(migration, life.pool, liquidity, flags);
    await life.transfer(`DAMM v1, ${what}`);
  }
  const elsewhere = textOf(keypairOf('elsewhere'));
  life.setMigration(elsewhere, life.pool, [0n, 0n, 0n, 0n], [0, 0, 0, 0]);
  await life.transfer('DAMM v1, the migration at another address', { migration: elsewhere });
  life.setMigrationOption(UNKNOWN_OPTION);
  await life.transfer('an unknown AMM');
}

const distributions: readonly [what: string, liquidity: bigint[], flags: number[]][] = [
  ['no liquidity', [0n, 0n, 0n, 0n], [0, 0, 0, 0]],
  ['the partner has to lock', [5n, 0n, 0n, 0n], [1, 0, 1, 1]],
  ['the partner has locked', [5n, 0n, 0n, 0n], [0, 1, 0, 0]],
  ['the partner has to claim', [0n, 5n, 0n, 0n], [1, 1, 1, 0]],
  ['the partner has claimed', [0n, 5n, 0n, 0n], [0, 0, 0, 1]],
  ['the creator has to lock', [0n, 0n, 5n, 0n], [0, 1, 1, 1]],
  ['the creator has locked', [0n, 0n, 5n, 0n], [1, 0, 0, 0]],
  ['the creator has to claim', [0n, 0n, 0n, 5n], [1, 1, 0, 1]],
  ['the creator has claimed', [0n, 0n, 0n, 5n], [0, 0, 1, 0]],
  ['everybody has everything', [5n, 5n, 5n, 5n], [1, 1, 1, 1]],
  ['another flag than 1', [0n, 5n, 0n, 0n], [0, 0, 0, 2]],
];
