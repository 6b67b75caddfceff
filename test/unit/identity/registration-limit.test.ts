import test from 'ava'
import { createRegistrationLimit } from '#services/identity/registration-limit.ts'
import type { AppError } from '#shared/errors.ts'

/** @returns `register` tries a registration and returns null if it may continue, otherwise the error; `clock` sets the time */
function limit({ perAddress = 2, perToken = 3 } = {}) {
  const clock = { now: 1_000 }
  const limits = { perAddressAndMinute: perAddress, perTokenAndMinute: perToken }
  const count = createRegistrationLimit({ now: () => clock.now, maxKeys: 1_000, limits })
  const register = (clientAddress: string, tokenId = 'token'): AppError | null => {
    try {
      count({ tokenId, clientAddress })
      return null
    } catch (error) {
      return error as AppError
    }
  }
  return { clock, register }
}

test('a limited number of registrations per minute from one address succeed; the next waits for the rest of the minute', (t) => {
  const { clock, register } = limit()
  for (const address of ['2001:db8::1', '2001:db8::2']) t.is(register(address), null)
  clock.now += 20_500
  const rejected = register('2001:db8::3', 'another token')
  t.like(rejected, { name: 'RATE_LIMIT_EXCEEDED', status: 429, retryAfterSeconds: 40 })
  t.regex(String(rejected?.message), /from this address/)
  t.is(register('192.0.2.1'), null)
  clock.now += 40_000
  t.is(register('2001:db8::3'), null)
})

test('a limited number of registrations per minute with one token succeed, whatever their addresses', (t) => {
  const { clock, register } = limit()
  for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) t.is(register(address), null)
  t.regex(String(register('192.0.2.4')?.message), /with this API token/)
  t.is(register('192.0.2.4', 'another token'), null)
  clock.now += 60_000
  t.is(register('192.0.2.4'), null)
})

test('a registration that one limit rejects does not count for the other', (t) => {
  const { register } = limit()
  for (let n = 0; n < 10; n++) register('192.0.2.1')
  t.is(register('192.0.2.2'), null)
  for (let n = 0; n < 10; n++) t.truthy(register('192.0.2.3'))
  for (let n = 0; n < 2; n++) t.is(register('192.0.2.3', 'another token'), null)
})

test('without limits any number succeeds', (t) => {
  const { register } = limit({ perAddress: 0, perToken: 0 })
  for (let n = 0; n < 10_000; n++) if (register('192.0.2.1')) return t.fail(`rejected after ${n}`)
  t.pass()
})
