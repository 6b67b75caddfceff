import test from 'ava'
import { ListdError } from '#client/src/error.ts'
import { fieldErrors } from '#services/dashboard/api/field-errors.ts'

const failed = (...errors: { path: string; message: string }[]) =>
  new ListdError({
    name: 'VALIDATION_FAILED',
    message: 'The request does not match the expected format.',
    details: { errors: errors.map((error) => ({ ...error, msg: error.message })) },
  })

test('the first error of a field is reported at the field, without its name', (t) => {
  const error = failed(
    { path: 'name', message: '"name" is not allowed to be empty' },
    { path: 'name', message: 'must be shorter' },
    { path: 'tags.0', message: 'must be 1 to 50 letters' },
  )
  t.deepEqual(
    [...fieldErrors(error)],
    [
      ['name', 'is not allowed to be empty'],
      ['tags', '0 must be 1 to 50 letters'],
    ],
  )
})

test('an error without details belongs to no field', (t) => {
  t.is(fieldErrors(new ListdError({ name: 'LIST_READONLY', message: 'x' })).size, 0)
})
