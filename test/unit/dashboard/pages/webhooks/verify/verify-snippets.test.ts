import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { snippetsOf } from '#services/dashboard/pages/webhooks/verify/verify-snippets.ts'

const page = join(import.meta.dirname, '../../../../../../docs/webhooks/verify.md')

test('for each language the function that verifies webhook-signature is shown', async (t) => {
  const snippets = snippetsOf(await readFile(page, 'utf8'))
  t.deepEqual(
    snippets.map(({ language }) => language),
    ['Node.js', 'Python', 'Go', 'PHP', 'Shell, with openssl'],
  )
  for (const { code } of snippets) t.regex(code, /webhook.signature/i)
  for (const { code } of snippets) t.notRegex(code, /```|x-service-signature/)
})
