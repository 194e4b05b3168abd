import { beforeAll, describe, expect, test } from 'bun:test';
import { Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { PreparationUnavailable } from '../../src/intents/prepare/preparation.ts';
import { nonceAccountData, nonceTransfer } from '../support/intents/intent-transactions.ts';
import { freshAddress, PreparationStage } from '../support/intents/preparation-stage.ts';
import { type LyingNode, startLyingNode } from '../support/trading/lying-node.ts';

const NONCE = bs58.encode(Buffer.alloc(32, 7));
const NEXT_NONCE = bs58.encode(Buffer.alloc(32, 8));

let stage: PreparationStage;
let lagging: LyingNode;

beforeAll(async () => {
  stage = await PreparationStage.start();
  lagging = startLyingNode(() => stage.chain.rpcUrl);
});

async function storedCount(): Promise<number> {
  const [row] = await stage.db<{ stored: number }[]>`select count(*)::int as stored from transaction_intents`;
  return row?.stored ?? 0;
}

/** A transfer that a co-signer signs besides the wallet, without any signature. */
function cosigned(cosigner: Keypair): Transaction {
  const pays = (fromPubkey: PublicKey) =>
    SystemProgram.transfer({ fromPubkey, toPubkey: Keypair.generate().publicKey, lamports: 1_000 });
  return new Transaction({ feePayer: stage.wallet.publicKey, recentBlockhash: stage.blockhash() })
    .add(pays(stage.wallet.publicKey))
    .add(pays(cosigner.publicKey));
}

function wireOf(transaction: Transaction): Uint8Array {
  return transaction.serialize({ requireAllSignatures: false, verifySignatures: false });
}

describe('the signature of a co-signer', () => {
  test('that is there and verifies is kept', async () => {
    const cosigner = Keypair.generate();
    const transaction = cosigned(cosigner);
    transaction.partialSign(cosigner);
    expect(await stage.prepare({ transaction: wireOf(transaction) })).toMatchObject({ status: 'prepared' });
  });

  test('that is missing is refused: no submission could add it', async () => {
    const cosigner = Keypair.generate();
    const before = await storedCount();
    await expect(stage.prepare({ transaction: wireOf(cosigned(cosigner)) })).rejects.toThrow(
      `the signature of ${cosigner.publicKey.toBase58()} is missing`,
    );
    expect(await storedCount()).toBe(before);
  });

  test.each<[string, (signature: Uint8Array) => void]>([
    ['of other bytes', (signature) => signature.set([(signature[0] ?? 0) ^ 1])],
    ['of random bytes', (signature) => crypto.getRandomValues(signature)],
    ['of one repeated byte', (signature) => signature.fill(1)],
  ])('that is %s is refused', async (_case, falsify) => {
    const cosigner = Keypair.generate();
    const transaction = cosigned(cosigner);
    transaction.partialSign(cosigner);
    const wire = Uint8Array.from(wireOf(transaction));
    // The wallet pays the fee, so its slot is the first.
    falsify(wire.subarray(1 + 64, 1 + 128));
    await expect(stage.prepare({ transaction: wire })).rejects.toThrow(
      `the signature of ${cosigner.publicKey.toBase58()} does not verify`,
    );
  });

  test('over another message is refused', async () => {
    const cosigner = Keypair.generate();
    const [one, another] = [cosigned(cosigner), cosigned(cosigner)];
    another.partialSign(cosigner);
    const wire = Uint8Array.from(wireOf(one));
    wire.set(wireOf(another).subarray(1 + 64, 1 + 128), 1 + 64);
    await expect(stage.prepare({ transaction: wire })).rejects.toThrow('does not verify');
  });
});

describe('a transaction that advances a nonce', () => {
  const owner = () => stage.wallet.publicKey;

  function setNonce(address: string, nonce: string, authority = owner().toBase58()): void {
    stage.chain.ledger.setAccount(address, {
      lamports: 10n ** 9n,
      owner: SystemProgram.programId.toBase58(),
      data: nonceAccountData(nonce, authority),
      executable: false,
      rentEpoch: 0n,
    });
    // So that it is confirmed.
    stage.chain.advanceSlots(2);
  }

  function storeNonce(nonce: string, authority?: string): string {
    const address = freshAddress();
    setNonce(address, nonce, authority);
    return address;
  }

  /** An unsigned transfer of the wallet, with an advance of a nonce before or after it. */
  function advancing(nonceAccount: string, recentBlockhash: string, place: 'first' | 'last'): Transaction {
    const transaction = new Transaction({ feePayer: owner(), recentBlockhash });
    const transfer = SystemProgram.transfer({ fromPubkey: owner(), toPubkey: owner(), lamports: 1 });
    const advance = SystemProgram.nonceAdvance({
      noncePubkey: new PublicKey(nonceAccount),
      authorizedPubkey: owner(),
    });
    return place === 'first' ? transaction.add(advance, transfer) : transaction.add(transfer, advance);
  }

  test('is taken with the nonce that its account holds, without a height, whatever is given', async () => {
    const nonceAccount = storeNonce(NONCE);
    for (const lastValidBlockHeight of [null, 7n]) {
      const transaction = nonceTransfer(owner(), nonceAccount, NONCE);
      expect(await stage.prepare({ transaction, lastValidBlockHeight }, [stage.chain.rpcUrl])).toMatchObject({
        status: 'prepared',
        recentBlockhash: NONCE,
        lastValidBlockHeight: null,
      });
    }
  });

  test('is refused with a nonce that was advanced, and stores nothing', async () => {
    const nonceAccount = storeNonce(NONCE);
    setNonce(nonceAccount, NEXT_NONCE);
    const before = await storedCount();
    const transaction = nonceTransfer(owner(), nonceAccount, NONCE);
    await expect(stage.prepare({ transaction }, [stage.chain.rpcUrl])).rejects.toThrow(
      `nonce account ${nonceAccount} does not hold the nonce ${NONCE}: it was advanced`,
    );
    expect(await storedCount()).toBe(before);
  });

  test('is taken when one node has the nonce already and the other lags behind its last advance', async () => {
    const nonceAccount = storeNonce(NEXT_NONCE);
    const old = nonceAccountData(NONCE, owner().toBase58()).toString('base64');
    lagging.change = (method, { context, value }) =>
      method === 'getMultipleAccounts' ? { context, value: [{ ...value[0], data: [old, 'base64'] }] } : null;
    const transaction = nonceTransfer(owner(), nonceAccount, NEXT_NONCE);
    expect(await stage.prepare({ transaction }, [lagging.rpcUrl, stage.chain.rpcUrl])).toMatchObject({
      status: 'prepared',
    });
    lagging.change = () => null;
  });

  test('is refused with a recent blockhash in place of the nonce: it would land by the one and be judged by the other', async () => {
    const nonceAccount = storeNonce(NONCE);
    const transaction = nonceTransfer(owner(), nonceAccount, stage.blockhash());
    stage.chain.advanceSlots(2);
    await expect(stage.prepare({ transaction }, [stage.chain.rpcUrl])).rejects.toThrow(
      'but the transaction carries a recent blockhash instead of the nonce',
    );
  });

  test('is refused where the account is no nonce account', async () => {
    const nonceAccount = freshAddress();
    const transaction = nonceTransfer(owner(), nonceAccount, NONCE);
    await expect(stage.prepare({ transaction }, [stage.chain.rpcUrl])).rejects.toThrow(
      `account ${nonceAccount} is not an initialised nonce account`,
    );
  });

  test('is refused without the signature of the authority', async () => {
    const authority = freshAddress();
    const transaction = nonceTransfer(owner(), storeNonce(NONCE, authority), NONCE);
    await expect(stage.prepare({ transaction }, [stage.chain.rpcUrl])).rejects.toThrow(
      `the authority ${authority} of nonce account`,
    );
  });

  test('is refused where the nonce account is not writable', async () => {
    const nonceAccount = storeNonce(NONCE);
    const transaction = advancing(nonceAccount, NONCE, 'first');
    for (const { keys } of transaction.instructions)
      for (const key of keys) if (key.pubkey.toBase58() === nonceAccount) key.isWritable = false;
    await expect(stage.prepare({ transaction: wireOf(transaction) }, [stage.chain.rpcUrl])).rejects.toThrow(
      `nonce account ${nonceAccount} is not writable`,
    );
  });

  test('in version 0 may write to its nonce account, unless the header of the message says otherwise', async () => {
    const nonceAccount = storeNonce(NONCE);
    const nodes = [stage.chain.rpcUrl];
    const transaction = nonceTransfer(owner(), nonceAccount, NONCE, 'v0');
    const readonly = Uint8Array.from(transaction);
    // One signature, then the version: the header's last byte counts the keys at the end that are only read.
    const header = 1 + 64 + 1;
    readonly[header + 2] = (readonly[header + 2] ?? 0) + 2;
    await expect(stage.prepare({ transaction: readonly }, nodes)).rejects.toThrow(
      `nonce account ${nonceAccount} is not writable`,
    );
    expect(await stage.prepare({ transaction }, nodes)).toMatchObject({ status: 'prepared' });
  });

  test('is refused where another instruction comes first, if it carries that nonce; with a blockhash it lands', async () => {
    const nonceAccount = storeNonce(NONCE);
    await expect(
      stage.prepare({ transaction: wireOf(advancing(nonceAccount, NONCE, 'last')) }, [stage.chain.rpcUrl]),
    ).rejects.toThrow(
      `the transaction carries the nonce of account ${nonceAccount}, which its first instruction does not advance`,
    );
    const transaction = wireOf(advancing(nonceAccount, stage.blockhash(), 'last'));
    expect(await stage.prepare({ transaction }, [stage.chain.rpcUrl])).toMatchObject({ status: 'prepared' });
  });

  test('may be prepared again when no node responded', async () => {
    const transaction = nonceTransfer(owner(), storeNonce(NONCE), NONCE);
    const refused = stage.prepare({ transaction }, ['http://127.0.0.1:1']);
    await expect(refused).rejects.toThrow(PreparationUnavailable);
  });
});
