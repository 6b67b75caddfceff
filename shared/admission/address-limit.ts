import { formatIpv4, parseAddress, unmapped } from '#shared/net/address.ts'
import { createMinuteLimit, type MinuteLimit, type MinuteLimitOptions } from './minute-limit.ts'

/** Counts actions per minute and client address (contract 2.5). An IPv6 client is counted by its /64. */
export function createAddressLimit(options: MinuteLimitOptions): MinuteLimit {
  const limit = createMinuteLimit(options)
  return {
    count: (address) => limit.count(clientKey(address)),
    refund: (address) => limit.refund(clientKey(address)),
  }
}

/** An IPv6 client can choose the lower half of its address. All IPv4-mapped addresses are one /64, so they count as IPv4. */
function clientKey(text: string): string {
  const parsed = parseAddress(text)
  if (parsed === null) return text
  const { family, value } = unmapped(parsed)
  return family === 6 ? `${(value >> 64n).toString(16)}::/64` : formatIpv4(value)
}
