import test from 'ava'
import { routes } from '#services/gateway/resources/index.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { call } from '../../../../support/http/client.ts'
import { startGateway } from '../../../../support/http/gateway.ts'
import { ruledItems } from '../../../../support/rules/ruled-gateway.ts'
import { shared } from '../../../../support/test-context/shared.ts'

const world = shared(async (t) => {
  const gateway = await startGateway(t, { routes })
  return { gateway, at: await ruledItems(gateway) }
})

type Event = { actor: { tokenId: string | null }; snapshot: { data: { status: string; team: string } } }

test('whatever changes during the decision about a write, it is committed only if a state allows it', async (t) => {
  const { gateway, at } = await world()
  const path = `${at.path}/items/${at.items.plan}`
  const ofItems = { resourceType: 'item', listIds: [at.listId] } as const
  const draft = { status: 'eq:draft' }
  const permissions: PermissionRule[] = [
    { mode: 'allow', action: 'view', ...ofItems, listIds: [at.listId] },
    { mode: 'allow', action: 'update', ...ofItems, listIds: [at.listId], where: draft, changes: ['/team'] },
  ]
  const created = await at.ask({ method: 'POST', path: '/tokens', body: { name: 'app', permissions } })
  const token = `/tokens/${created.json?.id}`
  const headers = { 'x-api-token': String(created.json?.value) }
  const put = (body: object) => at.ask({ method: 'PUT', path, body })
  const write = (n: number) =>
    call(gateway.port, { method: 'POST', path: `${path}/data`, headers, body: { team: `by token ${n}` } })
  let allowed = 0
  async function writeOften() {
    for (let n = 0; n < 60; n++) {
      const { status, json } = await write(n)
      allowed += Number(status === 200)
      t.true(status === 200 || (status === 403 && json?.name === 'TOKEN_NOT_AUTHORIZED'), `${status} ${json?.name}`)
    }
  }
  async function flip() {
    for (let n = 0; n < 20; n++) {
      const status = n % 2 === 0 ? 'published' : 'draft'
      await put({ data: { status, team: 'by user' } })
      const index = `${at.path}/indexes/status`
      if (n % 5 === 4)
        for (const filtering of [false, true]) await at.ask({ method: 'PUT', path: index, body: { filtering } })
      if (n % 7 === 6)
        for (const rules of [[], permissions])
          await at.ask({ method: 'PUT', path: token, body: { permissions: rules } })
    }
  }
  await Promise.all([writeOften(), writeOften(), flip()])
  await put({ data: { status: 'draft', team: 'by user' } })
  t.is((await write(1_000)).status, 200)
  allowed++
  const events: Event[] = []
  for (let after: string | null = ''; after !== null; ) {
    const query = `includeSnapshot=true&limit=100&after=${encodeURIComponent(after)}`
    const { json } = await at.ask({ path: `${path}/events?${query}` })
    events.push(...(Object(json).data as Event[]))
    after = Object(json).next
  }
  const oldestFirst = events.toReversed()
  let added = 0
  for (const [n, { actor, snapshot }] of oldestFirst.entries()) {
    if (actor.tokenId !== created.json?.id) continue
    added++
    t.deepEqual([oldestFirst[n - 1]?.snapshot.data.status, snapshot.data.status], ['draft', 'draft'])
  }
  t.is(added, allowed)
})
