import { SPL_TOKEN, SYSTEM_PROGRAM, WRAPPED_SOL_MINT } from '../../chain/accounts/programs.ts';
import {
  type CurrentReadDependencies,
  firstCurrentResponse,
} from '../../chain/node-trust/first-current-response.ts';
import type { KnownCurveConfig } from '../../chain/pools/curve/config-source.ts';
import { launchSupplyRaw } from '../../chain/pools/curve/launch-supply.ts';
import { getAccounts } from '../../chain/rpc/account-calls.ts';
import {
  type BuildDependencies,
  type BuiltTransaction,
  buildTransaction,
} from '../../chain/transactions/build-transaction.ts';
import type { Instruction } from '../../chain/transactions/instruction.ts';
import type { NewPool } from '../../chain/transactions/launch-instruction.ts';
import { boundedPrice, priceOf } from '../../chain/transactions/priority.ts';
import { createThrowawaySigner } from '../../chain/transactions/throwaway-signer.ts';
import { type Tip, tipInstructions } from '../../chain/transactions/tip.ts';
import { associatedAccount } from '../../chain/transactions/token-instructions.ts';
import type { ComposedIntent, IntentKeeper } from '../../intents/composed-intent.ts';
import { composeSimulated } from '../../intents/prepare/compose-simulated.ts';
import { atNodesOf, type SendingDependencies, type SendingOrder, takeTip } from '../../intents/sending.ts';
import type { Sending } from '../../intents/sending-schema.ts';
import { rawToDecimal } from '../../shared/decimal.ts';
import { accountClient } from '../../shared/gate.ts';
import { imageAddress, referencedImage } from '../../shared/image-address.ts';
import { Problem } from '../../shared/problem.ts';
import { timedId } from '../../shared/timed-id.ts';
import { chooseConfig, type LaunchConfigs, readConfig } from './configs/launch-configs.ts';
import { firstBuyTerms, type RequestedBuy } from './first-buy-terms.ts';
import { findLaunchShortfall, type LaunchFundsDependencies, type LaunchNeeds } from './launch-funds.ts';
import { launchInstructions, launchPrograms, newPoolOf } from './launch-plan.ts';
import { metadataUrl } from './metadata-document.ts';
import { readLaunchRefusal, refusedLaunch } from './refusals.ts';
import type { FirstBuy } from './schema.ts';
import { type LaunchTexts, type RequestedTexts, readTexts } from './texts.ts';

export interface PreparationDependencies
  extends BuildDependencies,
    SendingDependencies,
    LaunchFundsDependencies {
  launchConfigs: LaunchConfigs;
  publicUrl: string;
  /** Whether an uploaded image has this hash; passed in, because images belong to another feature. */
  isImageKnown(hash: string): Promise<boolean>;
  intentKeeper: IntentKeeper;
}

export interface LaunchRequest {
  accountId: string;
  creatorWallet: string;
  /** Null for the default. */
  configName: string | null;
  texts: RequestedTexts;
  initialBuy: RequestedBuy | null;
  sending: SendingOrder;
}

/** A launch that is ready to be stored. */
export interface PreparedLaunch {
  launchId: string;
  accountId: string;
  creatorWallet: string;
  texts: LaunchTexts;
  mintAddress: string;
  configName: string;
  configAddress: string;
  poolAddress: string;
  metadataUrl: string;
  decimals: number;
  /** DecimalString. */
  totalSupply: string;
  initialBuy: FirstBuy | null;
  sending: Sending;
  intent: ComposedIntent;
}

const INTENT_KIND = 'launch';
/** Unit limit of a simulation: about four times the units of a launch. */
const MEASURED_WITH_UNITS = 800_000;
const TIMEOUT_MS = 3_000;

/**
 * Makes the mint and the simulated transaction, or returns the problem that prevents it. Runs before the
 * database transaction opens, also for an attempt in parallel with the first, so it never throws a problem.
 */
export async function prepareLaunch(
  request: LaunchRequest,
  dependencies: PreparationDependencies,
): Promise<PreparedLaunch | Problem> {
  const terms = await readTerms(request, dependencies);
  if (terms instanceof Problem) return terms;
  const { texts, tip, configName, known, initialBuy } = terms;
  const { creatorWallet, accountId, sending } = request;
  const mint = createThrowawaySigner();
  const pool = await newPoolOf(known, mint.address);
  const url = metadataUrl(dependencies.publicUrl, mint.address);
  const launching = await instructionsOf(
    pool,
    creatorWallet,
    { ...texts, uri: url },
    initialBuy,
    dependencies,
  );
  if (launching instanceof Problem) return launching;
  const instructions = [...launching, ...tipInstructions(creatorWallet, tip)];
  const built = await buildLaunch(
    instructions,
    {
      pool,
      creator: creatorWallet,
      textBytes: Buffer.byteLength(texts.name + texts.symbol + url),
      poolCreationFee: known.config.poolCreationFee,
      buyLamports: initialBuy && BigInt(initialBuy.amountRaw),
      tipLamports: tip?.lamports ?? 0n,
    },
    { accountId, sending },
    atNodesOf(sending, dependencies),
  );
  if (built instanceof Problem) return built;
  const launchId = timedId(dependencies.clock.now());
  const signed = { ...built, transaction: mint.sign(built.transaction) };
  const composed = composeSimulated(dependencies, signed, {
    accountId,
    kind: INTENT_KIND,
    wallet: creatorWallet,
    launchId,
    sending,
    tip,
    allowedPrograms: launchPrograms,
    mintAddress: mint.address,
  });
  const { tokenDecimal: decimals } = known.config;
  return {
    launchId,
    accountId,
    creatorWallet,
    texts,
    mintAddress: mint.address,
    configName,
    configAddress: known.address,
    poolAddress: pool.pool,
    metadataUrl: url,
    decimals,
    totalSupply: rawToDecimal(launchSupplyRaw(known.config), decimals),
    initialBuy,
    ...composed,
  };
}

