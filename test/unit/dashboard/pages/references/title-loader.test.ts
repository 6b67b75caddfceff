import test from 'ava'
import { titleLoader } from '#services/dashboard/pages/references/title-loader.ts'

function scene() {
  const asked: [string, readonly string[]][] = []
  const load = titleLoader(async (list, names) => {
    asked.push([list, names])
    if (list === 'gone') throw new Error('no such list')
    return new Map(names.filter((name) => name !== 'unknown').map((name) => [name, `Title of ${name}`]))
  }, 0)
  return { asked, load }
}

test('titles requested at the same time are one request for each list, which names each id once', async (t) => {
  const { asked, load } = scene()
  const titles = await Promise.all([
    load('a', 'x'),
    load('b', 'x'),
    load('a', 'y'),
    load('a', 'x'),
    load('a', 'unknown'),
  ])
  t.deepEqual(titles, ['Title of x', 'Title of x', 'Title of y', 'Title of x', null])
  t.deepEqual(asked, [
    ['a', ['x', 'y', 'unknown']],
    ['b', ['x']],
  ])
  t.is(await load('a', 'z'), 'Title of z')
  t.is(asked.length, 3)
})

test('one request is for at most a hundred titles', async (t) => {
  const { asked, load } = scene()
  await Promise.all(Array.from({ length: 250 }, (_, n) => load('a', String(n))))
  t.deepEqual(
    asked.map(([, names]) => names.length),
    [100, 100, 50],
  )
})

test('a failed request is reported to all callers that wait for it', async (t) => {
  const { load } = scene()
  const ends = await Promise.allSettled([load('gone', 'x'), load('gone', 'y'), load('a', 'x')])
  t.deepEqual(
    ends.map(({ status }) => status),
    ['rejected', 'rejected', 'fulfilled'],
  )
})
