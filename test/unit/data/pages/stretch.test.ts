import test from 'ava'
import type { Bounds, Stretch } from '#shared/data/pages/stretch.ts'
import { narrowed } from '#shared/data/pages/stretch.ts'

const at = (key: number, id = 'm') => ({ key, id })
const none: Bounds<number> = { lowest: null, highest: null }

test('a stretch ends at the nearer of its own ends and the bounds, in both directions', (t) => {
  const bounds = { lowest: at(10), highest: at(20) }
  const cases: [stretch: Stretch<number>, from: number | null, to: number | null][] = [
    [{ direction: 'asc', from: null, to: null }, 10, 20],
    [{ direction: 'desc', from: null, to: null }, 20, 10],
    [{ direction: 'asc', from: at(5), to: at(30) }, 10, 20],
    [{ direction: 'desc', from: at(30), to: at(5) }, 20, 10],
    [{ direction: 'asc', from: at(12), to: at(15) }, 12, 15],
    [{ direction: 'desc', from: at(15), to: at(12) }, 15, 12],
  ]
  for (const [stretch, from, to] of cases) {
    const found = narrowed(stretch, bounds)
    t.deepEqual([found.from?.key ?? null, found.to?.key ?? null], [from, to])
    t.is(narrowed(stretch, none).from?.key, stretch.from?.key)
    t.is(narrowed(stretch, none).to?.key, stretch.to?.key)
  }
})

test('equal keys are distinguished by their ids', (t) => {
  const stretch = { direction: 'desc', from: at(7, 'b'), to: null } as const
  t.is(narrowed(stretch, { ...none, highest: at(7, 'a') }).from?.id, 'a')
  t.is(narrowed(stretch, { ...none, highest: at(7, 'c') }).from?.id, 'b')
})
