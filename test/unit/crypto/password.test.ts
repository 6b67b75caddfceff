import { availableParallelism } from 'node:os'
import test from 'ava'
import {
  assertHashingCapacity,
  costlier,
  hashPassword,
  isVerifiable,
  needsUpgrade,
  verifyPassword,
} from '#shared/crypto/password.ts'
import { watchHashing } from '../../support/identity/hashing.ts'

const params = { memoryMib: 1, operations: 1 }
const planted = (memoryKib: number, operations: number) =>
  `$argon2id$v=19$m=${memoryKib},t=${operations},p=1$${'A'.repeat(22)}$${'B'.repeat(43)}`

// Serial: each process has one queue of hashes, and some tests fill it.

test.serial('only the right password verifies against its hash', async (t) => {
  const stored = await hashPassword('correct horse', params)
  t.true(stored.startsWith('$argon2id$v=19$m=1024,t=1,p=1$'))
  t.true(await verifyPassword(stored, 'correct horse'))
  for (const wrong of ['correct horsE', 'correct horse ', '', '\0', 'correct horse\0']) {
    t.false(await verifyPassword(stored, wrong), JSON.stringify(wrong))
  }
})

test.serial('the stored text has no padding, and verifies with padding too', async (t) => {
  const stored = await hashPassword('correct horse', params)
  t.false(stored.includes('\0'))
  t.true(await verifyPassword(stored.padEnd(128, '\0'), 'correct horse'))
})

test.serial('the same letters in another Unicode form are the same password', async (t) => {
  const stored = await hashPassword('cafe\u0301 cafe', params)
  t.true(await verifyPassword(stored, 'caf\u00e9 cafe'))
})

test.serial('lone surrogates do not collide: ill-formed text is never hashed and never matches', async (t) => {
  await t.throwsAsync(hashPassword('password\ud800', params), { name: 'VALIDATION_FAILED' })
  await t.throwsAsync(hashPassword('', params), { name: 'VALIDATION_FAILED' })
  const stored = await hashPassword('password\ufffd', params)
  t.false(await verifyPassword(stored, 'password\ud800'))
})

test.serial('a planted hash of 1 GiB is rejected before it is verified', async (t) => {
  // Verifying a password against either of them would take minutes.
  t.false(await verifyPassword(planted(1024 * 1024, 1_000), 'anything'))
  t.false(await verifyPassword(planted(64, 4_000_000_000), 'anything'))
})

test.serial('only an Argon2id hash of acceptable cost is verifiable', (t) => {
  t.true(isVerifiable(planted(256 * 1024, 8)))
  for (const stored of ['', 'plain', planted(256 * 1024 + 1, 8), planted(1024, 9), planted(99_999_999_999, 1)]) {
    t.false(isVerifiable(stored))
  }
  t.false(isVerifiable(planted(1024, 1).replace('argon2id', 'argon2i')))
  t.false(isVerifiable(planted(1024, 1).replace('p=1', 'p=4')))
})

test.serial('parameters whose hashes would be rejected later are rejected', async (t) => {
  await t.throwsAsync(hashPassword('correct horse', { memoryMib: 257, operations: 2 }), { message: /at most 256/ })
  await t.throwsAsync(hashPassword('correct horse', { memoryMib: 19, operations: 9 }), { message: /at most 8/ })
})

test.serial('a hash is only upgraded, never downgraded', (t) => {
  const wanted = { memoryMib: 64, operations: 2 }
  t.true(needsUpgrade(planted(19 * 1024, 2), wanted))
  t.true(needsUpgrade(planted(64 * 1024, 1), wanted))
  t.false(needsUpgrade(planted(64 * 1024, 2), wanted))
  t.false(needsUpgrade(planted(128 * 1024, 2), wanted))
  t.false(needsUpgrade(planted(64 * 1024, 3), wanted))
  t.false(needsUpgrade(planted(128 * 1024, 1), wanted))
  t.false(needsUpgrade('garbage', wanted))
})

test.serial('whatever hash is stored, a verification has the requested cost', async (t) => {
  const hashing = watchHashing(t)
  const cost = { memoryMib: 2, operations: 2 }
  const weak = await hashPassword('correct horse', params)
  const same = await hashPassword('correct horse', cost)
  for (const [stored, expected] of [
    [null, ['m=2048,t=2,p=1']],
    ['garbage', ['m=2048,t=2,p=1']],
    [same, ['m=2048,t=2,p=1']],
    [weak, ['m=1024,t=1,p=1', 'm=1536,t=2,p=1']],
  ] as const) {
    for (const password of ['correct horse', 'wrong', '']) {
      const matches = await verifyPassword(stored, password, { cost })
      t.is(matches, password === 'correct horse' && (stored === weak || stored === same))
      t.deepEqual(hashing.verified.splice(0), expected)
    }
  }
})

test.serial('the more expensive of two costs is that of an acceptable hash, or the given parameters', (t) => {
  const wanted = { memoryMib: 64, operations: 2 }
  t.deepEqual(costlier(wanted, planted(64 * 1024, 3)), { memoryMib: 64, operations: 3 })
  for (const stored of [planted(64 * 1024, 2), planted(19 * 1024, 2), planted(1024 * 1024, 3), 'garbage']) {
    t.is(costlier(wanted, stored), wanted)
  }
})

test.serial('at most 32 hashes per core wait; more are rejected at once, and the others still complete', async (t) => {
  const cores = availableParallelism()
  const stored = await hashPassword('correct horse', { memoryMib: 4, operations: 1 })
  const accepted = Array.from({ length: 33 * cores }, () => verifyPassword(stored, 'correct horse'))
  t.throws(assertHashingCapacity, { name: 'SERVICE_UNAVAILABLE' })
  const rejected = await t.throwsAsync(verifyPassword(stored, 'correct horse'), { name: 'SERVICE_UNAVAILABLE' })
  t.is(Reflect.get(rejected ?? {}, 'retryAfterSeconds'), 1)
  t.true((await Promise.all(accepted)).every(Boolean))
  t.notThrows(assertHashingCapacity)
})

test.serial('the event loop is not blocked while passwords are hashed', async (t) => {
  let [hashing, turns] = [true, 0]
  const hashed = hashPassword('correct horse', { memoryMib: 64, operations: 2 }).finally(() => (hashing = false))
  for (; hashing; turns++) await new Promise(setImmediate)
  await hashed
  t.true(turns > 5, `${turns} turns`)
})

test.serial('a hash whose turn comes too late is dropped', async (t) => {
  const late = hashPassword('correct horse', params, { startBefore: Date.now() - 1 })
  await t.throwsAsync(late, { name: 'SERVICE_UNAVAILABLE' })
})

test.serial('a verification whose turn comes too late is dropped', async (t) => {
  const stored = await hashPassword('correct horse', params)
  const late = verifyPassword(stored, 'correct horse', { startBefore: Date.now() - 1 })
  await t.throwsAsync(late, { name: 'SERVICE_UNAVAILABLE' })
})
