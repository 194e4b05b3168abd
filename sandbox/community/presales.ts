import type { Keypair } from '@solana/web3.js';
import { createPresale } from '../../src/features/presales/create-presale.ts';
import { wait } from '../../src/shared/loop.ts';
import { LAMPORTS_PER_SOL } from '../market/amounts.ts';
import { fund } from '../market/wallet-funding.ts';
import { type Campaign, depositsMade } from './campaign.ts';
import { addressOf, type CommunityContext, type CommunityTask } from './context.ts';
import { type LandedPayments, pay } from './payments.ts';

interface Presale {
  readonly id: string;
  readonly mintAddress: string;
  readonly status: 'initializing' | 'active' | 'settling' | 'settled' | 'refunding' | 'failed';
  readonly totalDepositedLamports: string;
  readonly maxCapLamports: string;
  readonly updatedAt: string;
}

const LISTED = 50;
const USER_DEPOSIT = 1;
const COUNTED_POLL_MS = 200;
const COUNTED_POLLS = 50;

/**
 * Runs the presales of a campaign one after the other: creates each, deposits, and refunds one that missed its minimum.
 */
export class PresaleTask implements CommunityTask {
  readonly name: string;
  readonly everyMs: number;
  readonly #context: CommunityContext;
  readonly #campaign: Campaign;
  /** The presale that this process created. Lists are cached and may not show it yet. */
  #newestId: string | undefined;
  #refundedId: string | undefined;

  constructor(context: CommunityContext, campaign: Campaign) {
    this.#context = context;
    this.#campaign = campaign;
    this.name = campaign.name;
    this.everyMs = context.ms(campaign.depositEveryMs);
  }

  async step(): Promise<void> {
    const presale = await this.#newest();
    if (presale === null || this.#isOver(presale)) await this.#begin();
    else if (presale.status === 'active') await this.#deposit(presale);
    else if (presale.status === 'refunding') await this.#refund(presale);
  }

  get #mint(): string {
    const mint = this.#context.market.upcoming[this.#campaign.upcoming];
    if (mint === undefined) throw new Error('the market has too few upcoming tokens');
    return addressOf(mint);
  }

  async #newest(): Promise<Presale | null> {
    const { api } = this.#context;
    if (this.#newestId !== undefined) {
      const known = await api.find<Presale>(`/presales/${this.#newestId}`, 'presale_not_found');
      if (known !== null) return known;
    }
    const { data } = await api.get<{ data: Presale[] }>(`/presales?limit=${LISTED}`);
    return data.find(({ mintAddress }) => mintAddress === this.#mint) ?? null;
  }

  /** A presale also counts as over when its refunds were sent but do not add up, because another wallet deposited. */
  #isOver({ id, status, updatedAt }: Presale): boolean {
    const hasEnded = status === 'settled' || status === 'failed' || id === this.#refundedId;
    return hasEnded && Date.now() - Date.parse(updatedAt) >= this.#context.ms(this.#campaign.restMs);
  }

  /** Creates a presale like the admin command `presale create`. */
  async #begin(): Promise<void> {
    const { admin, api, rpc, market, ms } = this.#context;
    if ((await api.find(`/tokens/${this.#mint}`, 'token_not_found')) === null) return;
    await fund(rpc, addressOf(market.presaleVault), LAMPORTS_PER_SOL);
    const { minCapLamports, maxCapLamports, durationMs } = this.#campaign;
    const now = new Date();
    const presale = {
      id: Bun.randomUUIDv7(),
      mintAddress: this.#mint,
      status: 'initializing' as const,
      allocationsBps: { burn: 0, pool: 4_000, sale: 6_000 },
      creatorCommitmentLamports: String(LAMPORTS_PER_SOL),
      minCapLamports: String(minCapLamports),
      maxCapLamports: String(maxCapLamports),
      perWalletCapLamports: String(maxCapLamports / 2n),
      // Block times are whole seconds: an immediate deposit must not appear to precede the start.
      publicStartAt: new Date(now.getTime() - 1_000),
      deadline: new Date(now.getTime() + ms(durationMs)),
    };
    await admin.database.begin((transaction) => createPresale(transaction, presale, now));
    this.#newestId = presale.id;
  }

  /** Makes the next deposit, if one is left, and waits until it is counted: the total determines the next one. */
  async #deposit({ id, totalDepositedLamports, maxCapLamports }: Presale): Promise<void> {
    const { market, rpc, api, signal } = this.#context;
    const total = BigInt(totalDepositedLamports);
    const at = depositsMade(this.#campaign, total);
    const planned = this.#campaign.deposits[at];
    if (planned === undefined) return;
    const room = BigInt(maxCapLamports) - total;
    const lamports = planned < room ? planned : room;
    const wallet = this.#walletOf(at);
    const landed = await pay(wallet, [{ to: addressOf(market.presaleVault), lamports }], rpc, signal);
    await this.#report('presale_deposit', id, addressOf(wallet), lamports, landed, 0);
    for (let poll = 0; poll < COUNTED_POLLS && !signal.aborted; poll += 1) {
      const { totalDepositedLamports: now } = await api.get<Presale>(`/presales/${id}`);
      if (BigInt(now) > total) return;
      await wait(COUNTED_POLL_MS, signal);
    }
  }

  async #refund({ id, totalDepositedLamports }: Presale): Promise<void> {
    if (id === this.#refundedId) return;
    const { market, rpc, signal } = this.#context;
    const made = depositsMade(this.#campaign, BigInt(totalDepositedLamports));
    const refunds = this.#campaign.deposits
      .slice(0, made)
      .map((lamports, at) => ({ to: addressOf(this.#walletOf(at)), lamports }));
    if (refunds.length > 0) {
      const landed = await pay(market.presaleVault, refunds, rpc, signal);
      for (const [at, { to, lamports }] of refunds.entries())
        await this.#report('presale_refund', id, to, lamports, landed, at);
    }
    this.#refundedId = id;
  }

  /** The wallet of a deposit: the second one is the user's, the others belong to the traders in turn. */
  #walletOf(at: number): Keypair {
    const { user, market } = this.#context;
    const wallet = at === USER_DEPOSIT ? user : market.traders[at % market.traders.length];
    if (wallet === undefined) throw new Error('the market has no traders');
    return wallet;
  }

  async #report(
    kind: 'presale_deposit' | 'presale_refund',
    presaleId: string,
    walletAddress: string,
    lamports: bigint,
    { signature, slot, blockTime }: LandedPayments,
    instructionIndex: number,
  ): Promise<void> {
    const message = {
      presaleId,
      walletAddress,
      amountLamports: String(lamports),
      transactionSignature: signature,
      instructionIndex,
      slot: String(slot),
      blockTime,
    };
    await this.#context.feed.publish(kind, message, `${kind}:${signature}:${instructionIndex}`);
  }
}
