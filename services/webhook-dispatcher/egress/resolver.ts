import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { withTimeLimit } from '#shared/time/time-limit.ts'

/** All addresses of a name; empty when there are none. Gives up when the signal aborts. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<string[]>

/** `queryTimeoutMs`: how long a server may take for one answer. */
type ResolveOptions = { servers?: readonly string[]; hostsFile?: string; queryTimeoutMs?: number }

const queryTries = 2

/** How long to wait for the other address family after one has answered: servers that never answer AAAA are common. */
const otherFamilyMs = 250

/**
 * Resolves names as the operating system would (hosts file, then DNS), but without `dns.lookup`, which shares a thread
 * pool with the database and file access and cannot be cancelled. IPv4 addresses come first. `servers` replace those of
 * the operating system.
 */
export function createResolve(options: ResolveOptions = {}): Resolve {
  const { servers, hostsFile = '/etc/hosts', queryTimeoutMs = 2_000 } = options
  return async (name, signal) => {
    const fixed = addressesInHosts(await readFile(hostsFile, 'utf8').catch(() => ''), name)
    if (fixed.length > 0 || signal.aborted) return fixed
    const resolver = new Resolver({ timeout: queryTimeoutMs, tries: queryTries })
    if (servers) resolver.setServers(servers)
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      return await bothFamilies(resolver, name)
    } finally {
      signal.removeEventListener('abort', cancel)
      resolver.cancel()
    }
  }
}

/** The addresses a hosts file (hosts(5)) gives a name. Names compare without case. */
function addressesInHosts(text: string, name: string): string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim().split(/\s+/))
    .filter(([, ...names]) => names.some((each) => each.toLowerCase() === name.toLowerCase()))
    .map(([address = '']) => address)
}

async function bothFamilies(resolver: Resolver, name: string): Promise<string[]> {
  const found: { 4: string[]; 6: string[] } = { 4: [], 6: [] }
  const lookups = [
    resolver.resolve4(name).then((addresses) => void found[4].push(...addresses)),
    resolver.resolve6(name).then((addresses) => void found[6].push(...addresses)),
  ]
  const settled = Promise.allSettled(lookups)
  await Promise.any(lookups).catch(() => undefined)
  await withTimeLimit(settled, otherFamilyMs, () => {})
  return [...found[4], ...found[6]]
}
