import type { Variable } from '../shared/configuration.ts';
import { LAUNCH_CONFIG_PATTERN, type NamedConfigAddress } from '../shared/launch-config-name.ts';
import type { WrittenAddress, WrittenTipAccount } from '../shared/node-address.ts';
import { type NonceGateAddress, nonceGates } from '../shared/nonce-gates.ts';
import { secretParts } from '../shared/redact.ts';
import { address, required, url } from './values.ts';

/** A name in front of a URL, with or without a mark. A query of a plain URL may hold `=` as well. */
const NAMED = /^(?!https?:\/\/)([^=]*)=(.*)$/is;
const NAME = /^[a-z0-9](?:[a-z0-9.-]{0,38}[a-z0-9])?$/;
/** What an address can be marked as. Neither is a name, because it would look like a mark without being one. */
const MARKS = ['own', 'protected'] as const;
type Mark = (typeof MARKS)[number];

/** Comma-separated addresses of the chain: `URL`, `name=URL`, or `name:mark=URL`. */
export function nodeAddresses(variable: string, mark: Mark): Variable<readonly WrittenAddress[]> {
  const { parse } = url(variable, ['http:', 'https:']);
  return required(variable, (value) => {
    const addresses = value.split(',').map((entry) => parseEntry(entry.trim(), parse, mark));
    const names = addresses.flatMap(({ name }) => (name === null ? [] : [name]));
    if (new Set(names).size < names.length) throw new Error('must give each address another name');
    return addresses;
  });
}

/** No message shows a name, because a key may have been put in its place. */
function parseEntry(entry: string, parseUrl: (text: string) => string, mark: Mark): WrittenAddress {
  const [, label, written = entry] = NAMED.exec(entry) ?? [];
  const parsed = parseUrl(written);
  if (label === undefined) return { name: null, url: parsed, isProtected: false };
  const [name = '', given, ...others] = label.split(':');
  if (!NAME.test(name) || others.length > 0)
    throw new Error('must name addresses with 1 to 40 lowercase letters, digits, dots and hyphens');
  if (MARKS.some((reserved) => reserved === name))
    throw new Error(`must name no address ${name}: a mark follows a name, as in name:${mark}=URL`);
  if (secretParts(parsed).some((secret) => secret.toLowerCase() === name))
    throw new Error('must name no address by its key');
  if (given !== undefined && given !== mark)
    throw new Error(`must mark addresses only as ${mark}, as in name:${mark}=URL`);
  return {
    name,
    url: parsed,
    isProtected: given === 'protected',
    ...(given === 'own' && { isOwn: true }),
  };
}

/** Comma-separated accounts: `account`, or `service=account`. */
export function tipAccounts(variable: string): Variable<readonly WrittenTipAccount[]> {
  const { parse } = address(variable);
  return required(variable, (value) =>
    value.split(',').map((entry) => {
      const [, service = null, account = entry] = NAMED.exec(entry.trim()) ?? [];
      return { service, address: parse(account.trim()) };
    }),
  );
}

const CONFIGS_MAX = 20;

/** Comma-separated accounts with their names, `name=account`. The first one is the default. */
export function launchConfigs(variable: string): Variable<readonly NamedConfigAddress[]> {
  const { parse } = address(variable);
  return required(variable, (value) => {
    const configs = value.split(',').map((entry) => {
      const [name = '', account, ...others] = entry.trim().split('=');
      if (account === undefined || others.length > 0 || !LAUNCH_CONFIG_PATTERN.test(name))
        throw new Error(
          'must be name=address, comma-separated, with names of 1 to 32 lowercase letters, digits and hyphens',
        );
      return { name, address: parse(account) };
    });
    if (new Set(configs.map(({ name }) => name)).size < configs.length)
      throw new Error('must give each config another name');
    if (configs.length > CONFIGS_MAX) throw new Error(`must name at most ${CONFIGS_MAX} configs`);
    return configs;
  });
}

/** Comma-separated feature accounts, `gate=address`, each gate and each address at most once. */
export function nonceGateAddresses(variable: string): Variable<readonly NonceGateAddress[]> {
  const { parse } = address(variable);
  return required(variable, (value) => {
    const gates = value.split(',').map((entry) => {
      const [name, account, ...others] = entry.trim().split('=');
      const gate = nonceGates.find((one) => one === name);
      if (gate === undefined || account === undefined || others.length > 0)
        throw new Error(`must be gate=address, comma-separated, with the gates ${nonceGates.join(' and ')}`);
      return { gate, address: parse(account) };
    });
    for (const key of ['gate', 'address'] as const)
      if (new Set(gates.map((one) => one[key])).size < gates.length)
        throw new Error(`must name each ${key} once`);
    return gates;
  });
}

/** As for URLs alone. */
export function addressSecrets(value: string): string[] {
  return value.split(',').flatMap((entry) => secretParts(NAMED.exec(entry.trim())?.[2] ?? entry));
}
