import { parseCidrs } from '#shared/net/cidr.ts'
import { isInNetworks } from '#shared/net/public-address.ts'

/** Whether the host of a URL is this machine or in a private network, as far as its name shows. */
export function isNearHost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || isInNetworks(host, nearNetworks)
}

const nearNetworks = parseCidrs('near networks', [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16', // link-local
  '::1/128',
  'fc00::/7', // private
  'fe80::/10', // link-local
])
