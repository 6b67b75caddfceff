import test from 'ava'
import { planLosses } from '#shared/domain/sync/losses.ts'
import { resultOf } from '#shared/json/text/result-of.ts'
import { syncWorld } from '../../../support/sync/sync-world.ts'

const minutes = { pointer: '/minutes', filtering: true }
const before = { scope: 'shop', lists: { cards: { indexes: { minutes } }, decks: {} } }

function losses(lists: Record<string, object>, prune = true): string[] {
  const world = syncWorld()
  world.sync(before)
  const plan = world.plan({ scope: 'shop', lists }, { prune })
  return resultOf(planLosses(plan)).flatMap(({ key, losses: own }) => own.map(({ use }) => `${key} ${use.kind}`))
}

const cases: [lists: Record<string, object>, losses: string[]][] = [
  [before.lists, []],
  [
    { ...before.lists, cards: { indexes: {} } },
    ['cards/minutes rule', 'cards/minutes filter', 'cards/minutes any-filter'],
  ],
  [
    { ...before.lists, cards: { indexes: { minutes: { ...minutes, filtering: false } } } },
    ['cards/minutes rule', 'cards/minutes filter', 'cards/minutes any-filter'],
  ],
  [
    { ...before.lists, cards: { indexes: { minutes, secret: { pointer: '/secret', guard: true } } } },
    ['cards/secret read'],
  ],
  [{ ...before.lists, decks: { readonly: true } }, ['decks/ write']],
  [{ decks: {} }, ['cards/ list']],
  [{ new: { indexes: { minutes } }, ...before.lists }, []],
]
for (const [lists, expected] of cases) {
  test(`a plan for ${JSON.stringify(lists)} removes: ${expected.join(', ') || 'nothing'}`, (t) => {
    t.deepEqual(losses(lists), expected)
  })
}

test('lists that a plan keeps, and a plan that cannot be applied, lose nothing', (t) => {
  t.deepEqual(losses({ decks: {} }, false), [])
  const world = syncWorld()
  world.sync(before)
  const foreign = world.plan({ lists: { cards: { indexes: { minutes: { filtering: false } } } } })
  t.deepEqual(resultOf(planLosses(foreign)), [])
})
