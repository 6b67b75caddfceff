import test from 'ava'
import { createAddressLimit } from '#shared/admission/address-limit.ts'

function limit(maxKeys = 1_000) {
  const clock = { now: 1_000 }
  return { clock, ...createAddressLimit({ now: () => clock.now, perMinute: 100, maxKeys }) }
}

const times = (count: number, act: (n: number) => number) => Array.from({ length: count }, (_, n) => act(n))

test('100 logins a minute from one address are admitted; the next waits for the rest of the minute', (t) => {
  const { clock, count } = limit()
  t.true(times(100, () => count('192.0.2.1')).every((wait) => wait === 0))
  clock.now += 20_000
  t.is(count('192.0.2.1'), 40_000)
  t.is(count('192.0.2.2'), 0)
  clock.now += 40_000
  t.is(count('192.0.2.1'), 0)
})

test('a login that succeeded does not count', (t) => {
  const { count, refund: takeBack } = limit()
  times(100, () => count('192.0.2.1'))
  takeBack('192.0.2.1')
  t.is(count('192.0.2.1'), 0)
  t.true(count('192.0.2.1') > 0)
  t.notThrows(() => takeBack('192.0.2.200'))
})

test('all addresses of an IPv6 /64 are one client', (t) => {
  const { count } = limit()
  times(100, (n) => count(`2001:db8:0:1::${n.toString(16)}`))
  t.true(count('2001:db8:0:1:ffff:ffff:ffff:ffff') > 0)
  t.is(count('2001:db8:0:2::1'), 0)
})

test('an IPv4-mapped address is its IPv4 client, not one with all others of its /64', (t) => {
  const { count } = limit()
  times(100, () => count('::ffff:192.0.2.1'))
  t.true(count('192.0.2.1') > 0)
  t.true(count('::ffff:c000:201') > 0)
  t.is(count('::ffff:192.0.2.2'), 0)
})

test('a text that is not an address counts on its own', (t) => {
  const { count } = limit()
  times(100, () => count(''))
  t.true(count('') > 0)
  t.is(count('unknown'), 0)
})

test('no more addresses are kept than allowed, and those of the oldest minutes are dropped first', (t) => {
  const { clock, count } = limit(10)
  times(100, () => count('192.0.2.0'))
  clock.now++
  times(9, (n) => count(`192.0.2.${n + 1}`))
  t.true(count('192.0.2.0') > 0)
  count('192.0.2.10')
  t.is(count('192.0.2.0'), 0)
})
