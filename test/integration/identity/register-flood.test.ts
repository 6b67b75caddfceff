import test from 'ava'
import { hashesAtOnce } from '#shared/crypto/password.ts'
import type { AppError } from '#shared/errors.ts'
import { startIdentity } from '../../support/identity/identity.ts'

// In a file of its own: the queue that it fills is the process's.

test('more registrations than may wait are refused at once', async (t) => {
  const { register, signIn } = await startIdentity(t, { LISTD_PASSWORDS_MEMORY_MIB: '64' })
  const count = 100 * hashesAtOnce
  const outcomes = await Promise.all(Array.from({ length: count }, (_, n) => outcomeOf(register({ name: `n${n}` }))))
  const refused = outcomes.filter((outcome) => outcome === 'SERVICE_UNAVAILABLE').length
  t.true(refused > 0)
  t.is(outcomes.filter((outcome) => outcome === 'registered').length, count - refused)
  const name = `n${outcomes.indexOf('registered')}`
  t.truthy((await signIn({ who: { group: null, name } })).token)
})

function outcomeOf(attempt: Promise<unknown>): Promise<string> {
  return attempt.then(
    () => 'registered',
    (error: AppError) => error.name,
  )
}
