/**
 * Addresses that webhooks never reach: every entry of the IANA special-purpose registries (also the globally
 * reachable ones), multicast, and cloud-platform addresses inside public space. First match names the reason.
 * Sources: iana.org/assignments/iana-ipv4-special-registry and -ipv6-special-registry.
 */
export const specialIpv4Ranges: readonly (readonly [cidr: string, name: string])[] = [
  ['0.0.0.0/8', 'this network'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'carrier-grade NAT'],
  ['127.0.0.0/8', 'loopback'],
  ['168.63.129.16/32', 'cloud platform'],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'IETF protocol assignments'],
  ['192.0.2.0/24', 'documentation'],
  ['192.31.196.0/24', 'AS112'],
  ['192.52.193.0/24', 'AMT'],
  ['192.88.99.0/24', '6to4 relay'],
  ['192.168.0.0/16', 'private'],
  ['192.175.48.0/24', 'AS112'],
  ['198.18.0.0/15', 'benchmarking'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['255.255.255.255/32', 'broadcast'],
  ['240.0.0.0/4', 'reserved'],
];

/** The only IPv6 block that IANA hands out as global unicast; everything else is denied. */
export const GLOBAL_UNICAST_IPV6 = '2000::/3';

export const specialIpv6Ranges: readonly (readonly [cidr: string, name: string])[] = [
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['::/96', 'IPv4-compatible'],
  ['64:ff9b::/96', 'NAT64'],
  ['64:ff9b:1::/48', 'NAT64'],
  ['100::/64', 'discard-only'],
  ['100:0:0:1::/64', 'dummy prefix'],
  ['2001::/32', 'Teredo'],
  ['2001::/23', 'IETF protocol assignments'],
  ['2001:db8::/32', 'documentation'],
  ['2002::/16', '6to4'],
  ['2620:4f:8000::/48', 'AS112'],
  ['3fff::/20', 'documentation'],
  ['5f00::/16', 'segment routing'],
  ['fc00::/7', 'unique local'],
  ['fe80::/10', 'link-local'],
  ['fec0::/10', 'site-local'],
  ['ff00::/8', 'multicast'],
];

/**
 * IPv6 forms that carry an IPv4 address: where its 4 bytes start, and whether they are inverted. An address
 * in one of these ranges is denied; the hidden address only makes the reason precise.
 */
export const ipv4Carriers: readonly { cidr: string; name: string; offset: number; inverted: boolean }[] = [
  { cidr: '::/96', name: 'IPv4-compatible', offset: 12, inverted: false },
  { cidr: '64:ff9b::/96', name: 'NAT64', offset: 12, inverted: false },
  { cidr: '2002::/16', name: '6to4', offset: 2, inverted: false },
  { cidr: '2001::/32', name: 'Teredo', offset: 12, inverted: true },
];
