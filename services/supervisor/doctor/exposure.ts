import { stat } from 'node:fs/promises'
import type { Config } from '#shared/config/load.ts'
import { type Check, type CheckResult, note, ok } from './check.ts'
import { isLoopback } from './database-health.ts'

/** Whether passwords and tokens can be read on their way to the gateway, and whether it can tell its clients apart. */
export const exposure: Check = {
  name: 'public address',
  run: async ({ config }) => checkExposure(config.gateway),
}

export function checkExposure({
  host,
  publicUrl,
  trustedProxies,
}: Pick<Config['gateway'], 'host' | 'publicUrl' | 'trustedProxies'>): CheckResult {
  const { protocol, hostname } = new URL(publicUrl)
  if (isLoopback(hostname) && isLoopback(host)) return ok(`${publicUrl}, which only this machine reaches`)
  if (isLoopback(hostname)) {
    return note(
      `${publicUrl}, but the gateway listens on ${host}: other machines may reach it, and what they send is not encrypted`,
      'set LISTD_GATEWAY_HOST=127.0.0.1, or put a proxy with TLS before it and set LISTD_GATEWAY_PUBLIC_URL to the https address',
    )
  }
  if (protocol === 'http:') {
    return note(
      `${publicUrl}: passwords and tokens of clients are not encrypted on their way`,
      'put a proxy with TLS before it, and set LISTD_GATEWAY_PUBLIC_URL to the https address',
    )
  }
  if (trustedProxies.length > 0) return ok(publicUrl)
  return note(
    `${publicUrl}: no proxy is trusted, so all clients have the proxy's address, and share its limits`,
    'set LISTD_GATEWAY_TRUSTED_PROXIES to the addresses of the proxy',
  )
}

/** Files of secrets and settings that lie outside the data directory. */
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
