/**
 * Feature gates of mainnet-beta that change what this project sends or reads. Activation slots are those of the gates'
 * accounts as published in October 2026; `solana feature status <address>` and `getAccountInfo` of the address show them.
 */
export interface MainnetGate {
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

export const MAINNET_GATES: readonly MainnetGate[] = [
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
