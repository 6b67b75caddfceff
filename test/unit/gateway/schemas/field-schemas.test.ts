import test from 'ava'
import Joi from 'joi'
import { commonRules, validate } from '#services/gateway/http/input/validation.ts'
import { fieldSchemas } from '#services/gateway/schemas/field-schemas.ts'
import type { Field } from '#shared/domain/fields/field.ts'

/** The result for a body that sets the field `x` to the value: the value, or its errors by path. */
function read(field: Record<string, unknown>, value: unknown) {
  const fields = { x: { about: 'A field.', write: ['create'], ...field } as unknown as Field }
  const body = Joi.object(fieldSchemas(fields, 'create')).prefs({ ...commonRules, convert: false })
  const { value: read, errors } = validate<{ x: unknown }>(body, { x: value })
  return errors.length === 0 ? read.x : errors.map(({ path, message }) => `${path}: ${message}`)
}

const isInvalid = (read: unknown) => Array.isArray(read) && String(read[0]).startsWith('x')

const cases: [kind: string, field: Record<string, unknown>, valid: unknown[], invalid: unknown[]][] = [
  ['flag', { kind: 'flag' }, [true, false], ['true', 1, null]],
  ['integer', { kind: 'integer', min: 1, max: 5 }, [1, 5], [0, 6, 1.5, '1', null]],
  ['integer without bounds', { kind: 'integer' }, [-7], [Number.MAX_VALUE]],
  ['text', { kind: 'text', max: 3 }, ['', 'äbc', '😀😀😀'], ['abcd', '\u0000', 7, null]],
  ['filled text', { kind: 'text', min: 1, max: 3 }, ['a'], ['']],
  [
    'text of a form',
    { kind: 'text', max: 3, rule: { pattern: '^a+$', message: 'must be a' } },
    ['aa'],
    ['', 'b', 'aaaa'],
  ],
  ['choice', { kind: 'choice', of: ['a', 'b'] }, ['a'], ['c', null]],
  ['tags', { kind: 'list', of: 'tag', max: 2 }, [[], ['a', 'B']], [['!'], ['a', 'b', 'c'], 'a']],
  ['ids', { kind: 'list', of: 'id', max: 1 }, [['01890a5d-ac96-774b-bcce-b302099a8057']], [['a'], [1]]],
  ['networks', { kind: 'list', of: 'cidr', max: 2 }, [['10.0.0.0/8', '::1']], [['10.0.0.0/33'], ['x']]],
  ['choices', { kind: 'list', of: ['a', 'b'], max: 2 }, [['b', 'a']], [['c'], ['a', 'a', 'a']]],
  ['null where it may be', { kind: 'text', max: 3, nullable: true }, [null, 'a'], [1]],
  ['rules', { kind: 'rules' }, [[], [{ mode: 'allow', action: '*' }]], [{}, [{ mode: 'allow' }]]],
]
for (const [kind, field, valid, invalid] of cases) {
  test(`a body accepts the values of a field and no others: ${kind}`, (t) => {
    for (const value of valid) t.deepEqual(read(field, value), value)
    for (const value of invalid) t.true(isInvalid(read(field, value)), JSON.stringify(value))
  })
}

test('a text that is too long says so, whatever its required form', (t) => {
  const form = { kind: 'text', max: 3, rule: { pattern: '^a*$', message: 'must be a' } }
  t.deepEqual(read(form, 'aaaa'), ['x: "x" must be at most 3 characters long'])
  t.deepEqual(read(form, 'b'), ['x: "x" must be a'])
  t.is(read(form, ''), '')
})

test('a time is read as epoch milliseconds', (t) => {
  t.is(read({ kind: 'time' }, '1970-01-01T00:00:01Z'), 1_000)
  t.true(isInvalid(read({ kind: 'time' }, 'soon')))
})

test('each error of a rule has its own path', (t) => {
  const rules = [
    { mode: 'allow', action: 'view', itemIds: ['x'] },
    { mode: 'no', action: '*' },
  ]
  t.deepEqual(read({ kind: 'rules' }, rules), [
    'x.0.itemIds.0: "x[0].itemIds[0]" must be an id (a lower-case UUID) or *',
    'x.1.mode: "x[1].mode" must be one of allow, block',
  ])
})
