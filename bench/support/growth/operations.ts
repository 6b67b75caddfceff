import type { Call } from './calls.ts'
import { markOf } from './contents.ts'
import { farPage, type GrownAccount, grownDocument } from './grown-account.ts'
import type { RuledToken } from './ruled-tokens.ts'

/** The measured call; the nth of a run may differ from the others. */
export type Operation = {
  title: string
  call(account: GrownAccount, n: number): Call
  /** The most calls of a run, where they extend the list. */
  most?: number
}

const list = '/lists/grown/items'
const page = (title: string, query: string): Operation => ({ title, call: () => ({ path: `${list}?${query}` }) })
/** The same set as a numbered page with its total, and by cursor. */
const both = (title: string, query: string): Operation[] => [
  page(title, query),
  page(`${title}, by cursor`, `${query}&after=`),
]

const single: Operation[] = [
  { title: 'get by id', call: (account, n) => ({ path: `${list}/${itemOf(account, n).id}` }) },
  { title: 'get by alias', call: (account, n) => ({ path: `${list}/${markOf(itemOf(account, n).n)}` }) },
]

const pages: Operation[] = [
  page('newest page with total', ''),
  page('page by an index', 'order=rank'),
  page('first page by cursor', 'after='),
  { title: 'page 5,000 by cursor', call: ({ far }) => ({ path: `${list}?after=${far.items}` }) },
  {
    title: 'page 5,000 by cursor, by an index',
    call: ({ far }) => ({ path: `${list}?order=rank&after=${far.ranked}` }),
  },
  { title: 'page by number at four fifths', call: (account) => ({ path: `${list}?page=${farPage(account)}` }) },
]

const filters: Operation[] = [
  ...both('eq: most items, none new', 'era=eq:old'),
  ...both('eq: most items', 'kind=eq:common'),
  ...both('in: all items', 'kind=in:common,odd'),
  {
    title: 'a range of most items',
    call: ({ size }) => ({ path: `${list}?rank=gte:${size / 20}` }),
  },
  {
    title: 'a range of most items, by cursor',
    call: ({ size }) => ({ path: `${list}?rank=gte:${size / 20}&after=` }),
  },
  page('eq: most items, by an index', 'era=eq:old&order=rank'),
  { title: 'eq: one item', call: (account, n) => ({ path: `${list}?rank=${itemOf(account, n).n}` }) },
  ...both('two filters that most items meet', 'era=eq:old&kind=eq:common'),
  ...both('two filters that no item meets', 'era=eq:old&shape=eq:square'),
  ...both('part of a text, three items', 'shape=needle'),
  ...both('part of a text, most items', 'shape=oun'),
  ...both('part of an alias, one item', 'alias=-00000007'),
]

const ruled = (title: string, path: string, as: RuledToken): Operation => ({ title, call: () => ({ path, as }) })

/** Pages of the items that rules with conditions make visible, next to pages of a filter with as many results. */
const rules: Operation[] = [
  ...both('eq: 1 % of the items', 'state=eq:rare'),
  ruled('rules: 1 % or mine', list, 'rareOrMine'),
  ruled('rules: 1 % or mine, by cursor', `${list}?after=`, 'rareOrMine'),
  ...both('eq: 99 % of the items', 'state=eq:usual'),
  ruled('rules: 99 % or mine', list, 'usualOrMine'),
  ruled('rules: 99 % or mine, by cursor', `${list}?after=`, 'usualOrMine'),
  ...(['oneRule', 'tenRules'] as const).map((as) => ({
    title: as === 'oneRule' ? 'rules: get by id, one without conditions' : 'rules: get by id, ten with conditions',
    call: (account: GrownAccount, n: number) => ({ path: `${list}/${itemOf(account, n).id}`, as }),
  })),
]

