import test from 'ava'
import Joi from 'joi'
import { createQueryReader } from '#services/gateway/http/input/query.ts'
import { queryBoolean, queryDate } from '#services/gateway/schemas/query-schemas.ts'

const read = createQueryReader(
  Joi.object({ dryRun: queryBoolean(), since: queryDate(), limit: Joi.number().integer().min(1).max(100) }),
)

test('unknown parameters are errors, even on a route without parameters', (t) => {
  t.deepEqual(
    read({ utm: 'x', dryRun: 'true' }).errors.map(({ path }) => path),
    ['utm'],
  )
  t.is(createQueryReader()({ utm: 'x' }).errors[0]?.path, 'utm')
  t.deepEqual(read({ listId: 'x', _: '1', dryRun: 'true' }).value, { dryRun: true })
})

test('booleans are true, false, 1 or 0', (t) => {
  for (const [text, value] of Object.entries({ true: true, false: false, 1: true, 0: false })) {
    t.is(read({ dryRun: text }).value.dryRun, value)
  }
  for (const text of ['yes', '', '2', 'on']) t.is(read({ dryRun: text }).errors[0]?.path, 'dryRun')
})

const march = Date.UTC(2026, 2, 1, 10, 0, 0)
const dates: [string, number][] = [
  ['2026-03-01T10:00:00.000Z', march],
  ['2026-03-01T10:00:00', march],
  ['2026-03-01T11:00:00+01:00', march],
  ['2026-03-01T11:00:00 01:00', march],
  ['2026-03-01', Date.UTC(2026, 2, 1)],
  ['Sun Mar 01 2026 11:00:00 GMT+0100 (Central European Standard Time)', march],
  ['Sun Mar 01 2026 11:00:00 GMT 0100 (Central European Standard Time)', march],
  ['Sun Mar 01 2026 10:00:00 GMT+0000', march],
]
for (const [text, time] of dates) {
  test(`a date as ${text} is epoch milliseconds`, (t) => t.is(read({ since: text }).value.since, time))
}

test('anything that is not a date is an error', (t) => {
  for (const text of ['yesterday', '5', '2026-13-01', '2026-02-30T10:00:00Zjunk', '']) {
    t.is(read({ since: text }).errors[0]?.path, 'since', text)
  }
})

test('all errors are reported at once, and a repeated parameter is not a single value', (t) => {
  const { errors } = read({ dryRun: ['true', 'false'], since: 'x', limit: '101', untill: 'y' })
  t.deepEqual(errors.map(({ path }) => path).sort(), ['dryRun', 'limit', 'since', 'untill'])
})

test('a parameter of one value that is sent twice is reported as such, whatever its type', (t) => {
  const schema = Joi.object({
    limit: Joi.number(),
    name: Joi.string(),
    order: Joi.valid('a'),
    any: Joi.alternatives(Joi.boolean(), Joi.string().valid('any')),
    tags: Joi.array().items(Joi.string()).max(2),
  })
  const two = ['1', '1']
  const { errors } = createQueryReader(schema)({ limit: two, name: two, order: two, any: two, tags: [...two, '1'] })
  const messages = Object.fromEntries(errors.map(({ path, message }) => [path, message]))
  for (const name of ['limit', 'name', 'order', 'any']) t.is(messages[name], `"${name}" is given more than once`)
  t.regex(messages.tags ?? '', /less than or equal to 2/)
  t.is(errors.length, 5)
})
