import test from 'ava'
import { checkAllowed, checkExpiry } from '#services/supervisor/doctor/egress.ts'
import { checkExposure } from '#services/supervisor/doctor/exposure.ts'

const day = 86_400_000

test('networks through which webhooks reach this machine or metadata are reported, others are not', (t) => {
  const check = (allowCidrs: string[]) => checkAllowed({ allowCidrs, allowHttp: false })
  for (const networks of [[], ['10.0.0.0/8'], ['192.168.1.0/24', 'fd00::/8']]) t.deepEqual(check(networks), [])
  for (const networks of [['127.0.0.0/8'], ['::1']]) t.is(check(networks).length, 1)
  t.deepEqual(
    check(['0.0.0.0/0']).map(({ message }) => message),
    ['the metadata service of the cloud', 'this machine'].map(
      (what) => `everyone who may register webhooks can send requests to ${what}`,
    ),
  )
})

test('plain http to webhooks is reported', (t) => {
  const findings = checkAllowed({ allowCidrs: ['10.0.0.0/8'], allowHttp: true })
  t.deepEqual(
    findings.map(({ state }) => state),
    ['note'],
  )
  t.regex(findings[0]?.message ?? '', /plain http/)
})

test('a certificate that expires soon is a note, one that has expired is wrong', (t) => {
  t.is(checkExpiry(90 * day, 'ca.pem').state, 'ok')
  t.is(checkExpiry(9.5 * day, 'ca.pem').message, 'the certificate in ca.pem expires in 10 days')
  t.is(checkExpiry(-1, 'ca.pem').state, 'wrong')
})

test('an address that other machines reach should have TLS, and a trusted proxy', (t) => {
  const check = (publicUrl: string, trustedProxies: string[] = []) =>
    checkExposure({ host: '127.0.0.1', publicUrl, trustedProxies }).state
  for (const url of ['http://127.0.0.1:3000', 'http://localhost', 'http://[::1]:3000']) t.is(check(url), 'ok')
  t.is(check('http://lists.example.com'), 'note')
  t.is(check('https://lists.example.com'), 'note')
  t.is(check('https://lists.example.com', ['10.0.0.0/8']), 'ok')
})

test('a gateway that listens for other machines is not treated as local, whatever its address says', (t) => {
  const check = (host: string) => checkExposure({ host, publicUrl: 'http://127.0.0.1:3000', trustedProxies: [] })
  for (const host of ['127.0.0.1', 'localhost', '::1']) t.is(check(host).state, 'ok')
  for (const host of ['0.0.0.0', '::', '192.168.1.7', 'lists.example.com']) {
    t.is(check(host).state, 'note')
    t.true(check(host).message.includes(`listens on ${host}`))
  }
})
