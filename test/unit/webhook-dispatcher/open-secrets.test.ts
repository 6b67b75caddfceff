import test from 'ava'
import { openSecrets } from '#services/webhook-dispatcher/open-secrets.ts'
import { makeMasterKey, openSealer } from '#shared/crypto/seal.ts'
import { webhookSecretBinding } from '#shared/domain/webhook/secret.ts'

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

test('a secret that is cached for its webhook does not open in the row of another one', (t) => {
  const sealer = openSealer(makeMasterKey())
  const claim = { ...webhook, secret: sealer.seal('secret', webhookSecretBinding(webhook)) }
  t.is(openSecrets(sealer, claim).secret, 'secret')
  t.throws(() => openSecrets(sealer, { ...claim, webhookId: 'other' }), { message: /belongs to another row/ })
})
