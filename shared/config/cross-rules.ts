import { urlRulesOf, webhookUrlError } from '#shared/domain/webhook/url.ts'
import { parseHost } from '#shared/net/address.ts'
import type { SettingError } from './config-error.ts'
import { entries } from './entries.ts'
import { formatValue } from './redact.ts'
import type { SettingValue } from './sources/source-settings.ts'

/** An attempt starts only while its time-out and this much of the lease are left. */
const leaseReserveMs = 2_000

/** Errors of two settings in combination; each on its own has passed its rule. */
export function crossRuleErrors(values: ReadonlyMap<string, SettingValue>): SettingError[] {
  const value = (key: string) => values.get(key)?.value
  const errors: SettingError[] = []
  const reject = (key: string, rule: string) => errors.push(errorOf(values.get(key), rule))

  if (Number(value('dispatcher.leaseSeconds')) * 1_000 <= Number(value('webhooks.timeoutMs')) + leaseReserveMs) {
    reject('dispatcher.leaseSeconds', 'must be longer than webhooks.timeoutMs plus 2 seconds')
  }
  if (value('webhooks.allowHttp') === true && Object(value('webhooks.allowCidrs')).length === 0) {
    reject(
      'webhooks.allowHttp',
      'must be false while webhooks.allowCidrs is empty, because http is for these networks only',
    )
  }
  if ((value('notifications.url') === '') !== (value('notifications.secret') === '')) {
    const missing = value('notifications.url') === '' ? 'notifications.url' : 'notifications.secret'
    reject(missing, 'must be set: notifications.url and notifications.secret must be set together')
  }
  if (value('notifications.url') !== '' && !isDeliverable(value)) {
    reject('notifications.url', 'must follow the rules of the URL of a webhook, with webhooks.allowCidrs and allowHttp')
  }
  if ((value('admin.email') === '') !== (value('admin.password') === '')) {
    const missing = value('admin.email') === '' ? 'admin.email' : 'admin.password'
    reject(missing, 'must be set: admin.email and admin.password must be set together')
  }
  if (value('database.caFile') !== '' && value('database.tls') !== true) {
    reject('database.caFile', 'must be empty while database.tls is false, because connections would not be encrypted')
  }
  if (value('database.tls') === true && isMysqlByAddress(String(value('database.url')))) {
    reject(
      'database.url',
      'must contain the host name of the server: with database.tls the certificate of MySQL is checked against it',
    )
  }
  return errors
}

/** Whether notices may be sent to their url at all. Values that have not passed their rules are errors already. */
function isDeliverable(value: (key: string) => unknown): boolean {
  const [url, allowCidrs, allowHttp] = ['notifications.url', 'webhooks.allowCidrs', 'webhooks.allowHttp'].map(value)
  if (typeof url !== 'string' || !Array.isArray(allowCidrs)) return true
  return webhookUrlError(url, urlRulesOf({ allowCidrs, allowHttp: allowHttp === true })) === null
}

/** The driver does not check the certificate for an address. */
function isMysqlByAddress(url: string): boolean {
  return url.startsWith('mysql:') && parseHost(new URL(url).hostname) !== null
}

function errorOf(setting: SettingValue | undefined, rule: string): SettingError {
  const { key = '', value, source = '' } = setting ?? {}
  const secret = entries.some((entry) => entry.key === key && entry.setting.secret === true)
  return { key, value: formatValue(value, { secret }), source, rule }
}
