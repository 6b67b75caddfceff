import test from 'ava'
import { keyIdOf } from '#shared/crypto/key-text.ts'
import { createMasterKey, openKeyRing, openSealer, UnknownKey } from '#shared/crypto/seal.ts'

const key = createMasterKey()
const sealer = openSealer(key)

test('what was sealed opens again under the same account and row', (t) => {
  for (const plain of ['', 'whsec_abc', 'ünï 😀', 'x'.repeat(10_000)]) {
    t.is(sealer.open(sealer.seal(plain, 'webhook:a:1'), 'webhook:a:1'), plain)
  }
})

test('the same value sealed twice looks different and reveals nothing', (t) => {
  const sealed = sealer.seal('whsec_canary', 'row')
  t.not(sealed, sealer.seal('whsec_canary', 'row'))
  t.false(Buffer.from(sealed.split('.')[2] ?? '', 'base64url').includes('canary'))
})

test('a value moved to another row or account does not open', (t) => {
  const sealed = sealer.seal('secret', 'webhook:a:1')
  for (const aad of ['webhook:a:2', 'webhook:b:1', '']) {
    t.throws(() => sealer.open(sealed, aad), { message: /altered or belongs to another row/ })
  }
})

test('a value with any byte changed does not open', (t) => {
  const sealed = sealer.seal('secret', 'row')
  const [version, keyId, text = ''] = sealed.split('.')
  const bytes = Buffer.from(text, 'base64url')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed.writeUInt8((changed.readUInt8(at) + 1) % 256, at)
    t.throws(() => sealer.open(`${version}.${keyId}.${changed.toString('base64url')}`, 'row'))
  }
})

test('a different master key is distinguished from an altered value by the id of the missing key', (t) => {
  const sealed = sealer.seal('secret', 'row')
  t.throws(() => openSealer(createMasterKey()).open(sealed, 'row'), {
    instanceOf: UnknownKey,
    message: `It was sealed with the key ${keyIdOf(sealed)}, which secrets.masterKey does not have.`,
  })
})

test('each of several keys opens what it has sealed, and the first one seals unless another is named', (t) => {
  const [first = '', second = ''] = [createMasterKey(), createMasterKey()]
  const [byFirst, bySecond] = [first, second].map((text) => openSealer(text).seal('secret', 'row')) as [string, string]
  for (const apart of [',', '\n', ' , ', '\r\n']) {
    const both = openSealer(`${first}${apart}${second}${apart.trim() === '' ? apart : ''}`)
    t.deepEqual(both.keyIds(), [byFirst, bySecond].map(keyIdOf))
    for (const sealed of [byFirst, bySecond]) t.is(both.open(sealed, 'row'), 'secret')
    t.is(keyIdOf(both.seal('secret', 'row')), keyIdOf(byFirst))
    const named = both.seal('secret', 'row', keyIdOf(bySecond))
    t.is(openSealer(second).open(named, 'row'), 'secret')
    for (const keyId of both.keyIds()) t.true(both.verifyCheck(both.createCheck(keyId)))
  }
  t.deepEqual(openSealer(`${first}\n${first}`).keyIds(), [keyIdOf(byFirst)])
})

test('a value does not open under the name of another key', (t) => {
  const others = createMasterKey()
  const both = openSealer(`${key}\n${others}`)
  const [form, , text] = sealer.seal('secret', 'row').split('.')
  t.throws(() => both.open(`${form}.${openSealer(others).keyIds()[0]}.${text}`, 'row'), { message: /altered/ })
})

test('a running process rereads its keys when it meets an unknown one, and forgets none', (t) => {
  const [second, third] = [createMasterKey(), createMasterKey()]
  const seal = (text: string) => openSealer(text).seal('secret', 'row')
  let texts = second
  let reads = 0
  const ring = openKeyRing(key, () => {
    reads++
    return texts
  })
  t.is(ring.open(seal(key), 'row'), 'secret')
  t.is(reads, 0)
  t.is(ring.open(seal(second), 'row'), 'secret')
  t.is(ring.open(seal(key), 'row'), 'secret')
  texts = `${second}\n${third}`
  for (let n = 0; n < 100; n++) t.throws(() => ring.open(seal(createMasterKey()), 'row'), { instanceOf: UnknownKey })
  t.true(reads < 100)
})

test('keys that cannot be reread leave the current ones in place', (t) => {
  for (const wrong of [() => 'canary', () => '', (): string => JSON.parse('')]) {
    const ring = openKeyRing(key, wrong)
    t.false(ring.has('00000000'))
    t.is(ring.open(sealer.seal('secret', 'row'), 'row'), 'secret')
  }
})

test('a text that was never sealed is rejected', (t) => {
  for (const text of ['', 'secret', 'v1.', 'v1.abcd.', 'v2.00000000.AAAA', `${sealer.seal('', 'row').slice(0, 30)}`]) {
    t.throws(() => sealer.open(text, 'row'))
  }
})

test('the check value opens only with its master key', (t) => {
  const check = sealer.createCheck()
  t.true(openSealer(key).verifyCheck(check))
  t.false(openSealer(createMasterKey()).verifyCheck(check))
  t.false(sealer.verifyCheck('garbage'))
  t.false(sealer.verifyCheck(sealer.seal('listd', 'webhook:a:1')))
})

test('a master key is 32 bytes of base64, and any other text is rejected without being shown', (t) => {
  t.notThrows(() => openSealer(`${key}\n`))
  t.notThrows(() => openSealer(Buffer.alloc(32, 251).toString('base64url')))
  const wrong = [
    '',
    `${key},canary`,
    'canary',
    'canary canary canary canary canary canary!!',
    Buffer.alloc(31).toString('base64'),
  ]
  for (const text of [...wrong, Buffer.alloc(33).toString('base64'), 'ab'.repeat(32)]) {
    const error = t.throws(() => openSealer(text), { message: /secrets\.masterKey must be 32 random bytes/ })
    t.false(error?.message.includes('canary'))
  }
})
