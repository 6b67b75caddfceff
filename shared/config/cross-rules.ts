import { isIP } from 'node:net'
import type { ConfigFault } from './config-error.ts'
import { entries } from './entries.ts'
import type { Given } from './findings.ts'
import { shown } from './redact.ts'

/** An attempt starts only while its deadline and this much of the lease are left. */
const leaseReserveMs = 2_000

/** Faults of two settings together; each setting by itself has passed its rule. */
export function crossFaults(given: ReadonlyMap<string, Given>): ConfigFault[] {
  const value = (key: string) => given.get(key)?.value
  const faults: ConfigFault[] = []
  const fault = (key: string, rule: string) => faults.push(faultOf(given.get(key), rule))

  if (Number(value('dispatcher.leaseSeconds')) * 1_000 <= Number(value('webhooks.timeoutMs')) + leaseReserveMs) {
    fault('dispatcher.leaseSeconds', 'must be more than webhooks.timeoutMs and 2 seconds together, or no attempt fits')
  }
  if ((value('admin.email') === '') !== (value('admin.password') === '')) {
    const missing = value('admin.email') === '' ? 'admin.email' : 'admin.password'
    fault(missing, 'must be set: admin.email and admin.password go together')
  }
  if (value('database.caFile') !== '' && value('database.tls') !== true) {
    fault('database.caFile', 'must be empty while database.tls is false: nothing would be encrypted')
  }
  if (value('database.tls') === true && isMysqlByAddress(String(value('database.url')))) {
    fault(
      'database.url',
      'must name the server by its name: with database.tls the certificate of MySQL is held against it',
    )
  }
  return faults
}

/** The driver tells nobody which address the certificate has to be for. */
function isMysqlByAddress(url: string): boolean {
  return url.startsWith('mysql:') && isIP(new URL(url).hostname.replace(/^\[|\]$/g, '')) !== 0
}

function faultOf(given: Given | undefined, rule: string): ConfigFault {
  const { key = '', value, source = '' } = given ?? {}
  const secret = entries.some((entry) => entry.key === key && entry.setting.secret === true)
  return { key, value: shown(value, { secret }), source, rule }
}
