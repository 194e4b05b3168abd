import type { ChainAccount } from '../../src/chain/accounts/account-data.ts';

/** JSON-RPC of one Solana node over plain HTTP. */
export class SolanaRpc {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** The `result` of a call. Throws with the node's error message, or when there is no response within 10 s. */
  async call<Result>(method: string, params: readonly unknown[] = []): Promise<Result> {
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(10_000),
    });
    if (!response.ok) throw new Error(`${method}: HTTP ${response.status}`);
    const { result, error } = (await response.json()) as { result: Result; error?: { message: string } };
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  genesisHash(): Promise<string> {
    return this.call('getGenesisHash');
  }

  async latestBlockhash(): Promise<{ blockhash: string; lastValidBlockHeight: bigint }> {
    const { value } = await this.call<{ value: { blockhash: string; lastValidBlockHeight: number } }>(
      'getLatestBlockhash',
      [{ commitment: 'confirmed' }],
    );
    return { blockhash: value.blockhash, lastValidBlockHeight: BigInt(value.lastValidBlockHeight) };
  }

  /** The newest confirmed slot. */
  async slot(): Promise<bigint> {
    return BigInt(await this.call<number>('getSlot', [{ commitment: 'confirmed' }]));
  }

  async blockHeight(): Promise<bigint> {
    return BigInt(await this.call<number>('getBlockHeight', [{ commitment: 'confirmed' }]));
  }

  async isBlockhashValid(blockhash: string): Promise<boolean> {
    const params = [blockhash, { commitment: 'confirmed' }];
    return (await this.call<{ value: boolean }>('isBlockhashValid', params)).value;
  }

  async balanceLamports(address: string): Promise<bigint> {
    const params = [address, { commitment: 'processed' }];
    return BigInt((await this.call<{ value: number }>('getBalance', params)).value);
  }

  async accountExists(
    address: string,
    commitment: 'processed' | 'confirmed' = 'processed',
  ): Promise<boolean> {
    const params = [address, { commitment, encoding: 'base64' }];
    return (await this.call<{ value: object | null }>('getAccountInfo', params)).value !== null;
  }

  /** Accounts in the order of their addresses, null where there is none, and the slot at which they were read. */
  async accounts(
    addresses: readonly string[],
  ): Promise<{ slot: bigint; accounts: (StoredAccount | null)[] }> {
    const { context, value } = await this.call<{
      context: { slot: number };
      value: ({ owner: string; lamports: number; data: [string, string] } | null)[];
    }>('getMultipleAccounts', [addresses, { commitment: 'processed', encoding: 'base64' }]);
    const accounts = value.map((one) =>
      one === null
        ? null
        : { owner: one.owner, lamports: BigInt(one.lamports), data: Buffer.from(one.data[0], 'base64') },
    );
    return { slot: BigInt(context.slot), accounts };
  }

  airdrop(address: string, lamports: bigint): Promise<string> {
    return this.call('requestAirdrop', [address, Number(lamports)]);
  }

  /** Sends without preflight: an invalid transaction then never lands. */
  send(wire: Uint8Array): Promise<string> {
    const options = { encoding: 'base64', skipPreflight: true, maxRetries: 0 };
    return this.call('sendTransaction', [Buffer.from(wire).toString('base64'), options]);
  }

  /** Sends after a simulation. Throws with the node's reason when that fails. */
  sendChecked(wire: Uint8Array): Promise<string> {
    const options = { encoding: 'base64', preflightCommitment: 'processed' };
    return this.call('sendTransaction', [Buffer.from(wire).toString('base64'), options]);
  }

  /** The slot of a transaction that is confirmed; undefined while it is not. Throws when it landed and failed. */
  async confirmedSlot(signature: string): Promise<bigint | undefined> {
    const { value } = await this.call<{ value: (SignatureStatus | null)[] }>('getSignatureStatuses', [
      [signature],
    ]);
    const [status] = value;
    if (status == null || status.confirmationStatus === 'processed') return undefined;
    if (status.err !== null) throw new Error(`${signature} failed: ${JSON.stringify(status.err)}`);
    return BigInt(status.slot);
  }

  /** Time of a block, RFC 3339. */
  async blockTime(slot: bigint): Promise<string> {
    return new Date((await this.call<number>('getBlockTime', [Number(slot)])) * 1000).toISOString();
  }
}

export interface StoredAccount extends ChainAccount {
  readonly lamports: bigint;
}

interface SignatureStatus {
  readonly slot: number;
  readonly err: unknown;
  readonly confirmationStatus: 'processed' | 'confirmed' | 'finalized';
}
