import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';

/** Ranges of addresses that belong to this machine or to the caller's own network. */
const OWN = new Set(['loopback', 'private', 'linkLocal', 'uniqueLocal', 'carrierGradeNat']);

export type OwnAddress = { address: string } | { refused: string };

/**
 * The address behind a host name, looked up once, so that the load goes where the check looked. Refused when one of
 * its addresses is public, unless that is allowed: load on somebody else's server is an attack.
 */
export async function ownAddress(hostname: string, mayBePublic: boolean): Promise<OwnAddress> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const addresses = ipaddr.isValid(host)
    ? [host]
    : (await lookup(host, { all: true })).map(({ address }) => address);
  const foreign = addresses.find((address) => !OWN.has(ipaddr.process(address).range()));
  if (foreign !== undefined && !mayBePublic)
    return {
      refused: `${hostname} has the public address ${foreign}: --public allows it, for servers of your own`,
    };
  const [address] = addresses;
  return address === undefined ? { refused: `${hostname} has no address` } : { address };
}
