import test from 'ava'
import { usesOf } from '#shared/domain/flow/uses.ts'
import { flowOf } from '../../../support/flows/driving.ts'

const webhook = '0190f5fe-7c00-7a00-8000-000000000001'

/** What the nodes use, as texts. */
function uses(...nodes: Record<string, unknown>[]): string[] {
  const all = [...nodes.map((node, n) => ({ id: `n${n}`, ...node })), { id: 'end', type: 'respond' }]
  const edges = all.slice(1).map(({ id }, n) => [all[n]?.id, id])
  return usesOf(flowOf({ nodes: all, edges }))
    .map(({ kind, list, name }) => [kind, list, name].filter(Boolean).join(' '))
    .sort()
}

const cases: [what: string, node: Record<string, unknown>, uses: string[]][] = [
  ['get-item', { type: 'get-item', list: 'Cards', item: 'input.card' }, ['alias cards', 'list cards', 'read cards']],
  [
    'get-item that sees guarded values',
    { type: 'get-item', list: 'cards', item: '1', guarded: true },
    ['alias cards', 'list cards'],
  ],
  ['create-item', { type: 'create-item', list: 'cards', data: '{}' }, ['list cards', 'read cards', 'write cards']],
  [
    'update-item',
    { type: 'update-item', list: 'cards', item: '1', data: '{}' },
    ['alias cards', 'list cards', 'read cards', 'write cards'],
  ],
  [
    'delete-item',
    { type: 'delete-item', list: 'cards', item: '1' },
    ['alias cards', 'list cards', 'read cards', 'write cards'],
  ],
  ['list-items', { type: 'list-items', list: 'cards' }, ['list cards', 'read cards']],
  ['emit', { type: 'emit', webhooks: [webhook], payload: '{}' }, [`webhook ${webhook}`]],
]
for (const [what, node, expected] of cases) {
  test(`${what} uses ${expected.join(', ')}`, (t) => {
    t.deepEqual(uses(node), expected)
  })
}

const pages: [page: Record<string, unknown>, uses: string[]][] = [
  [{ where: { minutes: '5', 'index.State': '1' } }, ['filter cards minutes', 'filter cards state']],
  [{ where: { createdAt: 'now', tagged: '"a"', mine: 'true' } }, []],
  [{ where: { alias: '"a"', search: '"soup"' } }, ['alias cards', 'search cards']],
  [{ order: 'Minutes' }, ['order cards minutes']],
  [{ order: 'createdAt' }, []],
  [
    { where: { or: '[{minutes: 1}, {and: [{state: input.a}, {not: {"index.kind": 1, search: "x"}}]}]' } },
    ['filter cards kind', 'filter cards minutes', 'filter cards state', 'search cards'],
  ],
  [{ where: { not: '{minutes: 1}' } }, ['filter cards minutes']],
  [{ where: { or: 'input.or' } }, ['any-filter cards']],
  [{ where: { and: '[{minutes: 1}, ...input.and]' } }, ['any-filter cards', 'filter cards minutes']],
  [{ where: { not: '{[input.name]: 1}' } }, ['any-filter cards']],
  [{ where: { 'no index has such a name': '1' } }, []],
]
for (const [page, expected] of pages) {
  test(`a page ${JSON.stringify(page)} uses ${expected.join(', ') || 'no index'}`, (t) => {
    const all = uses({ type: 'list-items', list: 'cards', ...page })
    t.deepEqual(
      all.filter((use) => !['list cards', 'read cards'].includes(use)),
      expected,
    )
  })
}

test('a use by several nodes is one use', (t) => {
  const node = { type: 'list-items', list: 'cards', where: { minutes: '1' } }
  t.deepEqual(uses(node, { ...node, list: 'CARDS' }), ['filter cards minutes', 'list cards', 'read cards'])
})
