import test from 'ava'
import { isFiltered, readView } from '#services/dashboard/pages/deliveries/delivery-view.ts'

const id = '01a21594-df60-743e-b0d5-5ceccccd995e'
const view = (query: string) => readView(new URLSearchParams(query))

test('an address says which deliveries are shown, by the names of the API', (t) => {
  t.deepEqual(view(`status=failed&event=item.created&responseStatus=5xx&since=24h&itemId=${id}`), {
    status: 'failed',
    event: 'item.created',
    responseStatus: '5xx',
    since: '24h',
    itemId: id,
  })
  t.deepEqual(view('responseStatus=502&error=timeout'), { responseStatus: '502', error: 'timeout' })
})

test('what an address says that no delivery can have is left out', (t) => {
  t.deepEqual(view('status=lost&event=item.moved&responseStatus=6xx&error=odd&since=1y&eventId=x&__proto__=1'), {})
})

test('the webhook of a page is no filter on it', (t) => {
  t.false(isFiltered({ webhookId: id }))
  t.true(isFiltered({ webhookId: id, since: '1h' }))
})
