import { expect, test } from 'bun:test';
import {
  createAssociatedTokenAccountInstruction,
  createTransferInstruction,
  getAssociatedTokenAddressSync,
  NATIVE_MINT,
} from '@solana/spl-token';
import { Keypair, SystemProgram, Transaction } from '@solana/web3.js';
import { CLUSTER_RENT_LAMPORTS_PER_BYTE, CLUSTER_SLOT_MS } from '../../sandbox/chain/cluster-facts.ts';
import { createChainClient } from '../support/chain/chain-client.ts';

const FEATURE_PROGRAM = 'Feature111111111111111111111111111111111111';
/** The chain does what a bot sees of these gates; the virtual machine has nothing that depends on them. */
const DONE_BY_THE_CHAIN = ['reduce_slot_time_to_200ms', 'alpenglow'];
const { chain, connection, payer, rpc, send } = await createChainClient();

test("the virtual machine has active what mainnet has, at mainnet's slots, and nothing that mainnet has not", () => {
  const activated = new Map(
    chain.ledger.vm.getProgramAccounts(FEATURE_PROGRAM).map(({ address, account: { data } }) => {
      const fields = Buffer.from(data);
      return [address, fields[0] === 1 ? fields.readBigUInt64LE(1) : null];
    }),
  );
  const found = MAINNET_GATES.map(({ name, address }) => [name, activated.get(address) ?? null]);
  const expected = MAINNET_GATES.map(({ name, activatedAt }) => [
    name,
    DONE_BY_THE_CHAIN.includes(name) ? null : activatedAt,
  ]);
  expect(found).toEqual(expected);
});

test("pace, block and rent follow from mainnet's gates", async () => {
  const active = MAINNET_GATES.filter(({ activatedAt }) => activatedAt !== null).map(({ name }) => name);
  const least = (gates: RegExp) =>
    Math.min(...active.flatMap((name) => gates.exec(name)?.[1] ?? []).map(Number));
  expect(CLUSTER_SLOT_MS).toBe(least(/^reduce_slot_time_to_(\d+)ms$/));
  expect(CLUSTER_RENT_LAMPORTS_PER_BYTE).toBe(BigInt(least(/^set_lamports_per_byte_to_(\d+)$/)));
  expect((await rpc('sandbox_status')).result).toMatchObject({
    block: { computeUnits: (100_000_000 * CLUSTER_SLOT_MS) / 400 },
  });
});

test('SPL Token is p-token: a transfer takes less than a tenth of the 4,645 units of the program before it', async () => {
  const recipient = Keypair.generate().publicKey;
  const [from, to] = [payer.publicKey, recipient].map((owner) =>
    getAssociatedTokenAddressSync(NATIVE_MINT, owner),
  );
  if (from === undefined || to === undefined) throw new Error('no accounts');
  const { blockhash } = await connection.getLatestBlockhash();
  const transaction = new Transaction({ feePayer: payer.publicKey, blockhash, lastValidBlockHeight: 0 });
  transaction.add(
    SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: from, lamports: 10_000_000 }),
    createAssociatedTokenAccountInstruction(payer.publicKey, from, payer.publicKey, NATIVE_MINT),
    createAssociatedTokenAccountInstruction(payer.publicKey, to, recipient, NATIVE_MINT),
    createTransferInstruction(from, to, payer.publicKey, 1_000_000),
  );
  transaction.sign(payer);
  const { result, error } = await send(transaction.serialize());
  expect(error).toBeUndefined();
  chain.advanceSlots(1);
  const config = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 } as const;
  const landed = await connection.getTransaction(String(result), config);
  const logs = landed?.meta?.logMessages ?? [];
  const units = logs
    .filter((line) => line.startsWith('Program TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA consumed'))
    .map((line) => Number(/consumed (\d+)/.exec(line)?.[1]));
  expect(units.at(-1)).toBeLessThan(464);
  expect((await connection.getTokenAccountBalance(to)).value.amount).toBe('1000000');
});

/**
 * Feature gates of mainnet-beta that change what this project sends or reads. Activation slots are those of the gates'
 * accounts as published in October 2026; `solana feature status <address>` and `getAccountInfo` of the address show them.
 */
interface MainnetGate {
  readonly name: string;
  readonly address: string;
  /** Null where mainnet has not activated it. */
  readonly activatedAt: bigint | null;
}

const gate = (name: string, address: string, activatedAt: bigint | null): MainnetGate => ({
  name,
  address,
  activatedAt,
});

