import { parseHost } from '#shared/net/address.ts'
import type { ConfigFault } from './config-error.ts'
import { entries } from './entries.ts'
import { formatValue } from './redact.ts'
import type { SettingValue } from './source-settings.ts'

/** An attempt starts only while its time-out and this much of the lease are left. */
const leaseReserveMs = 2_000

/** Errors of two settings in combination; each by itself has passed its rule. */
export function crossRuleFaults(values: ReadonlyMap<string, SettingValue>): ConfigFault[] {
  const value = (key: string) => values.get(key)?.value
  const faults: ConfigFault[] = []
  const fault = (key: string, rule: string) => faults.push(faultOf(values.get(key), rule))

  if (Number(value('dispatcher.leaseSeconds')) * 1_000 <= Number(value('webhooks.timeoutMs')) + leaseReserveMs) {
    fault('dispatcher.leaseSeconds', 'must be longer than webhooks.timeoutMs plus 2 seconds')
  }
  if ((value('admin.email') === '') !== (value('admin.password') === '')) {
    const missing = value('admin.email') === '' ? 'admin.email' : 'admin.password'
    fault(missing, 'must be set, because admin.email and admin.password need each other')
  }
  if (value('database.caFile') !== '' && value('database.tls') !== true) {
    fault('database.caFile', 'must be empty while database.tls is false, because connections would not be encrypted')
  }
  if (value('database.tls') === true && isMysqlByAddress(String(value('database.url')))) {
    fault(
      'database.url',
      'must contain the host name of the server: with database.tls the certificate of MySQL is checked against it',
    )
  }
  return faults
}

/** The driver does not check the certificate for an address. */
function isMysqlByAddress(url: string): boolean {
  return url.startsWith('mysql:') && parseHost(new URL(url).hostname) !== null
}

function faultOf(setting: SettingValue | undefined, rule: string): ConfigFault {
  const { key = '', value, source = '' } = setting ?? {}
  const secret = entries.some((entry) => entry.key === key && entry.setting.secret === true)
  return { key, value: formatValue(value, { secret }), source, rule }
}
