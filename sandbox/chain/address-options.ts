import { type Faults, faultsProblem } from './faults.ts';
import type { AddressOptions, LandingServiceOptions } from './server.ts';

/** An option of the command line cannot be used. The message is a whole sentence. */
export class OptionRefused extends Error {}

/** Reads `--node name=far,port=8901,latencyMs=80,lagSlots=2`. Throws OptionRefused. */
export function readNode(text: string): AddressOptions {
  const fields = fieldsOf('--node', text);
  return { ...addressOf('--node', text, fields), faults: faultsOf('--node', fields) };
}

/**
 * Reads `--landing-service name=fast,port=8902,minTipLamports=10000,withoutTip=drop,delaySlots=1`. Throws
 * OptionRefused.
 */
export function readLandingService(text: string): LandingServiceOptions {
  const option = '--landing-service';
  const fields = fieldsOf(option, text);
  const address = addressOf(option, text, fields);
  const minTipLamports = fields.get('minTipLamports');
  const withoutTip = fields.get('withoutTip') ?? 'refuse';
  fields.delete('minTipLamports');
  fields.delete('withoutTip');
  if (withoutTip !== 'refuse' && withoutTip !== 'drop')
    throw new OptionRefused(`${option}: withoutTip is refuse or drop.`);
  return {
    ...address,
    withoutTip,
    ...(minTipLamports === undefined ? {} : { minTipLamports: integerOf(option, minTipLamports) }),
    faults: faultsOf(option, fields),
  };
}

function fieldsOf(option: string, text: string): Map<string, string> {
  return new Map(
    text.split(',').map((field): [string, string] => {
      const at = field.indexOf('=');
      if (at < 1) throw new OptionRefused(`${option}: ${field} is not key=value.`);
      return [field.slice(0, at), field.slice(at + 1)];
    }),
  );
}

/** Takes `name` and `port` out of the fields. */
function addressOf(option: string, text: string, fields: Map<string, string>): AddressOptions {
  const name = fields.get('name');
  if (name === undefined) throw new OptionRefused(`${option}: ${text} has no name=.`);
  const port = integerOf(option, fields.get('port') ?? '0');
  fields.delete('name');
  fields.delete('port');
  return { name, port };
}

/** The faults whose values are numbers, such as `lagSlots`. */
function faultsOf(option: string, fields: ReadonlyMap<string, string>): Faults {
  const faults = Object.fromEntries([...fields].map(([name, value]) => [name, integerOf(option, value)]));
  const problem = faultsProblem(faults);
  if (problem !== null) throw new OptionRefused(`${option}: ${problem}.`);
  return faults;
}

function integerOf(option: string, text: string): number {
  const value = Number(text);
  if (text === '' || !Number.isSafeInteger(value) || value < 0)
    throw new OptionRefused(`${option}: ${text} is no whole number.`);
  return value;
}