const events: Operation[] = [
  { title: 'events of an item', call: (account, n) => ({ path: `${list}/${itemOf(account, n).id}/events` }) },
  { title: 'events of the list', call: () => ({ path: '/lists/grown/events' }) },
  { title: 'account log, newest', call: () => ({ path: '/events', as: 'user' }) },
  { title: 'account log, a frequent type', call: () => ({ path: '/events?type=eq:item-created', as: 'user' }) },
  { title: 'account log, a rare type', call: () => ({ path: '/events?type=eq:index-created', as: 'user' }) },
  {
    title: 'account log, a span of time',
    call(account) {
      const { startAt, endAt } = spanOf(account)
      return { path: `/events?startAt=${startAt}&endAt=${endAt}`, as: 'user' }
    },
  },
  {
    title: 'account log, page 5,000 by cursor',
    call: ({ far }) => ({ path: `/events?after=${far.events}`, as: 'user' }),
  },
  {
    title: 'account log, page by number at four fifths',
    call: (account) => ({ path: `/events?page=${farPage(account)}`, as: 'user' }),
  },
]

const deliveries: Operation[] = [
  { title: 'deliveries, newest', call: () => ({ path: '/deliveries', as: 'user' }) },
  {
    title: 'deliveries of a webhook, newest',
    call: ({ webhookId }) => ({ path: `/webhooks/${webhookId}/deliveries`, as: 'user' }),
  },
  {
    title: 'deliveries, page 5,000 by cursor',
    call: ({ far }) => ({ path: `/deliveries?after=${far.deliveries}`, as: 'user' }),
  },
  {
    title: 'deliveries, page by number at four fifths',
    call: (account) => ({ path: `/deliveries?page=${farPage(account)}`, as: 'user' }),
  },
  { title: 'deliveries, a rare event', call: () => ({ path: '/deliveries?event=eq:item.deleted', as: 'user' }) },
  {
    title: 'deliveries, a rare event, by cursor',
    call: () => ({ path: '/deliveries?event=eq:item.deleted&after=', as: 'user' }),
  },
  { title: 'deliveries that failed', call: () => ({ path: '/deliveries?status=failed', as: 'user' }) },
]

const lists: Operation[] = [
  { title: 'lists', call: () => ({ path: '/lists' }) },
  { title: 'lists with a tag', call: () => ({ path: '/lists?tagged=rare' }) },
  { title: 'export of one list', call: () => ({ path: '/sync-schema?lists=grown' }) },
  {
    title: 'plan of one list, with prune',
    call: () => ({ method: 'POST', path: '/sync-schema?dryRun=true&prune=true', body: grownDocument }),
  },
]

let count = 0
const newData = () => ({
  mark: `mark-${count++}`,
  rank: count,
  era: 'new',
  shape: 'square',
  kind: 'common',
  state: 'usual',
})
const perBatch = 50

const writes: Operation[] = [
  { title: 'create', call: () => ({ method: 'POST', path: list, body: { data: newData() } }) },
  {
    title: 'update',
    call: (account, n) => ({
      method: 'PUT',
      path: `${list}/${itemOf(account, n).id}`,
      body: { data: { ...newData(), era: 'old', shape: 'round' } },
    }),
  },
  { title: 'delete', call: ({ victims }) => ({ method: 'DELETE', path: `${list}/${victims.pop()?.id}` }) },
  {
    title: `batch of ${perBatch} creates`,
    most: 5,
    call: () => ({
      method: 'POST',
      path: `${list}/batch`,
      body: { operations: Array.from({ length: perBatch }, () => ({ op: 'create', data: newData() })) },
    }),
  },
]

/** In this order, because writes change what is read. */
export const operations: readonly Operation[] = [
  ...single,
  ...pages,
  ...filters,
  ...rules,
  ...events,
  ...deliveries,
  ...lists,
  ...writes,
]

/** Another item at each call, from all ages. */
function itemOf({ items }: GrownAccount, n: number): GrownAccount['items'][number] {
  const item = items[(n * 37) % items.length]
  if (!item) throw new Error('there are no items')
  return item
}

/** As many items before the middle as there are of every size. */
const spanItems = 2_000

function spanOf({ items, size }: GrownAccount): { startAt: string; endAt: string } {
  const end = items.findIndex(({ n }) => n >= size / 2)
  const start = items.findLastIndex(({ n }) => n <= size / 2 - Math.min(spanItems, size / 5))
  const timeOf = (at: number) => new Date(items[at]?.createdAt ?? 0).toISOString()
  return { startAt: timeOf(start), endAt: timeOf(end) }
}
