import { stat } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import type { Config } from '#shared/config/load.ts'
import { type Check, type CheckResult, note, ok } from './check.ts'
import { isLoopback } from './database/database-health.ts'
import { answersHealth } from './ports.ts'

/** Whether passwords and tokens can be read on the network, and whether the gateway can distinguish its clients. */
export const exposure: Check = {
  name: 'public address',
  async run({ config: { gateway }, running }) {
    const open = running && isLoopback(gateway.host) ? await findOpenAddress(gateway.port) : null
    return checkExposure({ ...gateway, ...(open !== null && { host: open }) })
  },
}

/** An address at which other machines reach the running gateway: an option of its start may open more than the settings do. */
async function findOpenAddress(port: number): Promise<string | null> {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  // An address with a scope is reachable only through its interface.
  const outer = all.filter(({ internal, scopeid }) => !internal && !scopeid).map(({ address }) => address)
  const answers = await Promise.all(outer.map((address) => answersHealth(port, address)))
  return outer.find((_, n) => answers[n]) ?? null
}

export function checkExposure({
  host,
  publicUrl,
  trustedProxies,
}: Pick<Config['gateway'], 'host' | 'publicUrl' | 'trustedProxies'>): CheckResult {
  const { protocol, hostname } = new URL(publicUrl)
  if (isLoopback(hostname) && isLoopback(host)) return ok(`${publicUrl}, reachable only from this machine`)
  if (isLoopback(hostname)) {
    return note(
      `${publicUrl}, but the gateway listens on ${host}: other machines may reach it, and what they send is not encrypted`,
      'set LISTD_GATEWAY_HOST=127.0.0.1 and start without --host, or put a TLS proxy in front of it and set LISTD_GATEWAY_PUBLIC_URL to the https address',
    )
  }
  if (protocol === 'http:') {
    return note(
      `${publicUrl}: clients send passwords and tokens unencrypted`,
      'put a TLS proxy in front of it, and set LISTD_GATEWAY_PUBLIC_URL to the https address',
    )
  }
  if (trustedProxies.length > 0) return ok(publicUrl)
  return note(
    `${publicUrl}: no proxy is trusted, so all clients appear with the proxy's address, and share its limits`,
    'set LISTD_GATEWAY_TRUSTED_PROXIES to the addresses of the proxy',
  )
}

/** Files of secrets and settings outside the data directory. */
export const secretFiles: Check = {
  name: 'secret files',
  async run({ files }): Promise<CheckResult[]> {
    const open: string[] = []
    for (const path of files) if (((await stat(path).catch(() => null))?.mode ?? 0) & 0o007) open.push(path)
    if (open.length > 0)
      return [note(`every user of this machine may read ${open.join(', ')}`, `run "chmod o= ${open.join(' ')}"`)]
    return files.length === 0 ? [] : [ok(`only their owners may read ${files.join(', ')}`)]
  },
}