const MAINNET_GATES: readonly MainnetGate[] = [
  gate('deprecate_rent_exemption_threshold', 'rent6iVy6PDoViPBeJ6k5EJQrkj62h7DPyLbWGHwjrC', 407_376_000n),
  gate('set_lamports_per_byte_to_6333', '4a6f7o7iTcA8hRDCrPLkSatnt5Ykxiu36wo5p1Tt12wC', 444_096_000n),
  gate('set_lamports_per_byte_to_5080', '61BtM7BkDEE8Yq5fskEVAQT9mYA8qCejJWoLe5apqg81', 446_256_000n),
  gate('set_lamports_per_byte_to_2575', 'rntCigrTppP5JdZz7K8TyN9sMzLdAcXp8SejYpVpX6D', null),
  gate('set_lamports_per_byte_to_1322', 'rntD7invRBswCAdKtRsh1G4psKjrPdS3BKqtnA78C7N', null),
  gate('set_lamports_per_byte_to_696', 'rntTjNZ9boq8owDxjGVFHPfWNQPDaKiM5JcjxmDGg47', null),
  gate('relax_post_exec_min_balance_check', 'BY4JhHLahVzS9ynfDz4exzGPbVXhFmJvEyMWsXbDBqME', 443_664_000n),
  gate('replace_spl_token_with_p_token', 'ptokFjwyJtrwCa9Kgo9xoDS59V4QccBGEaRFnRPnSdP', 419_472_000n),
  gate('enable_tx_v1', 'txv1aq4pp281K9um3tnPgkfX8UqtFT6wcVW3hNezGLL', 447_120_000n),
  gate('increase_tx_account_lock_limit', '9LZdXeKGeBV6hRLdxS1rHbHoEUsKqesCC2ZAPTPKJAbK', null),
  gate('raise_cpi_nesting_limit_to_8', '6TkHkRmP7JZy1fdM6fg5uXn76wChQBWGokHBJzrLB3mj', null),
  gate('increase_cpi_account_info_limit', 'H6iVbVaDZgDphcPbcZwc5LoznMPWQfnJ1AM7L1xzqvt5', 403_056_000n),
  gate(
    'syscall_parameter_address_restrictions',
    'EDGMC5kxFxGk4ixsNkGt8bW7QL5hDMXnbwaZvYMwNfzF',
    429_840_000n,
  ),
  gate('virtual_address_space_adjustments', '7VgiehxNxu53KdxgLspGQY8myE6f7UokaWa4jsGcaSz', null),
  gate('account_data_direct_mapping', 'CR3dVN2Yoo95Y96kLSTaziWDAQT2MNEpiWh5cqVq2pNE', null),
  gate('create_account_allow_prefund', '6sPDzwyARRExKH52LECxcGoqziH8G7SZofwuxi8Ja331', 422_928_004n),
  gate(
    'formalize_loaded_transaction_data_size',
    'DeS7sR48ZcFTUmt5FFEVDr1v1bh73aAbZiZq3SYr8Eh8',
    381_888_000n,
  ),
  gate('define_ltds_fee_only_semantics', 'LTDSzjZKFJMKHYpNycG1FrWwGGTaFFwqEFjB5GGLNVD', 435_456_000n),
  gate('deplete_cu_meter_on_vm_failure', 'B7H2caeia4ZFcpE3QcgMqbiWiBtWrdBRBSJ1DY6Ktxbq', 327_888_000n),
  gate('raise_block_limits_to_100m', 'P1BCUMpAC7V2GRBRiJCNUgpMyWZhoqt3LKo712ePqsz', 435_888_000n),
  gate('reduce_slot_time_to_350ms', 'iBRL5RuWhw4yqaAZu96RUULHckHTZAoe2b77qaV38JZ', 440_208_000n),
  gate('reduce_slot_time_to_300ms', 'iBRLL3k18HST852F1Mf3Lv83waTNQmmqvKDxvYGwQFL', 441_936_000n),
  gate('reduce_slot_time_to_250ms', 'iBRLMc81UjRa8fn8A6eE8bJTnRbgQoPTynM51akENCV', 447_552_000n),
  gate('reduce_slot_time_to_200ms', 'iBRLjhJnkmDZgNoZRDMW11d8ZV7HvsL3vAyRjZB5npW', 454_464_000n),
  gate('relax_fee_payer_constraint', 'FEEXbxUuKobtrt1qNK5pjtzbPQhsppBTrNNG74xu4mai', null),
  // The first slot of the epoch in which mainnet changed to it, 5,000 slots later.
  gate('alpenglow', 'A1pengvuM6JEcyNuTnMqepBKhwHE3N6PmUrdATGawhJS', 459_648_000n),
];
