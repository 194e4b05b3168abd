import bs58 from 'bs58';
import { POSITION_BYTES } from '../../../../src/chain/accounts/damm-position.ts';
import { DAMM_V2, TOKEN_2022 } from '../../../../src/chain/accounts/programs.ts';
import { TOKEN_ACCOUNT_BYTES } from '../../../../src/chain/accounts/token-account.ts';
import type { Address } from '../../../../src/shared/address.ts';
import { type NamedAccount, requireAccount } from '../anchor/accounts.ts';
import { sighash } from '../anchor/anchor-program.ts';
import { event } from '../cpi/invoke.ts';
import { createAccount, topUpRent } from '../cpi/system-program.ts';
import {
  bytesWithMetadata,
  initializeMetadata,
  initializeMetadataPointer,
  initializeMintCloseAuthority,
  POINTER_AND_CLOSE_MINT_BYTES,
} from '../cpi/token-2022.ts';
import { initializeMint, initializeTokenAccount, mintTokens } from '../cpi/token-program.ts';
import { derivedAddress } from '../derived-address.ts';
import type { Effect } from '../effects.ts';
import type { ProgramCall } from '../model.ts';
import { ammPoolAuthority, positionLayout } from './amm-accounts.ts';

const metadata = {
  name: 'Meteora Position NFT',
  symbol: 'MPN',
  uri: 'https://raw.githubusercontent.com/MeteoraAg/token-metadata/main/meteora_position_nft.png',
};

export interface PositionAccounts {
  /** The owner of the position. The creator of a pool owns its first position. */
  readonly owner: NamedAccount;
  readonly position_nft_mint: NamedAccount;
  readonly position_nft_account: NamedAccount;
  readonly pool: NamedAccount;
  readonly position: NamedAccount;
  readonly payer: NamedAccount;
}

/** Creates the mint of a position's NFT and the account that holds it. The holder owns the position. */
export function* createNftAccounts(
  call: ProgramCall,
  accounts: PositionAccounts,
): Generator<Effect, void, void> {
  const { position_nft_mint: mint, position_nft_account: account, owner, pool, payer } = accounts;
  const authority = ammPoolAuthority.address;
  yield* createAccount(call, {
    address: mint.address,
    payer: payer.address,
    owner: TOKEN_2022,
    dataBytes: POINTER_AND_CLOSE_MINT_BYTES,
  });
  yield initializeMetadataPointer(mint.address, authority, mint.address);
  yield initializeMintCloseAuthority(mint.address, authority);
  yield initializeMint(TOKEN_2022, mint.address, 0, authority, pool.address);
  const derived = derivedAddress(DAMM_V2, 'position_nft_account', bs58.decode(mint.address));
  requireAccount(account.address === derived.address, 'ConstraintSeeds', account);
  yield* createAccount(call, {
    address: account.address,
    payer: payer.address,
    owner: TOKEN_2022,
    dataBytes: TOKEN_ACCOUNT_BYTES,
    derived,
  });
  yield initializeTokenAccount(TOKEN_2022, account.address, mint.address, owner.address);
}

export function* createPositionAccount(
  call: ProgramCall,
  { position, position_nft_mint: mint, payer }: PositionAccounts,
): Generator<Effect, void, void> {
  const derived = derivedAddress(DAMM_V2, 'position', bs58.decode(mint.address));
  requireAccount(position.address === derived.address, 'ConstraintSeeds', position);
  yield* createAccount(call, {
    address: position.address,
    payer: payer.address,
    owner: DAMM_V2,
    dataBytes: POSITION_BYTES,
    derived,
  });
}

/** Fills the position, and mints the NFT with its metadata. */
export function* openPosition(
  call: ProgramCall,
  accounts: PositionAccounts,
  liquidity: bigint,
): Generator<Effect, void, void> {
  const { position, position_nft_mint: mint, position_nft_account: account, payer, pool, owner } = accounts;
  const data = new Uint8Array(POSITION_BYTES);
  data.set(sighash('account', 'Position'));
  positionLayout.write(data, {
    pool: pool.address as Address,
    nftMint: mint.address as Address,
    unlockedLiquidity: liquidity,
  });
  yield { kind: 'write', account: position.index, offset: 0, bytes: data };
  yield initializeMetadata(mint.address, ammPoolAuthority.address, ammPoolAuthority, metadata);
  const mintBytes = bytesWithMetadata(POINTER_AND_CLOSE_MINT_BYTES, metadata);
  yield* topUpRent(call, payer.address, mint.address, mintBytes);
  yield mintTokens(TOKEN_2022, mint.address, account.address, 1n, ammPoolAuthority);
  yield event(DAMM_V2, 'EvtCreatePosition', (to) =>
    to.address(pool.address, owner.address, position.address, mint.address),
  );
}
