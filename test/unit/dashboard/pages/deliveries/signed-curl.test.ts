import { execFileSync } from 'node:child_process'
import test from 'ava'
import { signedCurl } from '#services/dashboard/pages/deliveries/signed-curl.ts'

test('a shell passes the URL, the signed headers and the exact bytes of the payload to curl', (t) => {
  const payload = `{"text":"it's $HOME \\\\ \`x\` \\"é\\"","big":9007199254740993}`
  const signed = {
    id: 'd',
    url: 'https://kitchen.example/hook?a=1&b=2',
    headers: { 'webhook-id': "a'b", 'content-type': 'application/json' },
    omitted: ['x-team-key'],
    expiresAt: '2026-03-01T10:05:00.000Z',
  }
  const words = `curl() { printf '%s\\0' "$@"; }\n${signedCurl(signed, payload)}`
  const said = execFileSync('sh', ['-c', words], { env: { X_TEAM_KEY: 'of my own' }, encoding: 'utf8' })
  t.deepEqual(said.split('\0').slice(0, -1), [
    'https://kitchen.example/hook?a=1&b=2',
    '-H',
    "webhook-id: a'b",
    '-H',
    'content-type: application/json',
    '-H',
    'x-team-key: of my own',
    '--data-binary',
    payload,
  ])
})
