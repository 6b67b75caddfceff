import { LRUCache } from 'lru-cache'
import { loginLimits } from '#shared/domain/limits.ts'
import { formatIpv4, parseAddress, unmapped } from '#shared/net/address.ts'

/** Counts logins per client address, in the memory of this process (contract 2.5): an IPv6 client is its /64. */
export type AddressLimit = {
  /** Counts a login. @returns 0 when it may go on; otherwise the milliseconds to wait, and it was not counted */
  count(address: string): number
  /** Takes back the count of a login that succeeded, or verified nothing. */
  refund(address: string): void
}

const windowMs = 60_000

type Window = { startedAt: number; count: number }

/**
 * @param options.now a monotonic clock in milliseconds
 * @param options.maxAddresses addresses kept; beyond it the one whose minute began first is dropped
 */
export function createAddressLimit(options: { now(): number; maxAddresses: number }): AddressLimit {
  const { now, maxAddresses } = options
  // Read by `peek`, which keeps them in the order in which their minutes began.
  const windows = new LRUCache<string, Window>({ max: maxAddresses })

  return {
    count(address) {
      const key = clientKey(address)
      const window = windows.peek(key)
      const at = now()
      if (!window || at - window.startedAt >= windowMs) {
        windows.set(key, { startedAt: at, count: 1 })
        return 0
      }
      if (window.count >= loginLimits.perAddressAndMinute) return window.startedAt + windowMs - at
      window.count++
      return 0
    },
    refund(address) {
      const window = windows.peek(clientKey(address))
      if (window) window.count--
    },
  }
}

/** An IPv6 client can choose the lower half of its address. All IPv4-mapped addresses are one /64, so they count as IPv4. */
function clientKey(text: string): string {
  const parsed = parseAddress(text)
  if (parsed === null) return text
  const { family, value } = unmapped(parsed)
  return family === 6 ? `${(value >> 64n).toString(16)}::/64` : formatIpv4(value)
}
