import { beforeAll, describe, expect, test } from 'bun:test';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { ADDRESS_LOOKUP_TABLE } from '../../src/chain/accounts/programs.ts';
import { openPolicy, type Preparation } from '../../src/intents/prepare/preparation.ts';
import {
  lookupTableData,
  unsignedTransfer,
  versionOneTransfer,
} from '../support/intents/intent-transactions.ts';
import { signWith } from '../support/intents/intents.ts';
import { freshAddress, PreparationStage } from '../support/intents/preparation-stage.ts';
import { atEnd } from '../support/run/cleanup.ts';

let stage: PreparationStage;
let wallet: Keypair;

beforeAll(async () => {
  stage = await PreparationStage.start();
  wallet = stage.wallet;
});

const preparation = (changes?: Partial<Preparation>) => stage.preparation(changes);
const prepare = (changes?: Partial<Preparation>, rpcUrls?: readonly string[]) =>
  stage.prepare(changes, rpcUrls);
const currentBlockhash = () => stage.blockhash();

/** Stores a lookup table on the chain. */
function storeTable(
  addresses: readonly string[],
  { deactivationSlot = 2n ** 64n - 1n, owner = ADDRESS_LOOKUP_TABLE } = {},
) {
  const address = freshAddress();
  const data = lookupTableData(addresses, deactivationSlot);
  stage.chain.ledger.setAccount(address, {
    lamports: 10n ** 9n,
    owner,
    data,
    executable: false,
    rentEpoch: 0n,
  });
  return address;
}

/** A v0 transfer whose destination stands at an index of a lookup table. */
function lookingUp(table: string, index: number, to = freshAddress()): Uint8Array {
  return unsignedTransfer(wallet.publicKey, { blockhash: currentBlockhash(), to, lookup: { table, index } });
}

const simulated = { ...openPolicy, requireSimulation: true };

describe('preparing refuses bytes that could never be submitted', () => {
  const refusals: [string, () => Partial<Preparation>, string][] = [
    ['a wallet that is not among the signers', () => ({ expectedSigner: freshAddress() }), 'not among'],
    ['a small-order wallet', () => ({ expectedSigner: '1'.repeat(32) }), 'trusted'],
    ['a malformed transaction', () => ({ transaction: preparation().transaction.subarray(1) }), 'malformed'],
    [
      'a transaction above the size limit',
      () => ({ transaction: new Uint8Array(1_233).fill(1) }),
      'malformed or too large',
    ],
    [
      'a filled slot of the expected signer',
      () => ({ transaction: signWith(preparation().transaction, wallet) }),
      'already filled',
    ],
    [
      'a forbidden program',
      () => ({ policy: { ...openPolicy, allowedPrograms: ['So11111111111111111111111111111111111111112'] } }),
      'is not allowed',
    ],
    [
      'a heap that the runtime does not grant, asked for in the header of version 1',
      () => ({ transaction: versionOneTransfer(wallet.publicKey, { heapBytes: 33_000 }) }),
      'the requested heap of 33000 bytes is not granted: 32768 to 262144 in steps of 1024 are',
    ],
    [
      'a heap that the runtime does not grant, asked for by an instruction',
      () => ({ transaction: unsignedTransfer(wallet.publicKey, { heapBytes: 263_168 }) }),
      'the requested heap of 263168 bytes is not granted',
    ],
    [
      'a compute unit price above the bound',
      () => ({
        transaction: unsignedTransfer(wallet.publicKey, { unitPrice: 1_001n }),
        policy: { ...openPolicy, maxComputeUnitPrice: '1000' },
      }),
      'compute unit price 1001 is above 1000',
    ],
    [
      'a compute unit price above the bound with bytes behind it that the runtime ignores',
      () => ({
        transaction: unsignedTransfer(wallet.publicKey, { unitPrice: 1_001n, pricePadding: 3 }),
        policy: { ...openPolicy, maxComputeUnitPrice: '1000' },
      }),
      'compute unit price 1001 is above 1000',
    ],
    [
      'a priority fee of version 1 above the bound',
      () => ({
        transaction: versionOneTransfer(wallet.publicKey, {
          priorityFeeLamports: 51n,
          computeUnitLimit: 50_000,
        }),
        policy: { ...openPolicy, maxComputeUnitPrice: '1000' },
      }),
      'priority fee 51 for 50000 compute units',
    ],
    [
      'an account that is listed twice',
      () => {
        const transaction = Uint8Array.from(preparation().transaction);
        transaction.copyWithin(1 + 64 + 4 + 32, 1 + 64 + 4, 1 + 64 + 4 + 32);
        return { transaction };
      },
      'listed twice',
    ],
    ['a kind that is no identifier', () => ({ kind: 'Bad Kind' }), 'identifier'],
    ['an unknown account', () => ({ accountId: crypto.randomUUID() }), 'does not exist'],
  ];
  test.each(refusals)('%s', async (_name, changes, reason) => {
    await expect(prepare(changes())).rejects.toThrow(reason);
  });

  test('heaps that the runtime grants are taken, in every version', async () => {
    for (const heapBytes of [32_768, 262_144]) {
      for (const transaction of [
        unsignedTransfer(wallet.publicKey, { heapBytes }),
        versionOneTransfer(wallet.publicKey, { heapBytes }),
      ])
        expect(await prepare({ transaction })).toMatchObject({ status: 'prepared' });
    }
  });

  test('prices at the bound are taken, in every version', async () => {
    const policy = { ...openPolicy, maxComputeUnitPrice: '1000' };
    const legacy = unsignedTransfer(wallet.publicKey, { unitPrice: 1_000n });
    const versionOne = versionOneTransfer(wallet.publicKey, {
      priorityFeeLamports: 50n,
      computeUnitLimit: 50_000,
    });
    for (const transaction of [legacy, versionOne]) {
      expect(await prepare({ transaction, policy })).toMatchObject({ status: 'prepared', version: 1 });
    }
  });
});