/** What a request asks for, as far as no mint is needed. */
interface LaunchTerms {
  texts: LaunchTexts;
  tip: Tip | null;
  configName: string;
  known: KnownCurveConfig;
  initialBuy: FirstBuy | null;
}

async function readTerms(
  request: LaunchRequest,
  dependencies: PreparationDependencies,
): Promise<LaunchTerms | Problem> {
  const texts = await checkTexts(request.texts, dependencies);
  if (texts instanceof Problem) return texts;
  const tip = takeTip(request.sending, dependencies);
  if (tip instanceof Problem) return tip;
  const chosen = chooseConfig(dependencies.launchConfigs, request.configName);
  if (chosen instanceof Problem) return chosen;
  const known = await readConfig(chosen);
  if (known instanceof Problem) return known;
  const initialBuy = request.initialBuy && firstBuyTerms(known.config, request.initialBuy);
  if (initialBuy instanceof Problem) return initialBuy;
  return { texts, tip, configName: chosen.name, known, initialBuy };
}

/** The texts with the address of the picture, also of one that was uploaded (contract/images#reference). */
async function checkTexts(
  requested: RequestedTexts,
  { publicUrl, isImageKnown }: PreparationDependencies,
): Promise<LaunchTexts | Problem> {
  const hash = referencedImage(requested.imageUrl ?? '');
  const texts = readTexts(hash === null ? requested : { ...requested, imageUrl: null });
  if ('errors' in texts) return new Problem('validation_failed', { errors: texts.errors });
  if (hash === null) return texts;
  if (await isImageKnown(hash)) return { ...texts, imageUrl: imageAddress(publicUrl, hash) };
  const message = 'must name an image that was uploaded to this deployment';
  return new Problem('validation_failed', {
    errors: [{ path: '/body/imageUrl', code: 'invalid_value', message }],
  });
}

async function instructionsOf(
  pool: NewPool,
  creator: string,
  { name, symbol, uri }: LaunchTexts & { uri: string },
  initialBuy: FirstBuy | null,
  nodes: CurrentReadDependencies,
): Promise<Instruction[] | Problem> {
  const texts = { name, symbol, uri };
  if (initialBuy === null) return launchInstructions(pool, creator, texts, null);
  const wrapped = await associatedAccount(creator, WRAPPED_SOL_MINT, SPL_TOKEN);
  const response = await firstCurrentResponse(nodes, (rpc, minContextSlot) =>
    getAccounts(rpc, [wrapped.address], TIMEOUT_MS, minContextSlot),
  );
  if (!response.ok) return chainUnavailable(response.failure.message);
  // An address that only holds SOL has no account of the token program: the launch opens one, and closes it.
  const { owner } = response.value.accounts.get(wrapped.address) ?? { owner: SYSTEM_PROGRAM };
  return launchInstructions(pool, creator, texts, {
    lamports: BigInt(initialBuy.amountRaw),
    minimumOutRaw: BigInt(initialBuy.minimumOutRaw),
    wrapped,
    wrappedExists: owner !== SYSTEM_PROGRAM,
  });
}

/** Builds and simulates the transaction, or returns the problem with what the wallet lacks. */
async function buildLaunch(
  instructions: readonly Instruction[],
  terms: Omit<LaunchNeeds, 'computeUnits' | 'computeUnitPrice'>,
  { accountId, sending: { priority } }: { accountId: string; sending: SendingOrder },
  dependencies: PreparationDependencies,
): Promise<BuiltTransaction | Problem> {
  const { creator } = terms;
  const computeUnits = MEASURED_WITH_UNITS;
  const priced = {
    computeUnitLimit: computeUnits,
    computeUnitPrice: await priceOf(priority, [creator], dependencies),
    priorityLamportsMax: priority.lamportsMax,
  };
  const build = await buildTransaction(
    dependencies,
    { version: 'v0', feePayer: creator, instructions, ...priced },
    { place: dependencies.swapGate.of(accountClient(accountId)) },
  );
  if (build.outcome === 'built') return build;
  if (build.outcome === 'unknown')
    return chainUnavailable(build.failure?.message ?? 'no node gives a blockhash that can be used');
  const refusal = readLaunchRefusal(build.failure);
  if (refusal.reason !== 'insufficient_funds') return refusedLaunch(refusal, null);
  // Read only for a refused launch, so that other launches do not wait for it.
  const costs = { ...terms, computeUnits, computeUnitPrice: boundedPrice(priced) };
  return refusedLaunch(refusal, await findLaunchShortfall(dependencies, costs));
}

function chainUnavailable(reason: string): Problem {
  return new Problem('chain_unavailable', { cause: new Error(reason) });
}
