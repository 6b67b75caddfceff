import test from 'ava'
import { filterKey, numberKey, orderKey } from '#shared/domain/item/index-key.ts'
import { pick, seeded } from '../../../support/load/random-json.ts'

test('a value filters by its first 1,024 characters and orders by its first 256', (t) => {
  t.is(filterKey('A'.repeat(5_000)), 'a'.repeat(1_024))
  t.is(orderKey('A'.repeat(5_000)), 'a'.repeat(256))
  t.is(filterKey('Abc'), 'abc')
})

test('characters are code points, and none is split', (t) => {
  t.is(filterKey('😀'.repeat(3_000)), '😀'.repeat(1_024))
  t.is(orderKey(`a${'😀'.repeat(300)}`), `a${'😀'.repeat(255)}`)
  t.is(filterKey('ß'.repeat(1_000)), 's'.repeat(1_024))
})

test('equal texts have equal keys in whatever form they are written, long ones too', (t) => {
  t.is(filterKey('é'.repeat(2_000)), filterKey('E\u0301'.repeat(2_000)))
  t.is(filterKey('ᾂ'.repeat(2_000)), filterKey('ᾂ'.normalize('NFD').repeat(2_000)))
  t.is([...filterKey('ᾂ'.normalize('NFD').repeat(2_000))].length, 1_024)
})

// Reading the whole text each time would take minutes.
test('the key of a long text is computed without reading all of it', (t) => {
  const text = 'É'.repeat(2 ** 24)
  for (let n = 0; n < 500; n++) if (filterKey(text).length !== 1_024) t.fail()
  t.pass()
})

test('no key contains U+0000, and order and difference are kept', (t) => {
  const random = seeded(4)
  const chars = ['\u0000', '\u0001', '\u0002', '\u0003', 'a'] as const
  const text = () => Array.from({ length: Math.floor(random() * 4) }, () => pick(random, chars)).join('')
  for (let n = 0; n < 5_000; n++) {
    const [a, b] = [text(), text()]
    t.false(filterKey(a).includes('\u0000'))
    t.is(Math.sign(Buffer.compare(Buffer.from(filterKey(a)), Buffer.from(filterKey(b)))), order(a, b))
  }
})

function order(a: string, b: string): number {
  return Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b)))
}

test('compared by their bytes, keys are in the order of code points', (t) => {
  const texts = ['z', '\u{1f600}', '\uffee', 'é', 'A', '']
  const sorted = [...texts].sort((a, b) => order(orderKey(a), orderKey(b)))
  t.deepEqual(sorted, ['', 'A', 'z', 'é', '\uffee', '\u{1f600}'])
})

test('the keys of numbers are in the order of the numbers, to the ends of a double', (t) => {
  const random = seeded(5)
  const ends = [Number.MAX_VALUE, 2 ** 53 + 2, 1.5, 1, 2 ** -1022, 5e-324, 0]
  const some = Array.from({ length: 500 }, () => (random() - 0.5) * 10 ** Math.floor(random() * 600 - 300))
  const numbers = [...some, ...ends, ...ends.map((number) => -number)].sort((a, b) => a - b)
  for (const [n, number] of numbers.entries()) {
    t.regex(numberKey(number), /^[0-9a-f]{16}$/)
    const next = numbers[n + 1] ?? Number.MAX_VALUE
    t.is(
      Math.sign(Number(numberKey(number) > numberKey(next)) - Number(numberKey(number) < numberKey(next))),
      Math.sign(number - next),
    )
  }
})

test('numbers beyond a double have the keys of the largest, and -0 is 0', (t) => {
  t.is(numberKey(Number.POSITIVE_INFINITY), numberKey(Number.MAX_VALUE))
  t.is(numberKey(Number.NEGATIVE_INFINITY), numberKey(-Number.MAX_VALUE))
  t.is(numberKey(-0), numberKey(0))
})
