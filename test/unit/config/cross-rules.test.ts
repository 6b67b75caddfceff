import test from 'ava'
import { ConfigError } from '#shared/config/config-error.ts'
import { loadConfig } from '#shared/config/load.ts'

const load = (env: Record<string, string>) => loadConfig({ env, cwd: '/srv' })

function errorsOf(env: Record<string, string>): ConfigError['errors'] {
  try {
    load(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.errors
    throw error
  }
  return []
}

test('notifications need an address that a webhook could have, and a secret', (t) => {
  const LISTD_NOTIFICATIONS_SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
  const LISTD_NOTIFICATIONS_URL = 'https://hooks.example.com/listd'
  t.is(errorsOf({ LISTD_NOTIFICATIONS_URL })[0]?.key, 'notifications.secret')
  t.is(errorsOf({ LISTD_NOTIFICATIONS_SECRET })[0]?.key, 'notifications.url')
  const url = (address: string) => ({ LISTD_NOTIFICATIONS_SECRET, LISTD_NOTIFICATIONS_URL: address })
  t.is(load(url(LISTD_NOTIFICATIONS_URL)).notifications.url, LISTD_NOTIFICATIONS_URL)
  for (const address of ['http://hooks.example.com/', 'https://127.0.0.1/', 'https://me@hooks.example.com/']) {
    t.is(errorsOf(url(address))[0]?.key, 'notifications.url')
  }
  const inside = { LISTD_WEBHOOKS_ALLOW_HTTP: 'true', LISTD_WEBHOOKS_ALLOW_CIDRS: '127.0.0.0/8' }
  t.is(load({ ...url('http://127.0.0.1:8080/'), ...inside }).notifications.url, 'http://127.0.0.1:8080/')
})
