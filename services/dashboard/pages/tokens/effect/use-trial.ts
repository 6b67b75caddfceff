import { useState } from 'preact/hooks'
import type { ListdError } from '#client/src/error.ts'
import { client } from '#services/dashboard/api/client.ts'
import { useResource } from '#services/dashboard/api/resource.ts'
import { messageOf } from '#services/dashboard/parts/problems/problem.tsx'
import { accessCalls } from '#shared/domain/access/calls.ts'
import type { ActingIdentity } from '#shared/domain/access/permissions.ts'
import type { Thing } from '#shared/domain/access/verdict.ts'
import type { Item } from '#shared/domain/item/item.ts'
import type { Known } from './known.ts'
import { toItem } from './tried-item.ts'

export const nameOf = ({ about, name }: (typeof accessCalls)[number]) => `${about}: ${name}`

type TrialField = {
  label: string
  help: string
  value: string
  onValue: (value: string) => void
  problem?: string | undefined
  /** Lines of the field, for a text of several lines. */
  lines?: number
}

export type Trial = ReturnType<typeof useTrial>

/** The call to try, its fields, and the things that they name, if they exist. */
export function useTrial({ lists, groups }: Known) {
  const [chosen, setChosen] = useState('items: view')
  const [listId, setList] = useState(lists[0]?.id ?? '')
  const [item, setItem] = useState('')
  const [data, setData] = useState('')
  const [identity, setIdentity] = useState('')
  const [flow, setFlow] = useState('')
  const [acting, setActing] = useState('')
  const [askedAt] = useState(() => Date.now())
  const call = accessCalls.find((one) => nameOf(one) === chosen) ?? accessCalls[0]
  const list = lists.find(({ id }) => id === listId)
  const aboutItem = call.route.includes('{item}')
  const aboutIdentity = call.about === 'identities'
  const writesData = call.about === 'items' && (call.name === 'create' || call.name === 'update')
  const found = useItem(aboutItem ? list?.pathName : undefined, item, listId)
  const subject = useIdentity(aboutIdentity ? identity : '')
  const who = useIdentity(acting)
  const thing: Thing = { identity: { group: subject.data?.group ?? null } }
  if (thing.identity && subject.data) thing.identity.id = subject.data.id
  if (list) thing.list = list
  if (call.about === 'flows' && flow) thing.flowId = flow
  if (found.data)
    thing.item = { id: found.data.id, activated: found.data.activated, ownerId: found.data.identity?.id ?? null }
  const itemField = { ...named.item, value: item, onValue: setItem, problem: reported(found.error) }
  const dataField = { ...named.data, value: data, onValue: setData, problem: dataProblem(data), lines: 3 }
  const identityField = { ...named.identity, value: identity, onValue: setIdentity, problem: reported(subject.error) }
  const fields: readonly TrialField[] = [
    ...(aboutItem ? [itemField] : []),
    ...(writesData ? [dataField] : []),
    ...(aboutIdentity ? [identityField] : []),
    ...(call.about === 'flows' ? [{ ...named.flow, value: flow, onValue: setFlow }] : []),
    { ...named.acting, value: acting, onValue: setActing, problem: reported(who.error) },
  ]
  const listName = list?.pathName ?? 'any list'
  const row = aboutIdentity ? identity || 'any identity' : call.about === 'flows' ? flow || 'any flow' : listName
  const used = writesData && data && dataProblem(data) === undefined ? data : null
  const actingFor = who.data ? actingOf(who.data, groups) : null
  return {
    chosen,
    setChosen,
    listId,
    setList,
    list,
    item,
    call,
    row,
    thing,
    acting: actingFor,
    found: found.data,
    data: used,
    askedAt,
    fields,
  }
}

const whoHelp = 'An id, group/name, or /name without a group.'
const named = {
  item: { label: 'Item', help: 'Its id or alias; empty: an item that no rule names and no identity owns.' },
  data: { label: 'Data afterwards', help: 'As JSON; empty: unknown; only the state before is checked.' },
  identity: { label: 'Identity', help: whoHelp },
  flow: { label: 'Flow', help: 'Its id. Leave empty for any that no rule names.' },
  acting: { label: 'Acting for', help: `${whoHelp} Leave empty for nobody.` },
} as const

const reported = (error: ListdError | undefined) => (error ? messageOf(error) : undefined)

function dataProblem(text: string): string | undefined {
  try {
    if (text !== '') JSON.parse(text)
    return undefined
  } catch {
    return 'must be JSON'
  }
}

type FoundIdentity = { id: string; name: string; group: string | null; tags: string[] }

function actingOf({ id, name, group, tags }: FoundIdentity, groups: readonly string[]): ActingIdentity {
  const groupIsAmbiguous = groups.some((one) => one !== group && one.toLowerCase() === group?.toLowerCase())
  return { id, name, tags, groupName: group, groupIsAmbiguous }
}

function useIdentity(named: string) {
  const found = useResource(named ? `identity ${named}` : null, (signal) => client.identities.get(named, { signal }))
  return { error: found.error, data: found.isOld ? undefined : found.data }
}

function useItem(
  list: string | undefined,
  item: string,
  listId: string,
): { error: ListdError | undefined; data: Item | undefined } {
  const key = list && item ? `items ${list} to try ${item}` : null
  const found = useResource(key, async (signal) => toItem(await client.list(list ?? '').get(item, { signal }), listId))
  return { error: found.error, data: found.isOld ? undefined : found.data }
}
