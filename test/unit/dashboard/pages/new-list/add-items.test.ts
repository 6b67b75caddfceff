import test from 'ava'
import { ListdError } from '#client/src/error.ts'
import { addItems, batchesOf, itemError } from '#services/dashboard/pages/new-list/add-items.ts'

const items = (n: number) => Array.from({ length: n }, (_, i) => `{"n":${i}}`)

test('items are sent in batches of a limited number and length, in their order', (t) => {
  t.deepEqual(batchesOf([]), [])
  t.deepEqual(
    batchesOf(items(1_200)).map(({ length }) => length),
    [500, 500, 200],
  )
  t.deepEqual(batchesOf(items(1_200)).flat(), items(1_200))
  const long = `"${'x'.repeat(900_000)}"`
  t.deepEqual(
    batchesOf([long, long, long, long, long]).map(({ length }) => length),
    [2, 2, 1],
  )
})

test('added items are not added again, and each batch has its own key', async (t) => {
  const keys: unknown[] = []
  const added: number[] = []
  const batch = async (operations: unknown[], { idempotencyKey }: { idempotencyKey: string }) => {
    keys.push(`${idempotencyKey} ${operations.length}`)
  }
  const client = { list: () => ({ batch }) } as unknown as Parameters<typeof addItems>[0]
  await addItems(client, 'recipes', items(1_200), { added: 500, key: 'k', onAdded: (n) => added.push(n) })
  t.deepEqual(keys, ['k-500 500', 'k-1000 200'])
  t.deepEqual(added, [1_000, 1_200])
})

test('a problem is reported with the number of its item', (t) => {
  const errors = [{ path: 'data.serves', pointer: '/serves', message: 'must be integer', msg: '' }]
  const details = { operation: 2, errors }
  const error = new ListdError({ name: 'ITEM_SCHEMA_INVALID', message: 'It does not match.', details })
  t.is(itemError(error, 500), 'Item 503: /serves must be integer')
  t.is(itemError(new ListdError({ name: 'CONNECTION_FAILED', message: 'Gone.' }), 0), 'Gone.')
})
