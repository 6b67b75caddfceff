import { globSync, readFileSync } from 'node:fs'
import test from 'ava'
import { logEvents } from '#shared/log/events.ts'

const root = new URL('../../../', import.meta.url)

test('each event of the table is logged somewhere', (t) => {
  const paths = globSync('{services,shared}/**/*.ts', { cwd: root }).filter(
    (path) => !/^shared\/log\/.*events\.ts$/.test(path),
  )
  const code = paths.map((path) => readFileSync(new URL(path, root), 'utf8')).join('\n')
  t.deepEqual(
    Object.keys(logEvents).filter((name) => !code.includes(`'${name}'`)),
    [],
  )
})

test('names are a noun, a dot and what happened, and no two events have the same sentence', (t) => {
  for (const name of Object.keys(logEvents)) t.regex(name, /^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/)
  const meanings = Object.values(logEvents).map(({ meaning }) => meaning)
  t.is(new Set(meanings).size, meanings.length)
})
