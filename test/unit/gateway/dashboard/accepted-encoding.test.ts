import test from 'ava'
import { acceptedEncoding } from '#services/gateway/resources/dashboard/accepted-encoding.ts'

const cases: readonly [header: string | undefined, accepted: 'br' | 'gzip' | null][] = [
  [undefined, null],
  ['', null],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['GZIP;Q=0.5', 'gzip'],
  ['br;q=0.5, gzip', 'gzip'],
  ['br;q=0, gzip;q=0', null],
  ['br;q=0, *', 'gzip'],
  ['*', 'br'],
  ['*;q=0', null],
  ['deflate, zstd', null],
  ['gzip;q=0.5, identity', null],
  ['gzip, identity;q=0.5', 'gzip'],
  ['gzip;q=much', null],
]

test('the smallest encoding that a client accepts is chosen, unless it prefers another', (t) => {
  for (const [header, accepted] of cases) t.is(acceptedEncoding(header), accepted, header)
})
