import { type AccountContents, type Contents, mapContents, unknownContents } from './account-contents.ts'
import type { Scenario } from './scenario.ts'

/** The subject of a request. */
export type Target = {
  name: string
  ids: Contents
  /** The resource that a body names; absent: the same. */
  inBody?: Contents
  /** Whether the account has it; `hidden`: tokens do not see it; `draft`: only some tokens do. */
  is: 'there' | 'hidden' | 'draft' | 'missing'
  /** The target whose answer it must equal, byte for byte. */
  like?: string
  /** Only callers that are admitted everywhere use it: all others use a similar target. */
  isMore?: true
}

const calledFlow = '/flows/{path*}'

const unknown = unknownContents()
/** Everyone requests the first of these. */
const malformed = ['x', '%00', '..%2F..', 'https%3A%2F%2Flistd.example', 'g'.repeat(36)].map((id) =>
  mapContents(unknown, () => id),
)

/** The targets that differ for a route. */
export function targetsOf(path: string, { about }: Scenario, own: AccountContents, foreign: Contents): Target[] {
  const named: Target = { name: 'the named list', ids: own.named, is: 'there' }
  const other: Target = { name: 'another list', ids: own.other, is: 'there' }
  const parameters =
    path
      .replace('{version}', '')
      .replace(calledFlow, '{flow}')
      .replace('{flowId}', '{flow}')
      .match(/\{\w+\}/g) ?? []
  if (parameters.length === 0) return about === 'body' ? [named, other] : [{ ...named, name: '' }]
  const outer: Target[] = [
    ...(path.includes('{list}')
      ? [named, other, { name: 'a list that is not activated', ids: own.deactivated, is: 'hidden' as const }]
      : path.includes('{flow') || path === calledFlow
        ? [
            { ...named, name: 'the named flow' },
            { ...other, name: 'another flow' },
          ]
        : path.includes('{identity}')
          ? [
              { ...named, name: 'the named identity' },
              { ...other, name: 'another identity' },
            ]
          : [{ ...named, name: `the ${parameters[0]?.slice(1, -1)}` }]),
    { name: 'an unknown id', ids: unknown, is: 'missing' },
    { name: 'an id of another account', ids: foreign, is: 'missing', like: 'an unknown id' },
    {
      name: 'an id of another account',
      ids: mapContents(foreign, (id) => id.toUpperCase()),
      is: 'missing',
      like: 'an unknown id',
      isMore: true,
    },
    ...malformedTargets('an unknown id'),
  ]
  if (parameters.length === 1) return outer
  const inside = (ids: Contents) => replaceLast(path, { outer: own.named, last: ids })
  const unknownInside = 'an unknown nested id'
  return [
    ...outer,
    ...(path.includes('{item}')
      ? [{ name: 'an item that is not activated', ids: own.draft, is: 'draft' as const }]
      : []),
    { name: unknownInside, ids: inside(unknown), is: 'missing' },
    { name: 'a nested id of another account', ids: inside(foreign), is: 'missing', like: unknownInside },
    { name: 'a nested id of another parent', ids: inside(own.other), is: 'missing', like: unknownInside },
    ...malformedTargets(unknownInside).map((target) => ({ ...target, ids: inside(target.ids) })),
  ]
}

function malformedTargets(like: string): Target[] {
  const name = like.replace('an unknown', 'a malformed')
  return malformed.map((ids, n) => ({
    name,
    ids,
    inBody: unknown,
    is: 'missing',
    like,
    ...(n > 0 && { isMore: true }),
  }))
}

/** The ids of a resource, except for the last one in the path, which is that of another resource. A pointer is not an id. */
function replaceLast(path: string, { outer, last }: { outer: Contents; last: Contents }): Contents {
  const name = /\{(\w+)\}[^{]*$/.exec(path.replace('{pointer*}', ''))?.[1] ?? ''
  return name === 'event' ? { ...outer, events: last.events } : { ...outer, [name]: last[name as 'item'] }
}

/** The path with the ids of a target; its items have a title, the path of its flow is the flow's id, and the dashboard has lists. */
export function pathOf(path: string, ids: Contents): string {
  const shortened = path
    .replace(calledFlow, `/flows/${ids.flow}`)
    .replace('{flowId}', ids.flow)
    .replace('{pointer*}', 'title')
    .replace('{version}', '1')
    .replace(/\{(path|file)\*\}/, 'lists')
  return shortened.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    if (name === 'event') return ids.events[kindOf(path)]
    if (name === 'session' && path.startsWith('/identities/')) return ids.adasSession
    if (!Object.hasOwn(ids, name)) throw new Error(`the contents of an account have no ${name}, which ${path} needs`)
    return ids[name as 'item']
  })
}

/** The resource whose events a path is about. */
function kindOf(path: string): keyof Contents['events'] {
  if (path.includes('{identity}')) return 'identity'
  return path.includes('{item}') ? 'item' : path.includes('{index}') ? 'index' : 'list'
}
