import test from 'ava'
import { compactInSteps, parseInSteps } from '#shared/json/text/pieces.ts'
import { resultOf } from '#shared/json/text/result-of.ts'
import { scanInSteps, scanJson } from '#shared/json/text/text.ts'
import { randomJson, seeded } from '../../../support/load/random-json.ts'

/** A text that is read in pieces of about `every` bytes. */
function inPieces(text: string, every: number) {
  const bytes = Buffer.from(text)
  const { cuts, ...scan } = resultOf(scanInSteps(bytes, { maxDepth: 200, every }))
  const whole = { start: 0, end: bytes.length, spaces: scan.spaces }
  return {
    bytes,
    cuts,
    scan,
    parsed: () => resultOf(parseInSteps({ bytes, cuts })),
    compact: () => resultOf(compactInSteps({ bytes, cuts }, whole)),
  }
}

test('a text in pieces of any size has the value, the members and the compact text of the whole', (t) => {
  const random = seeded(81_263)
  for (let round = 0; round < 400; round++) {
    const { written, compact } = randomJson(random)
    for (const every of [1, 2, 5, 20, 1_000]) {
      const { bytes, scan, ...pieces } = inPieces(written, every)
      const { members, memberCount, depth, spaces } = scanJson(bytes)
      t.like(scan, { members, memberCount, depth, spaces })
      t.deepEqual(pieces.parsed(), { value: JSON.parse(written), memberCount })
      t.is(pieces.compact(), compact)
    }
  }
})

test('a text that JSON.parse rejects is rejected in pieces too', (t) => {
  const random = seeded(4_711)
  const isJson = (text: string) => {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }
  let malformed = 0
  for (let round = 0; round < 4_000; round++) {
    const { written } = randomJson(random)
    const at = Math.floor(random() * written.length)
    const inserted = [',', ']', '}', '[', '{', ':', '"', '0', ''][Math.floor(random() * 9)] ?? ''
    const text = `${written.slice(0, at)}${inserted}${written.slice(at + 1)}`
    if (isJson(text)) continue
    malformed++
    for (const every of [1, 3, 10]) {
      const { scan, parsed } = inPieces(text, every)
      t.true(scan.loneSurrogate || parsed() === null, text)
    }
  }
  t.true(malformed > 1_000)
})

for (const text of [
  '[1,]',
  '{"a":1,}',
  '[1,2',
  '[1,2]]',
  '[1,2],3',
  '{"a":[1,2},"b":1}',
  '1,2',
  '[1,,2]',
  '[[,1]]',
  '[{ ,"a":1}]',
  '[1, ,2]',
]) {
  test(`${text} is malformed in pieces, too`, (t) => t.is(inPieces(text, 1).parsed(), null))
}

test('a key that an object repeats in another piece counts once', (t) => {
  const text = '{"a":{"x":[1,2],"y":1,"x":[3,4]},"b":0,"a":1}'
  t.deepEqual(inPieces(text, 1).parsed(), { value: JSON.parse(text), memberCount: 4 })
  t.is(scanJson(Buffer.from(text)).memberCount, 6)
})

test('__proto__ is a key like any other in every piece', (t) => {
  const text = '{"a":1,"__proto__":{"b":1,"__proto__":[1,2,3]},"c":1}'
  const { value } = inPieces(text, 1).parsed() ?? {}
  t.is(JSON.stringify(value), text)
})

test('no step gets more than its bytes and the token that it ends in', (t) => {
  const text = JSON.stringify(Array.from({ length: 20_000 }, (_, n) => ({ [`key${n}`]: [n, { deep: ['x', n] }] })))
  const { bytes, cuts } = inPieces(text, 1_000)
  const ends = [0, ...cuts.map(({ at }) => at), bytes.length]
  const longest = Math.max(...ends.slice(1).map((end, n) => end - (ends[n] ?? 0)))
  t.true(longest <= 1_000 + '{"key12345":[12345,'.length, String(longest))
})

test('scanning a text with too many levels ends at the step that finds them', (t) => {
  const { scan } = inPieces('['.repeat(1_000_000), 1_000)
  t.is(scan.depth, 1_000)
})
