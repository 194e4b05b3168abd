import { metadataAddress, programAuthorities } from '../accounts/derived-addresses.ts';
import {
  BONDING_CURVE,
  SPL_TOKEN,
  SYSTEM_PROGRAM,
  TOKEN_2022,
  TOKEN_METADATA,
} from '../accounts/programs.ts';
import { anchorDiscriminator } from '../anchor-discriminator.ts';
import { type Instruction, readonly, signer, writable, writableSigner } from './instruction.ts';

/** Name and symbol of a token, and the address of its metadata document. */
export interface TokenTexts {
  name: string;
  symbol: string;
  uri: string;
}

/** The accounts of a new pool. All of them follow from mint and config. */
export interface NewPool {
  config: string;
  mint: string;
  quoteMint: string;
  /** The program of the new mint. It decides which of the two instructions is used. */
  tokenProgram: string;
  pool: string;
  baseVault: string;
  quoteVault: string;
}

/**
 * Creates the mint with its whole supply in the pool, and the pool (reference/solana#curve-launch). The
 * creator pays. Creator and mint sign.
 */
export async function createCurvePool(
  { config, mint, quoteMint, tokenProgram, pool, baseVault, quoteVault }: NewPool,
  creator: string,
  { name, symbol, uri }: TokenTexts,
): Promise<Instruction> {
  const isToken2022 = tokenProgram === TOKEN_2022;
  const { poolAuthority, eventAuthority } = await programAuthorities(BONDING_CURVE);
  const metadata = isToken2022 ? [] : [writable(await metadataAddress(mint)), readonly(TOKEN_METADATA)];
  const accounts = [
    readonly(config),
    readonly(poolAuthority),
    signer(creator),
    writableSigner(mint),
    readonly(quoteMint),
    writable(pool),
    writable(baseVault),
    writable(quoteVault),
    ...metadata,
    writableSigner(creator),
    readonly(SPL_TOKEN),
    readonly(tokenProgram),
    readonly(SYSTEM_PROGRAM),
    readonly(eventAuthority),
    readonly(BONDING_CURVE),
  ];
  const discriminator = isToken2022 ? discriminators.token2022 : discriminators.splToken;
  const data = Buffer.concat([discriminator, ...[name, symbol, uri].map(borshText)]);
  return { program: BONDING_CURVE, accounts, data };
}

const discriminators = {
  splToken: anchorDiscriminator('global', 'initialize_virtual_pool_with_spl_token'),
  token2022: anchorDiscriminator('global', 'initialize_virtual_pool_with_token2022'),
};

function borshText(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.byteLength);
  return Buffer.concat([length, bytes]);
}
