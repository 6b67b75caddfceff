import { loginLimits } from '#shared/domain/limits.ts'
import { parseAddress } from '#shared/net/address.ts'

/** Counts logins per client address, in the memory of this process (contract 2.5): an IPv6 client is its /64. */
export type AddressLimit = {
  /** Counts one. @returns milliseconds to wait, then it was not counted; 0 when the login may go on */
  count(address: string): number
  /** A login that succeeded does not count. */
  refund(address: string): void
}

const windowMs = 60_000

type Window = { startedAt: number; count: number }

/**
 * @param options.now a clock in milliseconds that nobody sets
 * @param options.maxAddresses addresses kept; past it the one whose minute began first is forgotten
 */
export function createAddressLimit(options: { now(): number; maxAddresses: number }): AddressLimit {
  const { now, maxAddresses } = options
  // In the order in which their minutes began.
  const windows = new Map<string, Window>()

  function begin(key: string, startedAt: number): void {
    windows.delete(key)
    windows.set(key, { startedAt, count: 1 })
    const [oldest] = windows.keys()
    if (windows.size > maxAddresses && oldest !== undefined) windows.delete(oldest)
  }

  return {
    count(address) {
      const key = clientKey(address)
      const window = windows.get(key)
      const present = now()
      if (!window || present - window.startedAt >= windowMs) {
        begin(key, present)
        return 0
      }
      if (window.count >= loginLimits.perAddressAndMinute) return window.startedAt + windowMs - present
      window.count++
      return 0
    },
    refund(address) {
      const window = windows.get(clientKey(address))
      if (window) window.count--
    },
  }
}

/** A client with IPv6 chooses the lower half of its address as it likes. */
function clientKey(text: string): string {
  const address = parseAddress(text)
  return address?.family === 6 ? `${(address.value >> 64n).toString(16)}::/64` : text
}
