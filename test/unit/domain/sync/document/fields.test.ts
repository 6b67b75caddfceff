import test from 'ava'
import type { Field } from '#shared/domain/fields/field.ts'
import { ruleOf } from '#shared/domain/sync/document/fields.ts'

const about = 'A field.'

test('a field of a kind without a rule for documents is rejected when the service starts', (t) => {
  const others: Field[] = [
    { kind: 'integer', about },
    { kind: 'time', about },
    { kind: 'list', of: 'id', max: 1, about },
    { kind: 'json', about },
    { kind: 'rules', about },
  ]
  for (const field of others) t.throws(() => ruleOf(field), { message: /needs a rule of its own/ }, field.kind)
})

test('a null is valid only where a field may be null', (t) => {
  const errorsFor = (nullable: { nullable?: true }) => ruleOf({ kind: 'flag', about, ...nullable }).errors(null, 'x')
  t.deepEqual(errorsFor({ nullable: true }), [])
  t.deepEqual(errorsFor({}), [{ path: 'x', message: 'must be true or false' }])
})
