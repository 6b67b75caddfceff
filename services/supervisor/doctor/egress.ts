import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { urlRulesOf } from '#shared/domain/webhook/url.ts'
import { isAllowedAddress } from '#shared/net/public-address.ts'
import { type Check, type CheckResult, note, ok, wrong } from './check.ts'

/** Addresses that deliveries should reach only by intent: their responses give rights over the machine or the cloud. */
const dangerous = [
  { address: '169.254.169.254', what: 'the metadata service of the cloud' },
  { address: '127.0.0.1', what: 'this machine' },
  { address: '::1', what: 'this machine' },
] as const

/** The destinations that deliveries may have in addition to the public internet, and the certificates that they trust. */
export const egress: Check = {
  name: 'outgoing requests',
  async run({ config: { webhooks, notifications } }): Promise<CheckResult[]> {
    const { allowCidrs, caFile } = webhooks
    const open = checkAllowed(webhooks)
    const where =
      allowCidrs.length === 0 ? 'the public internet only' : `the public internet and ${allowCidrs.join(', ')}`
    return [
      ...(open.length > 0 ? open : [ok(`webhooks may reach ${where}`)]),
      ...(notifications.url === '' ? [] : [ok(`notifications go to ${new URL(notifications.url).host}`)]),
      ...(caFile === '' ? [] : [await checkAuthorities(caFile, 'LISTD_WEBHOOKS_CA_FILE')]),
    ]
  },
}

/** The certificate authorities that the database server is checked against. */
export const databaseAuthorities: Check = {
  name: 'database CA',
  async run({ config: { database } }): Promise<CheckResult[]> {
    return database.caFile === '' ? [] : [await checkAuthorities(database.caFile, 'LISTD_DATABASE_CA_FILE')]
  },
}

export function checkAllowed(webhooks: Parameters<typeof urlRulesOf>[0]): CheckResult[] {
  const { allowed, allowHttp } = urlRulesOf(webhooks)
  const reached = dangerous.filter(({ address }) => isAllowedAddress(address, allowed)).map(({ what }) => what)
  const notes = [...new Set(reached)].map((what) =>
    note(`everyone who may register webhooks can send requests to ${what}`, 'narrow LISTD_WEBHOOKS_ALLOW_CIDRS'),
  )
  return allowHttp ? [...notes, plainHttp] : notes
}

const plainHttp = note(
  'webhooks may be sent over plain http, which anyone on the network path can read and change',
  'set LISTD_WEBHOOKS_ALLOW_HTTP=false, except in development',
)

const monthMs = 30 * 86_400_000

async function checkAuthorities(path: string, variable: string): Promise<CheckResult> {
  let certificate: X509Certificate
  try {
    certificate = new X509Certificate(await readFile(path))
  } catch {
    return wrong(`${path} has no readable certificate`, `write the authorities into it as PEM, or correct ${variable}`)
  }
  return checkExpiry(certificate.validToDate.getTime() - Date.now(), path)
}

/** @param leftMs how long the certificate is valid */
export function checkExpiry(leftMs: number, path: string): CheckResult {
  const fix = 'add the authority that replaces it to the file'
  if (leftMs <= 0) return wrong(`the certificate in ${path} has expired`, fix)
  if (leftMs < monthMs) return note(`the certificate in ${path} expires in ${Math.ceil(leftMs / 86_400_000)} days`, fix)
  return ok(`${path} can be used`)
}
