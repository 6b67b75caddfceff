import test from 'ava'
import { nearestApart } from '#services/dashboard/pages/drawing/layout/nearest-apart.ts'

const wishes = (...all: number[]) => all.map((wish) => ({ wish, weight: 1 }))

test('a box with enough room is at its preferred place', (t) =>
  t.deepEqual(nearestApart(wishes(0, 30, 100), [20, 20]), [0, 30, 100]))

test('boxes with the same preferred place are arranged around it, at their distance and in their order', (t) => {
  t.deepEqual(nearestApart(wishes(50, 50, 50), [10, 20]), [36.666666666666664, 46.666666666666664, 66.66666666666666])
  t.deepEqual(nearestApart(wishes(10, 0), [20]), [-5, 15])
})

test('a heavier box is moved less', (t) => {
  const [light, heavy] = nearestApart(
    [
      { wish: 0, weight: 1 },
      { wish: 0, weight: 4 },
    ],
    [10],
  )
  t.deepEqual([light, heavy], [-8, 2])
})

test('an empty list of boxes has no places', (t) => t.deepEqual(nearestApart([], []), []))
