import test from 'ava'
import { isFiltered, readView } from '#services/dashboard/pages/deliveries/delivery-view.ts'

const id = '01a21594-df60-743e-b0d5-5ceccccd995e'
const view = (query: string) => readView(new URLSearchParams(query))

test('an address says which deliveries are shown, with the names of the API', (t) => {
  t.deepEqual(view(`status=failed&event=item.created&responseStatus=5xx&since=24h&itemId=${id}`), {
    status: 'failed',
    event: 'item.created',
    responseStatus: '5xx',
    since: '24h',
    itemId: id,
  })
  t.deepEqual(view('responseStatus=502&error=timeout'), { responseStatus: '502', error: 'timeout' })
})

test('values in an address that no delivery can have are ignored', (t) => {
  t.deepEqual(view('status=lost&event=item.moved&responseStatus=6xx&error=odd&since=1y&eventId=x&__proto__=1'), {})
})

test('the webhook of a page does not count as a filter', (t) => {
  t.false(isFiltered({ webhookId: id }))
  t.true(isFiltered({ webhookId: id, since: '1h' }))
})
