import { figure, tokens } from './figures.js';

/** The terms of a launch config, as a creator reads them: a label and a text each. */
export function termsInWords({ terms, cost }) {
  const { tradingFee, migration, liquidity } = terms;
  return {
    'Market cap': `starts at ${figure(terms.startingMarketCapInSol)} SOL, graduates at ${figure(terms.graduationMarketCapInSol)} SOL`,
    'To raise': `${figure(terms.raiseInSol)} SOL, then it moves to ${venue(migration.venue)} with a fee of ${figure(migration.feePercent)} %`,
    'Trading fee': `${fee(tradingFee)}; ${figure(tradingFee.shares.creatorPercent)} % of it is the creator's`,
    Supply: `${tokens(terms.token.totalSupply)}, of which the curve sells ${tokens(terms.curveSupply)}`,
    Vesting: terms.vesting === null ? 'none' : 'a part is locked for the creator',
    Liquidity: `${liquidity.creatorLockedPercent + liquidity.partnerLockedPercent} % locked for ever`,
    Network: cost === null ? 'unknown now' : `${sol(cost.totalLamports)} SOL`,
  };
}

/** Lamports as SOL, rounded for the eye. */
export function sol(lamports) {
  return figure(String(Number(lamports) / 1e9));
}

function venue(name) {
  return name.replace('damm_', 'DAMM ');
}

function fee({ startPercent, endPercent, duration, unit }) {
  if (startPercent === endPercent) return `${figure(startPercent)} %`;
  const time = unit === 'seconds' ? `${Math.round(Number(duration) / 60)} minutes` : `${duration} slots`;
  return `${figure(startPercent)} %, becoming ${figure(endPercent)} % within ${time}`;
}
