import test from 'ava'
import { nearestApart } from '#services/dashboard/pages/drawing/layout/nearest-apart.ts'

const wishes = (...all: number[]) => all.map((wish) => ({ wish, weight: 1 }))

test('what has room is where it wants to be', (t) =>
  t.deepEqual(nearestApart(wishes(0, 30, 100), [20, 20]), [0, 30, 100]))

test('what wants to be at one place stands around it, at its distance and in its order', (t) => {
  t.deepEqual(nearestApart(wishes(50, 50, 50), [10, 20]), [36.666666666666664, 46.666666666666664, 66.66666666666666])
  t.deepEqual(nearestApart(wishes(10, 0), [20]), [-5, 15])
})

test('what weighs more is moved less', (t) => {
  const [light, heavy] = nearestApart(
    [
      { wish: 0, weight: 1 },
      { wish: 0, weight: 4 },
    ],
    [10],
  )
  t.deepEqual([light, heavy], [-8, 2])
})

test('nothing is placed nowhere', (t) => t.deepEqual(nearestApart([], []), []))
