import test from 'ava'
import Joi from 'joi'
import { createQueryReader } from '#services/gateway/http/input/query.ts'
import { unknownParameters } from '#services/gateway/http/input/unknown-parameters.ts'

const others = { names: ['cuisine', 'index.cuisine', 'n'], description: "the path names of the list's indexes" }
const known = { parameters: ['page', 'limit', 'tagged'], others }

const hints: Record<string, string> = {
  cuisni: '; did you mean "cuisine"?',
  LIMIT: '; did you mean "limit"?',
  'index.cuisin': '; did you mean "index.cuisine"?',
  'tagged[]': '; write it without brackets, as tagged=…',
  'tagged[0]': '; write it without brackets, as tagged=…',
  'indexFilters[cuisine]': '; write it without brackets, as cuisine=…',
  'where[cuisin][eq]': '; write it without brackets, as cuisine=…',
  search: "; it has page, limit, tagged and the path names of the list's indexes",
  q: "; it has page, limit, tagged and the path names of the list's indexes",
}
for (const [name, hint] of Object.entries(hints)) {
  test(`the parameter ${name} is unknown, and the error names the intended one`, (t) => {
    t.deepEqual(unknownParameters([name], known), [
      { path: name, message: `"${name}" is not a query parameter of this route${hint}` },
    ])
  })
}

test('a route without parameters says so', (t) => {
  const [error] = unknownParameters(['dryRun'], { parameters: [] })
  t.is(error?.message, '"dryRun" is not a query parameter of this route, which has none')
})

test('parameters of existing clients, and names that begin with _, are ignored', (t) => {
  const ignored = ['pointer', 'generate', 'listId', 'itemId', 'indexId', 'identityId', '_', '_t', '__proto__']
  t.deepEqual(unknownParameters(ignored, known), [])
  t.is(unknownParameters(['Pointer', 'list', ''], known).length, 3)
})

test('each of 1,000 unknown parameters is an error, and few are compared with others', (t) => {
  const names = Array.from({ length: 1_000 }, (_, n) => `cuisin${n}`)
  const errors = unknownParameters(names, known)
  t.is(errors.length, 1_000)
  t.is(errors.filter(({ message }) => message.includes('did you mean')).length, 5)
})

test('an error does not repeat a long name', (t) => {
  const [error] = unknownParameters(['x'.repeat(10_000)], known)
  t.true(JSON.stringify(error).length < 1_000)
})

const read = createQueryReader(Joi.object({ limit: Joi.number(), title: Joi.string() }))
const pathsOf = (url: string) => {
  const query = Object.fromEntries(new URL(url, 'http://x').searchParams)
  return read(query, url).errors.map(({ path }) => path)
}

test('text that is not UTF-8 is an error, and is not replaced', (t) => {
  t.deepEqual(pathsOf('/?title=caf%E9&limit=1'), ['title'])
  t.deepEqual(pathsOf('/?title=caf%C3%A9%20100%25'), [])
  t.deepEqual(pathsOf('/?title=100%'), [])
})

test('a query with too many parameters is an error', (t) => {
  t.deepEqual(pathsOf(`/?${'title=x&'.repeat(999)}limit=1`), [])
  t.deepEqual(pathsOf(`/?${'title=x&'.repeat(1_000)}limit=1`), ['query'])
})
