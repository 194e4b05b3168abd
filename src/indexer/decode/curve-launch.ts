import { DISCRIMINATOR_BYTES } from '../../chain/anchor-discriminator.ts';
import { BodyReader, readOrNull } from './body-reader.ts';
import { instructionBytes, instructionNames } from './discriminators.ts';
import type { EmittedEvent } from './emitted-events.ts';

/** The facts of a curve in the transaction that opens it. The mint and the config account hold the rest. */
export interface CurveLaunch {
  poolAddress: string;
  mintAddress: string;
  quoteMintAddress: string;
  configAddress: string;
  creator: string;
  payer: string;
  name: string;
  symbol: string;
  uri: string;
  tokenProgram: string;
  baseVault: string;
  quoteVault: string;
  /** With Token-2022 this is the mint itself. */
  metadataAddress: string;
  activationPoint: bigint;
}

/** Indexes of the accounts whose index differs between the instructions. */
const accountIndexes = {
  initialize_virtual_pool_with_spl_token: { metadata: 8, payer: 10, tokenProgram: 12 },
  initialize_virtual_pool_with_token2022: { metadata: 3, payer: 8, tokenProgram: 10 },
  initialize_virtual_pool_with_token2022_transfer_hook: { metadata: 3, payer: 9, tokenProgram: 11 },
} as const;
/** Indexes that are the same in all of them. */
const sharedIndexes = { quoteMint: 4, pool: 5, baseVault: 6, quoteVault: 7 } as const;
const launchInstructions = instructionNames([
  'initialize_virtual_pool_with_spl_token',
  'initialize_virtual_pool_with_token2022',
  'initialize_virtual_pool_with_token2022_transfer_hook',
]);

/**
 * Reads the curve's `EvtInitializePool` together with the instruction that emitted it. Null when the two do
 * not belong together.
 */
export function readCurveLaunch(event: EmittedEvent): CurveLaunch | null {
  return readOrNull(() => launchOf(event));
}

function launchOf({ body, emitter, emitterDiscriminator }: EmittedEvent): CurveLaunch {
  const instruction = launchInstructions.get(emitterDiscriminator);
  if (instruction === undefined) throw new RangeError('the instruction opens no curve');
  const account = (index: number): string => {
    const address = emitter.accounts[index];
    if (address === undefined) throw new RangeError('the instruction has too few accounts');
    return address;
  };
  const reader = new BodyReader(body);
  const poolAddress = reader.address();
  if (account(sharedIndexes.pool) !== poolAddress) throw new RangeError('the event is of another pool');
  const [configAddress, creator, mintAddress] = [reader.address(), reader.address(), reader.address()];
  reader.skip(1); // pool_type
  const activationPoint = reader.u64();
  const indexes = accountIndexes[instruction];
  return {
    poolAddress,
    mintAddress,
    quoteMintAddress: account(sharedIndexes.quoteMint),
    configAddress,
    creator,
    payer: account(indexes.payer),
    ...readArguments(instructionBytes(emitter.data)),
    tokenProgram: account(indexes.tokenProgram),
    baseVault: account(sharedIndexes.baseVault),
    quoteVault: account(sharedIndexes.quoteVault),
    metadataAddress: account(indexes.metadata),
    activationPoint,
  };
}

function readArguments(data: Uint8Array): Pick<CurveLaunch, 'name' | 'symbol' | 'uri'> {
  const reader = new BodyReader(data);
  reader.skip(DISCRIMINATOR_BYTES);
  return { name: reader.text(), symbol: reader.text(), uri: reader.text() };
}
