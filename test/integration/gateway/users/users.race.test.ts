import test from 'ava'
import { eventRoutes } from '#services/gateway/resources/events/routes.ts'
import { authRoutes } from '#services/gateway/resources/users/routes.ts'
import { wrongEventCounts } from '../../../support/databases/contents/events.ts'
import { makeAccount } from '../../../support/http/callers.ts'
import { call } from '../../../support/http/client.ts'
import { startGateway } from '../../../support/http/gateway.ts'

test('of concurrent new display names of one user each is in an event, and the last one stays', async (t) => {
  const { port, deps } = await startGateway(t, { routes: [...authRoutes, ...eventRoutes] })
  const { user: headers } = await makeAccount(deps.db)
  const names = Array.from({ length: 8 }, (_, n) => `name ${n}`)
  const put = (displayName: string) => call(port, { method: 'PUT', path: '/auth/self', headers, body: { displayName } })
  const replies = await Promise.all(names.map(put))
  t.deepEqual([...new Set(replies.map(({ status }) => status))], [200])
  const path = '/events?type=eq:user-updated&includeSnapshot=true'
  const events = Object((await call(port, { path, headers })).json).data as { snapshot: { displayName: string } }[]
  t.deepEqual(events.map(({ snapshot }) => snapshot.displayName).toSorted(), names)
  const { user } = Object((await call(port, { path: '/auth/self', headers })).json)
  t.true(names.includes(user.displayName))
  t.deepEqual(await wrongEventCounts(deps.db), [])
})
