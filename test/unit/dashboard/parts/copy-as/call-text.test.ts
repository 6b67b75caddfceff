import { execFileSync } from 'node:child_process'
import test from 'ava'
import { type ApiCall, callText, languages, quoted } from '#services/dashboard/parts/copy-as/call-text.ts'

const origin = 'https://lists.example.com'
const odd = `it's "odd" $HOME \`ls\` \\ ü`

const read: ApiCall = {
  method: 'GET',
  path: "/lists/recipes/items/it's",
  sdk: `listd.list('recipes').get(${quoted("it's")})`,
}
const write: ApiCall = {
  method: 'PUT',
  path: '/lists/recipes/items/a?dryRun=true',
  headers: { 'if-match': '"3"' },
  body: JSON.stringify({ data: odd }),
  sdk: `listd.list('recipes').update('a', { data })`,
}

/** The arguments of a command after a shell has split it. */
function wordsOf(command: string): string[] {
  const env = { ...process.env, LISTD_TOKEN: 'the token' }
  const script = command.replace(/^curl/, "printf '%s\\0'")
  return execFileSync('sh', ['-c', script], { env, encoding: 'utf8' }).split('\0').slice(0, -1)
}

test('curl is given the exact request, whatever characters it has, and the token from the environment', (t) => {
  t.deepEqual(wordsOf(callText(read, 'curl', origin)), [`${origin}${read.path}`, '-H', 'x-api-token: the token'])
  t.deepEqual(wordsOf(callText(write, 'curl', origin)), [
    '-X',
    'PUT',
    `${origin}${write.path}`,
    '-H',
    'x-api-token: the token',
    '-H',
    'if-match: "3"',
    '-H',
    'content-type: application/json',
    '--data-binary',
    write.body,
  ])
})

test('fetch is given the exact request', async (t) => {
  const sent: unknown[] = []
  const run = new Function('fetch', 'process', `return (async () => { ${callText(write, 'fetch', origin)} })()`)
  await run(
    async (...given: unknown[]) => {
      sent.push(given)
      return { json: () => null }
    },
    { env: { LISTD_TOKEN: 'the token' } },
  )
  const headers = { 'x-api-token': 'the token', 'if-match': '"3"', 'content-type': 'application/json' }
  t.deepEqual(sent, [[`${origin}${write.path}`, { method: 'PUT', headers, body: write.body }]])
})

test('a text is written so that JavaScript reads it again', (t) => {
  for (const text of ['a', "it's", odd, '\n\t', '"']) t.is(new Function(`return ${quoted(text)}`)(), text)
})

test('a long body is read from a file', (t) => {
  const long = { ...write, body: `"${'x'.repeat(5_000)}"` }
  t.true(callText(long, 'curl', origin).endsWith('--data-binary @body.json'))
  for (const language of languages) t.true(callText(long, language, origin).length < 500)
})

test('where API tokens are not accepted, the session of a user is used', (t) => {
  const call: ApiCall = { method: 'GET', path: '/webhooks', sdk: 'account.webhooks.all().page(1)', userMode: true }
  for (const language of languages) {
    const text = callText(call, language, origin)
    t.regex(text, /LISTD_SESSION/)
    t.notRegex(text, /LISTD_TOKEN/)
  }
})
