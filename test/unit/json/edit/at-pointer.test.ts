import test from 'ava'
import { findAt, removeAt, setAt } from '#shared/json/edit/at-pointer.ts'
import { mergeDeep, mergePatch } from '#shared/json/edit/merge.ts'
import { applyPatch, PatchFailed } from '#shared/json/edit/patch.ts'
import {
  mergeNaive,
  type Naive,
  naive,
  naiveAt,
  patchNaive,
  pointersOf,
  printNaive,
  withNaive,
} from '../../../support/load/naive-json.ts'
import { pick, randomJson, seeded } from '../../../support/load/random-json.ts'

const text = '{"b":{"x":1.0,"y":[1e400,{"z":null}]},"10":0,"2":"\\u0061","":5,"a/b":6}'

const found: [pointer: string, value: string | null][] = [
  ['', text],
  ['/b/x', '1.0'],
  ['/b/y/0', '1e400'],
  ['/b/y/1/z', 'null'],
  ['/', '5'],
  ['/a~1b', '6'],
  ['/b/y/2', null],
  ['/b/y/-', null],
  ['/b/y/00', null],
  ['/b/x/0', null],
  ['/nothing', null],
  ['b', null],
]
for (const [pointer, value] of found) test(`at "${pointer}" is ${value}`, (t) => t.is(findAt(text, pointer), value))

const set: [claim: string, pointer: string, expected: string][] = [
  ['the whole value is replaced', '', '7'],
  ['a member is replaced in its place', '/b', '{"b":7,"l":[1,2]}'],
  ['a missing member is added', '/c', '{"b":{},"l":[1,2],"c":7}'],
  ['an element is replaced', '/l/0', '{"b":{},"l":[7,2]}'],
  ['the position after the last appends', '/l/2', '{"b":{},"l":[1,2,7]}'],
  ['- appends', '/l/-', '{"b":{},"l":[1,2,7]}'],
]
for (const [claim, pointer, expected] of set) {
  test(`set: ${claim}`, (t) => t.is(setAt('{"b":{},"l":[1,2]}', pointer, '7'), expected))
}

test('a value is not set without a parent, and a missing value is not removed', (t) => {
  for (const pointer of ['/c/d', '/l/3', '/l/01', '/b/c/d']) {
    t.throws(() => setAt('{"b":{},"l":[1,2]}', pointer, '7'), { instanceOf: PatchFailed }, pointer)
  }
  for (const pointer of ['', '/c', '/l/2', '/l/-', '/b/c']) {
    t.throws(() => removeAt('{"b":{},"l":[1,2]}', pointer), { instanceOf: PatchFailed }, pointer)
  }
})

const rounds = 400

test('after a set, remove or merge everything else is unchanged, byte for byte', (t) => {
  const random = seeded(4_711)
  for (let round = 0; round < rounds; round++) {
    const before = randomJson(random).compact
    const value = randomJson(random, 3).compact
    const tree = naive(before)
    t.is(printNaive(tree), before)
    const pointer = pick(random, pointersOf(tree) as [string, ...string[]])
    t.is(findAt(before, pointer), printNaive(naiveAt(tree, pointer)))
    t.is(setAt(before, pointer, value), printed(withNaive(tree, pointer, naive(value))))
    if (pointer !== '') t.is(removeAt(before, pointer), printed(withNaive(tree, pointer, undefined)))
    t.is(mergeDeep(before, value), printNaive(mergeNaive(tree, naive(value))))
    t.is(mergePatch(before, value), printNaive(patchNaive(tree, naive(value))))
  }
})

test('many consecutive operations change only what they name', (t) => {
  const random = seeded(815)
  for (let round = 0; round < rounds; round++) {
    const before = randomJson(random).compact
    let tree = naive(before)
    const operations = Array.from({ length: 5 }, () => {
      const path = pick(random, pointersOf(tree) as [string, ...string[]])
      const value = randomJson(random, 2).compact
      const remove = path !== '' && random() < 0.4
      tree = withNaive(tree, path, remove ? undefined : naive(value)) as Naive
      return remove ? { op: 'remove' as const, path } : { op: 'replace' as const, path, value }
    })
    t.is(applyPatch(before, operations, { maxLength: 1_000_000 }), printNaive(tree))
  }
})

function printed(tree: Naive | undefined): string {
  return tree === undefined ? '' : printNaive(tree)
}
