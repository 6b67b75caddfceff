import test from 'ava'
import { openSecrets } from '#services/webhook-dispatcher/open-secrets.ts'

const webhook = { accountId: 'a', webhookId: 'w', previousSecret: null }

test('past the limit of the cache, the secret used longest ago is opened again, and no other', (t) => {
  const opened: string[] = []
  const open = (sealed: string) => {
    opened.push(sealed)
    return `plain ${sealed}`
  }
  const use = (secret: string) => openSecrets({ open }, { ...webhook, secret }).secret
  for (let n = 0; n < 2_000; n++) use(`${n}`)
  t.is(use('0'), 'plain 0')
  use('one too many')
  t.is(opened.length, 2_001)
  use('0')
  t.is(opened.length, 2_001)
  use('1')
  t.is(opened.at(-1), '1')
})
