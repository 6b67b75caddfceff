import test from 'ava'
import { parseBatch } from '#services/gateway/resources/items/batch/batch-body.ts'
import type { AppError } from '#shared/errors.ts'

const parse = (text: string) => parseBatch(JSON.parse(text), text)

test('the data of each operation is its source text, whatever else the operation has', async (t) => {
  const text =
    '{"operations":[{"data":{"10":1.0,"2":1e400},"op":"create"},{"op":"create"},{"op":"create","data":null},' +
    '{"op":"update","item":"a","description":"\\"data\\":1","\\u0064ata":[{"data":2}]},{"op":"delete","item":"b"}]}'
  const operations = await parse(text)
  t.deepEqual(
    operations.map((operation) => ('dataText' in operation ? operation.dataText : operation.op)),
    ['{"10":1.0,"2":1e400}', undefined, 'null', '[{"data":2}]', 'delete'],
  )
})

test('for errors in many operations the first thousand are reported, and the first operation with one', async (t) => {
  const wrong = Array.from({ length: 600 }, () => '{"op":"update","item":"a","tags":1,"readonly":1}')
  const error = await t.throwsAsync<AppError>(parse(`{"operations":[{"op":"create"},${wrong.join(',')}]}`))
  t.is(Object(error?.details?.errors).length, 1_000)
  t.is(error?.details?.operation, 1)
})
