import { dammV1MigrationAddress, programAuthorities } from '../accounts/derived-addresses.ts';
import { BONDING_CURVE } from '../accounts/programs.ts';
import { type Instruction, readonly, signer, writable } from './instruction.ts';

// sha256('global:transfer_pool_creator')[..8]
const TRANSFER_POOL_CREATOR = Buffer.from('1407a9213a93a621', 'hex');

/**
 * Gives the rights of a pool's creator, with the creator's unclaimed fees on the curve, to another wallet. The
 * creator signs; the other wallet does not. The last account counts only for pools that migrated to DAMM v1.
 */
export async function transferPoolCreator(
  { address, config }: { address: string; config: string },
  creator: string,
  newCreator: string,
): Promise<Instruction> {
  const { eventAuthority } = await programAuthorities(BONDING_CURVE);
  const accounts = [
    writable(address),
    readonly(config),
    signer(creator),
    readonly(newCreator),
    readonly(eventAuthority),
    readonly(BONDING_CURVE),
    readonly(await dammV1MigrationAddress(address)),
  ];
  return { program: BONDING_CURVE, accounts, data: TRANSFER_POOL_CREATOR };
}
