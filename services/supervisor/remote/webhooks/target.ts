import { isNearHost } from '../near-host.ts'

/**
 * The target of forwarded deliveries. They hold item data, so unencrypted targets must be on this machine or in a private network.
 * @throws Error with a sentence for anything else
 */
export function readTarget(text: string): string {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== url.origin + url.pathname + url.search) {
    throw new Error('--to must be an address such as http://localhost:3000/hook, without a user or fragment.')
  }
  if (url.protocol === 'https:' || isNearHost(url.hostname)) return url.href
  throw new Error(
    '--to would send deliveries unencrypted over other networks; use https, or an address of this machine or of a private network.',
  )
}
