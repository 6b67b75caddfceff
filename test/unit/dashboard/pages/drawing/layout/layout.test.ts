import test from 'ava'
import { type Laid, type Line, layOutBoxes } from '#services/dashboard/pages/drawing/layout/layout.ts'
import { pick, seeded } from '../../../../../support/load/random-json.ts'

const boxesOf = (keys: readonly string[]) => keys.map((key, n) => ({ key, width: 100 + (n % 3) * 30, height: 40 }))
const linesOf = (...lines: string[]): Line[] => lines.map((line) => ({ from: line.charAt(0), to: line.charAt(1) }))
const layersOf = ({ boxes }: Laid) => Object.fromEntries([...boxes].map(([key, { layer }]) => [key, layer]))

test('a box is one layer below the lowest box with a line to it', (t) => {
  const laid = layOutBoxes(boxesOf([...'abcde']), linesOf('ab', 'bc', 'ac', 'cd', 'ae'))
  t.deepEqual(layersOf(laid), { a: 0, b: 1, c: 2, d: 3, e: 1 })
})

test('boxes of a chain are below each other, and two branches are next to each other in the order of their ports', (t) => {
  const row = layOutBoxes(boxesOf(['a', 'b', 'c']), linesOf('ab', 'bc'))
  t.is(new Set([...row.boxes.values()].map(({ x }) => Math.round(x))).size, 1)
  const { boxes } = layOutBoxes(boxesOf([...'abcd']), linesOf('ab', 'ac', 'bd', 'cd'))
  t.true((boxes.get('b')?.x ?? 0) < (boxes.get('c')?.x ?? 0))
})

test('lines that close a cycle, connect a box to itself or come from nowhere do not prevent a drawing', (t) => {
  const laid = layOutBoxes(boxesOf([...'abcx']), linesOf('ab', 'bc', 'ca', 'bb', 'zb', 'cz'))
  t.deepEqual(layersOf(laid), { a: 0, b: 1, c: 2, x: 0 })
  t.deepEqual(layOutBoxes([], []), { width: 0, height: 0, boxes: new Map(), bends: [] })
})

test('a line passes other layers between their boxes, and lines to the same box share their path', (t) => {
  const { bends } = layOutBoxes(boxesOf([...'abcd']), linesOf('ab', 'bc', 'cd', 'ad', 'bd'))
  t.deepEqual(
    bends.map((way) => way.length),
    [0, 0, 0, 2, 1],
  )
  t.deepEqual(bends[3]?.[1], bends[4]?.[0])
})

test('no two boxes of a drawing overlap, and all of them are inside it', (t) => {
  for (let seed = 1; seed <= 30; seed++) {
    const random = seeded(seed)
    const keys = Array.from({ length: 40 }, (_, n) => `n${n}`) as [string, ...string[]]
    const lines = Array.from({ length: 60 }, () => ({ from: pick(random, keys), to: pick(random, keys) }))
    const { boxes, width, height } = layOutBoxes(boxesOf(keys), lines)
    const placed = [...boxes.values()]
    for (const one of placed) {
      t.true(one.x - one.width / 2 >= -0.01 && one.x + one.width / 2 <= width + 0.01 && one.y + one.height <= height)
      for (const other of placed)
        if (one !== other && one.layer === other.layer)
          t.true(Math.abs(one.x - other.x) >= (one.width + other.width) / 2 - 0.01, `${seed} ${one.key} ${other.key}`)
    }
  }
})
