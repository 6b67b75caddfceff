import test from 'ava'
import { TextDigest } from '#shared/domain/text/digest.ts'

const digestOf = (...texts: string[]) => texts.reduce((digest, text) => digest.add(text), new TextDigest()).value

test('the same texts have the same digest, which can be read at any point', (t) => {
  const digest = new TextDigest().add('a')
  t.is(digest.value, digestOf('a'))
  t.is(digest.add('b').value, digestOf('a', 'b'))
  t.regex(digest.value, /^[0-9a-f]{32}$/)
})

test('slightly different texts have different digests, and so do texts with other borders between them', (t) => {
  const texts = [[], [''], ['', ''], ['ab'], ['a', 'b'], ['', 'ab'], ['ab', ''], ['ba'], ['aB'], ['ab\u0000']]
  const numbers = Array.from({ length: 20_000 }, (_, n) => [`${n}`])
  const digests = [...texts, ...numbers].map((parts) => digestOf(...parts))
  t.is(new Set(digests).size, digests.length)
  // Each half of a digest distinguishes them, too.
  for (const half of [(digest: string) => digest.slice(0, 16), (digest: string) => digest.slice(16)]) {
    t.is(new Set(digests.map(half)).size, digests.length)
  }
})

test('a digest of many texts depends on the first one', (t) => {
  const rest = Array.from({ length: 1_000 }, (_, n) => `row ${n}`)
  t.not(digestOf('a', ...rest), digestOf('b', ...rest))
})
