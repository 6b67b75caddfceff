import { contains, eq, starts } from '#client/src/filters.ts'
import { route } from '#client/src/transport.ts'
import { here } from '../address/location.ts'
import { stepsOf } from '../address/pattern.ts'
import { account, client } from '../api/client.ts'
import { useResource } from '../api/resource.ts'
import { pageKeys } from '../parts/page/page-keys.ts'
import { findPage } from './pages.ts'
import { matching } from './palette-match.ts'

/** A place or an action. `more`: its kind, or its key. */
export type Entry = { label: string; more: string } & ({ to: string } | { run: () => void })

const places: readonly Entry[] = [
  { label: 'Home', more: 'go', to: '/' },
  { label: 'Lists', more: 'go', to: '/lists' },
  { label: 'Identities', more: 'go', to: '/identities' },
  { label: 'Identity groups', more: 'go', to: '/identity-groups' },
  { label: 'Tokens', more: 'go', to: '/tokens' },
  { label: 'Webhooks', more: 'go', to: '/webhooks' },
  { label: 'Deliveries', more: 'go', to: '/deliveries' },
  { label: 'Failed deliveries', more: 'go', to: '/deliveries?status=failed' },
  { label: 'Flows', more: 'go', to: '/flows' },
  { label: 'Flow runs', more: 'go', to: '/runs' },
  { label: 'Failed flow runs', more: 'go', to: '/runs?status=failed' },
  { label: 'Events', more: 'go', to: '/events' },
  { label: 'Schema', more: 'go', to: '/schema' },
  { label: 'Settings', more: 'go', to: '/settings' },
  { label: 'Create a list from JSON', more: 'do', to: '/new-list' },
  { label: 'Create an empty list', more: 'do', to: '/new-list?way=empty' },
  { label: 'Create a token', more: 'do', to: '/new-token' },
  { label: 'Add a webhook', more: 'do', to: '/new-webhook' },
  { label: 'Create a flow', more: 'do', to: '/new-flow' },
  { label: 'Apply a sync document', more: 'do', to: '/schema' },
]

/**
 * The entries that match a text: an item of the open list, actions of the page and the frame, places, lists, tokens, flows, identities.
 * @param actions of the frame
 */
export function useEntries(text: string, actions: readonly Entry[]): readonly Entry[] {
  const list = openList()
  const item = useItem(list, text)
  const lists = useLists(text)
  const others = useOthers(text)
  const ofPage = pageKeys.value.map(({ what, key, run }) => ({ label: what, more: key, run }))
  const named = matching(
    [...ofPage, ...(list === null ? [] : ofList(list)), ...places, ...actions, ...lists, ...others],
    text,
  )
  return [...item, ...ofId(text), ...named].filter(
    (entry) => !('to' in entry) || findPage(entry.to.replace(/\?.*/, '')) !== null,
  )
}

/** The path name or id of the list of the page. */
function openList(): string | null {
  const [, section, list] = stepsOf(here.value.path) ?? []
  return section === 'lists' && list ? list : null
}

const ofList = (list: string): Entry[] => [
  { label: `Items of ${list}`, more: 'go', to: route`/lists/${list}` },
  { label: `Add an item to ${list}`, more: 'do', to: route`/lists/${list}/new-item` },
  { label: `Import items into ${list}`, more: 'do', to: route`/lists/${list}/import` },
  { label: `Export the items of ${list}`, more: 'do', to: route`/lists/${list}/export` },
  { label: `Schema of ${list}`, more: 'go', to: route`/lists/${list}/schema` },
  { label: `Indexes of ${list}`, more: 'go', to: route`/lists/${list}/indexes` },
  { label: `Activity of ${list}`, more: 'go', to: route`/lists/${list}/activity` },
  { label: `Change the settings of ${list}`, more: 'do', to: route`/lists/${list}/settings` },
]

function useLists(text: string): Entry[] {
  const found = useResource(`lists named ${text}`, (signal) =>
    client.lists.all({ where: text ? { name: contains(text) } : {}, limit: 20, signal }).page(1),
  )
  return (found.data?.data ?? []).map(({ name, pathName }) => ({
    label: name || pathName,
    more: name && name !== pathName ? pathName : 'list',
    to: route`/lists/${pathName}`,
  }))
}

/** The limit for each kind. */
const mostOthers = 5

/** Tokens and flows with a text in their names, and identities whose names begin with it, as their index can find only prefixes. */
function useOthers(text: string): Entry[] {
  const found = useResource(text.length < 2 ? null : `tokens, flows and identities named ${text}`, async (signal) => {
    const options = { limit: mostOthers, signal }
    const [tokens, flows, identities] = await Promise.all([
      account.tokens.all({ ...options, where: { name: contains(text) } }).page(1),
      client.flowDefinitions.all({ ...options, where: { name: contains(text) } }).page(1),
      client.identities.all({ ...options, where: { name: starts(text) } }).after(),
    ])
    return [
      ...tokens.data.map(({ id, name }) => ({ label: name, more: 'token', to: route`/tokens/${id}` })),
      ...flows.data.map(({ id, name }) => ({ label: name, more: 'flow', to: route`/flows/${id}` })),
      ...identities.data.map(({ id, name, group }) => ({
        label: name,
        more: group === null ? 'identity' : `identity of ${group}`,
        to: route`/identities/${id}`,
      })),
    ]
  })
  return text.length < 2 || !found.data ? [] : found.data
}

const idForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Entries for an id that was copied from a log. */
function ofId(text: string): Entry[] {
  if (!idForm.test(text)) return []
  const id = text.toLowerCase()
  return [
    { label: `Deliveries of the event ${id}`, more: 'go', to: `/deliveries?eventId=${id}` },
    { label: `Deliveries about the item ${id}`, more: 'go', to: `/deliveries?itemId=${id}` },
    { label: `The run ${id}`, more: 'go', to: `/runs/${id}` },
    { label: `The webhook ${id}`, more: 'go', to: `/webhooks/${id}` },
  ]
}

/** The item of a list whose alias or id is the text. */
function useItem(list: string | null, text: string): Entry[] {
  const key = list === null || text === '' ? null : `item of ${list} called ${text}`
  const found = useResource(key, async (signal) => {
    const items = client.list(list ?? '')
    const options = { includeData: false, signal }
    if (idForm.test(text)) return (await items.get(text, options)).id
    const { data } = await items.items({ ...options, where: { alias: eq(text) }, limit: 1 }).page(1)
    return data[0]?.id ?? null
  })
  if (key === null || found.isOld || found.error || !found.data) return []
  return [{ label: text, more: `item of ${list}`, to: route`/lists/${list ?? ''}/items/${found.data}` }]
}
