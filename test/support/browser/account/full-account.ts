import type { Teardown } from '../../test-context/teardown.ts'
import { deliveriesOf, quickRetries, untilTotal } from '../../webhooks/deliveries.ts'
import { addWebhook, type Scene, setScene } from '../../webhooks/scene.ts'
import { fillFlows } from './flows.ts'
import { good } from './good.ts'
import { fillLists } from './lists.ts'
import { fillIdentities, fillTokens } from './people.ts'

/** An account after some months of use: full tables, long texts, failures. */
export type FullAccount = Pick<Scene, 'listd'> & {
  /** Its pages with an id in their address, and those that look different with much data. */
  pages: readonly { name: string; path: string }[]
}

/** Starts listd with a board of events, with much data for each page. Deliveries fail within moments. */
export async function fullAccount(t: Teardown): Promise<FullAccount> {
  const scene = await setScene(t, { webhooks: 0, env: quickRetries })
  const { listd, receiver } = scene
  const [api, user] = [good(listd.api), good(listd.user)]
  const failing = await addWebhook(scene, {
    path: '/hooks/of-the-newsletter',
    events: ['item.created', 'item.updated'],
  })
  receiver.reply = { status: 502, body: '<h1>The app is down</h1>' }
  const { event } = await fillLists(api)
  await untilTotal(deliveriesOf(scene, failing).list, '?status=failed', 20)
  receiver.reply = {}
  await addWebhook(scene, { path: '/hooks/of-the-search-engine' })
  await api('POST', '/lists/venues/items', { body: { data: { name: 'Town hall' } } })
  const { identity } = await fillIdentities(user)
  const token = await fillTokens(user, { identity, board: (await user('GET', '/lists/board')).json.id })
  const { flow, runs } = await fillFlows(listd)
  const delivery = (await deliveriesOf(scene, failing).list('?status=failed')).json.data[0].id
  const logged = (await user('GET', '/events?limit=1&stream=item')).json.data[0].id
  const pages = [
    { name: 'home', path: '/' },
    { name: 'lists', path: '/lists' },
    { name: 'items', path: '/lists/board' },
    { name: 'items-filtered', path: '/lists/board?begins=after:2026-01-01&state=eq:announced' },
    { name: 'items-mixed', path: '/lists/mixed' },
    { name: 'item', path: `/lists/board/items/${event}` },
    { name: 'item-text', path: `/lists/board/items/${event}?view=text` },
    { name: 'item-history', path: `/lists/board/items/${event}?tab=history` },
    { name: 'item-details', path: `/lists/board/items/${event}?tab=details` },
    { name: 'new-item', path: '/lists/board/new-item' },
    { name: 'list-schema', path: '/lists/board/schema' },
    { name: 'list-indexes', path: '/lists/board/indexes' },
    { name: 'new-index', path: '/lists/board/indexes?new=1' },
    { name: 'list-activity', path: '/lists/board/activity' },
    { name: 'failed-index', path: '/lists/mixed/indexes' },
    { name: 'schema-export', path: '/schema?tab=export' },
    { name: 'schema-scopes', path: '/schema?tab=scopes' },
    { name: 'events', path: '/events' },
    { name: 'event', path: `/events?event=${logged}` },
    { name: 'identities', path: '/identities' },
    { name: 'identity', path: `/identities/${identity}` },
    { name: 'groups', path: '/identity-groups' },
    { name: 'group', path: '/identity-groups/members' },
    { name: 'tokens', path: '/tokens' },
    { name: 'token', path: `/tokens/${token}` },
    { name: 'token-try', path: `/tokens/${token}?tab=try` },
    { name: 'token-settings', path: `/tokens/${token}?tab=settings` },
    { name: 'webhooks', path: '/webhooks' },
    { name: 'webhook', path: `/webhooks/${failing.id}` },
    { name: 'webhook-settings', path: `/webhooks/${failing.id}?tab=settings` },
    { name: 'webhook-verify', path: `/webhooks/${failing.id}?tab=verify` },
    { name: 'deliveries', path: '/deliveries' },
    { name: 'delivery', path: `/deliveries?delivery=${delivery}&of=${failing.id}` },
    { name: 'flows', path: '/flows' },
    { name: 'flow', path: `/flows/${flow}` },
    { name: 'flow-runs', path: `/flows/${flow}?tab=runs` },
    { name: 'flow-try', path: `/flows/${flow}?tab=try` },
    { name: 'runs', path: '/runs' },
    ...[
      '/lists/board/import',
      '/lists/board/export',
      `/lists/board/items/${event}?tab=api`,
      '/settings',
      '/schema',
      '/new-list?way=empty',
      '/new-token',
      '/new-webhook',
      '/new-flow',
      `/flows/${flow}?tab=tests`,
      `/flows/${flow}?tab=versions`,
      `/flows/${flow}?tab=settings`,
    ].map((path) => ({ name: path, path })),
    ...runs.map((run, n) => ({ name: `run-${n + 1}`, path: `/runs/${run}` })),
  ]
  return { listd, pages }
}
