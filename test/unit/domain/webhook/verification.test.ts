import test from 'ava'
import { type Verification, type VerifiedRequest, verifyRequest } from '#shared/domain/webhook/verification.ts'

const at = 1_800_000_000
const sent = '{"id":"e","data":{"title":"Soup","big":12345678901234567890}}'

/** A signature that shows its scheme, secret, time and body. */
const signature = (scheme: string, secret: string, seconds: number, body: string) =>
  `${scheme}-${secret}-${seconds}-${Buffer.from(body).toString('base64url')}`

const sign: VerifiedRequest['sign'] = {
  service: (secret, { seconds, body }) => signature('hex', secret, seconds, body),
  standard: (secret, { seconds, body, id }) => signature(`base64-${id}`, secret, seconds, body),
}

type Signed = { secret?: 'current' | 'old'; seconds?: number; body?: string }

const service = ({ secret = 'current', seconds = at, body = sent }: Signed = {}): [string, string][] => [
  ['x-service-signature', `t=${seconds},v1=${signature('hex', secret, seconds, body)}`],
]
const standard = ({ secret = 'current', seconds = at, body = sent }: Signed = {}): [string, string][] => [
  ['webhook-id', 'e'],
  ['webhook-timestamp', `${seconds}`],
  ['webhook-signature', `v1,other v1,${signature('base64-e', secret, seconds, body)}`],
]

function verify(headers: [string, string][], given: Partial<VerifiedRequest> = {}): Verification {
  return verifyRequest({
    headers: new Map(headers),
    body: sent,
    sent,
    headerPrefix: 'x-service',
    nowSeconds: at + 12,
    sign,
    ...given,
  })
}

const wrong = ({ checks }: Verification) => checks.flatMap(({ name, ok }) => (ok ? [] : [name]))
const messageOf = ({ checks }: Verification, name: string) => checks.find((check) => check.name === name)?.message ?? ''

test('a request with both signatures is valid, and every check passes', (t) => {
  const verified = verify([...service(), ...standard()])
  t.true(verified.valid)
  t.deepEqual(wrong(verified), [])
  t.deepEqual(
    verified.checks.map(({ name }) => name),
    ['service-signature', 'standard-signature', 'timestamp', 'body'],
  )
  t.is(messageOf(verified, 'timestamp'), 'Timestamp 12 seconds off.')
})

test('one scheme is sufficient', (t) => {
  for (const [headers, other] of [
    [service(), 'standard-signature'],
    [standard(), 'service-signature'],
  ] as const) {
    const verified = verify(headers)
    t.true(verified.valid)
    t.deepEqual(wrong(verified), [other])
    t.regex(messageOf(verified, other), /(is|are) missing/)
  }
})

test('the old secret is valid only in the public header', (t) => {
  const inPublic = verify(standard({ secret: 'old' }))
  t.true(inPublic.valid)
  t.regex(messageOf(inPublic, 'standard-signature'), /^Signed with the old secret\./)
  const inOwn = verify(service({ secret: 'old' }))
  t.false(inOwn.valid)
  t.deepEqual(wrong(inOwn), ['service-signature', 'standard-signature'])
  t.regex(messageOf(inOwn, 'service-signature'), /^Signed with the old secret\./)
  const without = { service: () => null, standard: () => null }
  t.false(verify(standard({ secret: 'old' }), { sign: without }).valid)
})

const times: [seconds: number, valid: boolean, message: RegExp][] = [
  [at - 288, true, /^Timestamp 5 minutes off\.$|^Timestamp 300 seconds off\.$/],
  [at - 289, false, /^Timestamp 5 minutes off: 5 minutes are allowed/],
  [at - 528, false, /^Timestamp 9 minutes off: 5 minutes are allowed/],
  [at + 312, true, /^Timestamp 5 minutes off\.$/],
  [at + 3_612, false, /^Timestamp 60 minutes off: .* clock may be slow/],
  [at - 864_000, false, /^Timestamp 10 days off/],
]

for (const [seconds, valid, message] of times) {
  test(`a request of ${seconds - at - 12} seconds from now is ${valid ? 'valid' : 'not valid'}`, (t) => {
    const verified = verify([...service({ seconds }), ...standard({ seconds })])
    t.is(verified.valid, valid)
    t.deepEqual(wrong(verified), valid ? [] : ['timestamp'])
    t.regex(messageOf(verified, 'timestamp'), message)
  })
}

const bodies: [what: string, body: string, message: RegExp][] = [
  ['was serialized again', JSON.stringify(JSON.parse(sent)), /parsed and serialized again: same JSON, different bytes/],
  [
    'was indented',
    JSON.stringify(JSON.parse(sent), null, 2),
    /parsed and serialized again: same JSON, different bytes/,
  ],
  ['has a line end after it', `${sent}\n`, /White space was added/],
  ['was already read', '', /empty/],
  ['is another body', '{"id":"e","data":{}}', /differs from the one that was sent/],
  ['is not JSON', '{', /differs from the one that was sent/],
  ['is nested very deeply', '['.repeat(100_000), /differs from the one that was sent/],
]

for (const [what, body, message] of bodies) {
  test(`the error of a body that ${what} names the change`, (t) => {
    const verified = verify([...service(), ...standard()], { body })
    t.false(verified.valid)
    t.deepEqual(wrong(verified), ['service-signature', 'standard-signature', 'body'])
    t.regex(messageOf(verified, 'body'), message)
    t.regex(messageOf(verified, 'service-signature'), /correct, but for different bytes/)
  })
}

test('a request without a known delivery is verified too, but cannot be compared', (t) => {
  t.deepEqual(wrong(verify([...service(), ...standard()], { sent: null })), [])
  const changed = verify([...service(), ...standard()], { sent: null, body: `${sent} ` })
  t.false(changed.valid)
  t.regex(messageOf(changed, 'body'), /cannot be compared/)
  t.regex(messageOf(changed, 'service-signature'), /another secret, or for another body/)
})

const broken: [what: string, headers: [string, string][], message: RegExp][] = [
  ['no time', [['x-service-signature', 'v1=00']], /has no time/],
  ['a time of words', [['x-service-signature', 't=noon,v1=00']], /has no time/],
  ['no id', standard().slice(1), /header webhook-id is missing/],
  ['nothing', [], /(is|are) missing/],
]

for (const [what, headers, message] of broken) {
  test(`headers with ${what} name what is missing`, (t) => {
    const verified = verify(headers)
    t.false(verified.valid)
    t.true(verified.checks.some((check) => !check.ok && message.test(check.message)))
  })
}
