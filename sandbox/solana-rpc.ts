import bs58 from 'bs58';
import type { ChainAccount } from '../src/chain/accounts/account-data.ts';

const SYSTEM_PROGRAM = '11111111111111111111111111111111';
/** The number of the instruction. */
const TRANSFER = 2;

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

  /** Accounts as they are now, in the order of their addresses, and the slot they were read in; null: not there. */
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

  /** Raw token amounts of a wallet by mint. */
  async tokenBalances(owner: string, tokenProgram: string): Promise<Map<string, bigint>> {
    const params = [owner, { programId: tokenProgram }, { encoding: 'jsonParsed', commitment: 'processed' }];
    const { value } = await this.call<{ value: ParsedTokenAccount[] }>('getTokenAccountsByOwner', params);
    return new Map(
      value.map(({ account }) => {
        const { mint, tokenAmount } = account.data.parsed.info;
        return [mint, BigInt(tokenAmount.amount)];
      }),
    );
  }

  airdrop(address: string, lamports: bigint): Promise<string> {
    return this.call('requestAirdrop', [address, Number(lamports)]);
  }

  /** Sends without preflight: an invalid transaction then never lands. */
  send(wire: Uint8Array): Promise<string> {
    const options = { encoding: 'base64', skipPreflight: true, maxRetries: 0 };
    return this.call('sendTransaction', [Buffer.from(wire).toString('base64'), options]);
  }

  /** Sends what must work. Throws with the node's reason when it would fail. */
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

  /** The payer of a confirmed transaction and what it transferred of its SOL, in the order of its instructions. */
  async transfersOf(signature: string): Promise<{ payer: string; transfers: Transfer[] }> {
    const params = [
      signature,
      { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 0 },
    ];
    const found = await this.call<JsonTransaction | null>('getTransaction', params);
    if (found === null) throw new Error(`${signature} is listed, but not found`);
    const { accountKeys, instructions } = found.transaction.message;
    const [payer = ''] = accountKeys;
    const transfers = instructions.flatMap(({ programIdIndex, accounts, data }, instructionIndex) => {
      const bytes = Buffer.from(bs58.decode(data));
      const [from = -1, to = -1] = accounts;
      const isTransfer = accountKeys[programIdIndex] === SYSTEM_PROGRAM && bytes.length === 12;
      if (!isTransfer || bytes.readUInt32LE(0) !== TRANSFER || accountKeys[from] !== payer) return [];
      return [{ to: accountKeys[to] ?? '', lamports: bytes.readBigUInt64LE(4), instructionIndex }];
    });
    return { payer, transfers };
  }

  /** Newest confirmed transactions that touch an address. */
  recentTransactions(address: string, limit: number): Promise<ConfirmedTransaction[]> {
    return this.call('getSignaturesForAddress', [address, { limit, commitment: 'confirmed' }]);
  }
}

export interface StoredAccount extends ChainAccount {
  readonly lamports: bigint;
}

/** A transfer of SOL. */
export interface Transfer {
  readonly to: string;
  readonly lamports: bigint;
  readonly instructionIndex: number;
}

interface JsonTransaction {
  readonly transaction: {
    readonly message: {
      readonly accountKeys: readonly string[];
      readonly instructions: readonly {
        readonly programIdIndex: number;
        readonly accounts: readonly number[];
        readonly data: string;
      }[];
    };
  };
}

interface ParsedTokenAccount {
  readonly account: {
    readonly data: {
      readonly parsed: {
        readonly info: { readonly mint: string; readonly tokenAmount: { readonly amount: string } };
      };
    };
  };
}

interface SignatureStatus {
  readonly slot: number;
  readonly err: unknown;
  readonly confirmationStatus: 'processed' | 'confirmed' | 'finalized';
}

/** One line of `getSignaturesForAddress`. */
export interface ConfirmedTransaction {
  readonly signature: string;
  readonly slot: number;
  /** Index in its block; not every node reports it. */
  readonly transactionIndex?: number;
  readonly err: unknown;
  readonly blockTime: number | null;
}
