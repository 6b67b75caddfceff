import test from 'ava'
import type { Task } from '#services/gateway/validation/messages.ts'
import { createSchemaValidator } from '#services/gateway/validation/schema-validator.ts'

const list = <T>(length: number, part: (n: number) => T): T[] => Array.from({ length }, (_, n) => part(n))

/** A validator with a thread that returns the same errors for every task, and the tasks that the thread received. */
function validateWith(answer: unknown[]) {
  const asked: Task[] = []
  const schemas = createSchemaValidator({
    async run(_accountId, task) {
      asked.push(task)
      return answer
    },
  })
  const validate = (schema: unknown, value: unknown) =>
    schemas.validator('account', JSON.stringify(schema))(JSON.stringify(value), value)
  return { schemas, validate, asked }
}

const fromThread = [{ pointer: '', path: 'data', message: 'from the thread' }]
const heavy = { anyOf: list(400, (n) => ({ const: n })) }

test('a quick validation runs on this thread, immediately if the value matches', async (t) => {
  const { validate, asked } = validateWith(fromThread)
  t.deepEqual(validate({ type: 'string' }, 'a'), [])
  t.deepEqual(await validate({ type: 'string' }, 1), [{ pointer: '', path: 'data', message: 'must be string' }])
  t.deepEqual(asked, [])
})

const handedOver: [claim: string, schema: unknown, value: unknown][] = [
  ['by a heavy schema', heavy, 1],
  ['that is long', { type: 'string' }, 'a'.repeat(70_000)],
  ['that takes many steps', { items: { anyOf: [{ const: 1 }, { const: 3 }] } }, list(20_000, () => 3)],
  [
    'whose errors take many steps',
    { items: { type: 'object', allOf: list(20, () => ({ maxProperties: 1 })) } },
    [1, ...list(15_000, () => ({}))],
  ],
]
for (const [claim, schema, value] of handedOver) {
  test(`the thread validates data ${claim}, by its text`, async (t) => {
    const { validate, asked } = validateWith(fromThread)
    t.is(await validate(schema, value), fromThread)
    t.deepEqual(asked, [{ kind: 'validate', schema: JSON.stringify(schema), data: JSON.stringify(value) }])
  })
}

test('the thread checks a heavy schema', async (t) => {
  const { schemas, asked } = validateWith(fromThread)
  const text = JSON.stringify(heavy)
  t.deepEqual(await schemas.check('account', [{ text, path: 'schema' }], 10), fromThread as never)
  t.deepEqual(await schemas.check('account', [{ text: '{"type":1}', path: 'schema' }], 10), [
    {
      path: 'schema.type',
      message: 'must be one of "array", "boolean", "integer", "null", "number", "object", "string"',
    },
  ])
  t.deepEqual(asked, [{ kind: 'check', schemas: [{ text, path: 'schema' }] }])
})

test('the thread checks many light schemas, some at a time, and no valid one again', async (t) => {
  const { schemas, asked } = validateWith([])
  const many = list(3_000, (n) => ({ text: `{"description":"number ${n % 2_500}"}`, path: `lists.l${n}.schema` }))
  t.deepEqual(await schemas.check('account', many, 10), [])
  const sizes = asked.map((task) => (task.kind === 'check' ? task.schemas.length : 0))
  t.deepEqual(
    sizes,
    list(25, () => 100),
  )
  await schemas.check('account', many, 10)
  t.is(asked.length, 25, 'nor when the document is sent again')
  await schemas.check('another', many, 10)
  t.is(asked.length, 50, 'by another account')
})

test('a check ends after enough errors', async (t) => {
  const { schemas, asked } = validateWith([fromThread, fromThread])
  const many = list(3_000, (n) => ({ text: `{"description":"number ${n}"}`, path: `lists.l${n}.schema` }))
  t.is((await schemas.check('account', many, 3)).length, 4)
  t.is(asked.length, 2)
})
