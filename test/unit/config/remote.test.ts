import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { loadConfig } from '#shared/config/load.ts'
import { readRemote } from '#shared/config/remote.ts'
import { testFolder } from '../../support/test-context/folder.ts'

const url = 'https://lists.example.com/listd'

test('address and token come from the environment, the token also from a file', async (t) => {
  t.deepEqual(readRemote({ LISTD_URL: url, LISTD_TOKEN: 'secret\n' }), { url, token: 'secret' })
  const file = join(await testFolder(t), 'token')
  await writeFile(file, 'from-file\n')
  t.deepEqual(readRemote({ LISTD_URL: url, LISTD_TOKEN_FILE: file }), { url, token: 'from-file' })
  const both = { LISTD_URL: url, LISTD_TOKEN: 'a', LISTD_TOKEN_FILE: file }
  t.throws(() => readRemote(both), { message: /together with LISTD_TOKEN\.$/ })
})

test('missing and wrong settings are named, and their values are never shown', (t) => {
  t.throws(() => readRemote({}), { message: /^LISTD_URL is not set/ })
  t.throws(() => readRemote({ LISTD_URL: url }), { message: /^LISTD_TOKEN is not set/ })
  for (const wrong of ['lists.example.com', 'ftp://x', 'https://user:hidden@x', 'https://x/?a', 'https://x/#a']) {
    const { message } = t.throws(() => readRemote({ LISTD_URL: wrong, LISTD_TOKEN: 'a' })) ?? { message: '' }
    t.regex(message, /^LISTD_URL must be an address/, wrong)
    t.notRegex(message, /hidden/)
  }
  const { message } = t.throws(() => readRemote({ LISTD_URL: url, LISTD_TOKEN: 'hid den' })) ?? { message: '' }
  t.regex(message, /^LISTD_TOKEN is not a token/)
  t.notRegex(message, /hid/)
})

test('services ignore the variables of a client, but recognize misspelled ones', (t) => {
  const remote = {
    LISTD_URL: 'anything',
    LISTD_TOKEN: 'anything',
    LISTD_TOKEN_FILE: '/nowhere',
    LISTD_PROFILE: 'anything',
  }
  t.deepEqual(loadConfig({ env: remote }), loadConfig({ env: {} }))
  t.throws(() => loadConfig({ env: { LISTD_TOKN: 'x' } }), { message: /LISTD_TOKEN/ })
})