describe('preparing refuses lookup tables that do not resolve', () => {
  test('a table whose index exists is taken, as the chain takes it', async () => {
    const to = freshAddress();
    const transaction = lookingUp(storeTable([freshAddress(), to]), 1, to);
    expect(await prepare({ transaction, policy: simulated }, [stage.chain.rpcUrl])).toMatchObject({
      status: 'prepared',
    });
  });

  test.each<[string, () => Uint8Array, RegExp]>([
    ['a table that does not exist', () => lookingUp(freshAddress(), 0), /lookup table \w+ does not exist/],
    [
      'a table of another program',
      () => lookingUp(storeTable([freshAddress()], { owner: '1'.repeat(32) }), 0),
      /is not an address lookup table/,
    ],
    [
      'a table whose closing has begun',
      () => lookingUp(storeTable([freshAddress()], { deactivationSlot: 5n }), 0),
      /is deactivated/,
    ],
    [
      'an index beyond the end',
      () => lookingUp(storeTable([freshAddress(), freshAddress()]), 2),
      /holds 2 addresses, none at index 2/,
    ],
    [
      'a looked-up account that is listed too',
      () => lookingUp(storeTable([wallet.publicKey.toBase58()]), 0),
      /is looked up although the transaction lists it already/,
    ],
  ])('%s', async (_name, transaction, reason) => {
    await expect(prepare({ transaction: transaction() }, [stage.chain.rpcUrl])).rejects.toThrow(reason);
  });

  test('tables that no node can be asked about, which is never skipped', async () => {
    const transaction = lookingUp(storeTable([freshAddress()]), 0);
    await expect(prepare({ transaction })).rejects.toThrow(
      'the address lookup tables could not be read: no RPC node is configured',
    );
    await expect(prepare({ transaction }, ['http://127.0.0.1:9'])).rejects.toThrow('127.0.0.1:9: ');
    expect(await prepare({ transaction }, ['http://127.0.0.1:9', stage.chain.rpcUrl])).toMatchObject({
      version: 1,
    });
  });
});

describe('a policy that requires a simulation', () => {
  test('accepts a transaction that would succeed, without a signature', async () => {
    expect(await prepare({ policy: simulated }, [stage.chain.rpcUrl])).toMatchObject({ policy: simulated });
  });

  test('refuses a transaction that would fail, with the error of the chain, and stores nothing', async () => {
    const [before] = await stage.db`select count(*)::int as stored from transaction_intents`;
    const poor = Keypair.generate();
    await expect(
      prepare(
        {
          expectedSigner: poor.publicKey.toBase58(),
          transaction: unsignedTransfer(poor.publicKey, { blockhash: currentBlockhash() }),
          policy: simulated,
        },
        [stage.chain.rpcUrl],
      ),
    ).rejects.toThrow('the simulation failed: "AccountNotFound"');
    const transaction = unsignedTransfer(wallet.publicKey, {
      blockhash: currentBlockhash(),
      lamports: 10n ** 15n,
    });
    await expect(prepare({ transaction, policy: simulated }, [stage.chain.rpcUrl])).rejects.toThrow(
      'the simulation failed: {"InstructionError":[0,{"Custom":1}]}',
    );
    const stale = unsignedTransfer(wallet.publicKey, { blockhash: bs58.encode(Buffer.alloc(32, 9)) });
    await expect(prepare({ transaction: stale, policy: simulated }, [stage.chain.rpcUrl])).rejects.toThrow(
      'BlockhashNotFound',
    );
    const [after] = await stage.db`select count(*)::int as stored from transaction_intents`;
    expect(after).toEqual(before);
  });

  test('refuses when no node can simulate', async () => {
    await expect(prepare({ policy: simulated })).rejects.toThrow(
      'the transaction could not be simulated: no RPC node is configured',
    );
    const down = stage.chain.addNode({ down: 'unavailable' });
    atEnd(() => down.stop());
    await expect(prepare({ policy: simulated }, [down.rpcUrl])).rejects.toThrow('could not be simulated');
  });
});
