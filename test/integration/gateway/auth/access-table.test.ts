import test from 'ava'
import type { RoutePermission } from '#services/gateway/request/principal.ts'
import { routes } from '#services/gateway/resources/index.ts'
import { accessTable } from '../../../support/access/access-table.ts'
import { fillAccount, rowsOf } from '../../../support/access/account-contents.ts'
import { type AccessAnswer, answerAll } from '../../../support/access/answers.ts'
import type { Scenario } from '../../../support/access/scenario.ts'
import { scenarios } from '../../../support/access/scenarios.ts'
import { matchesFixture } from '../../../support/assertions/fixture.ts'
import { startGateway } from '../../../support/http/gateway.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let answers: readonly AccessAnswer[]
/** The rows of an account to which no actor belongs, before and after all calls. */
let foreignBefore: unknown
let foreignAfter: unknown
test.before(async () => {
  const gateway = await startGateway(cleanup, { routes })
  const foreign = await fillAccount(gateway.deps)
  foreignBefore = await rowsOf(gateway.deps.db, foreign)
  answers = await answerAll(gateway, foreign)
  foreignAfter = await rowsOf(gateway.deps.db, foreign)
})

const name = ({ method, path }: (typeof routes)[number]) => `${method} ${path}`
const scenariosOf = (route: string): readonly Scenario[] => [scenarios[route] ?? []].flat()

test('every route has a scenario, and every scenario a route', (t) => {
  t.deepEqual(routes.map(name).toSorted(), Object.keys(scenarios).toSorted())
})

test('a route declares the permissions that the contract requires', (t) => {
  const declared = Object.fromEntries(routes.map((route) => [name(route), declaration(route.permission)]))
  const needed = routes.map(name).map((route) => [route, needsOf(scenariosOf(route))])
  t.deepEqual(declared, Object.fromEntries(needed))
})

type Declaration = { always: string | string[]; byBody: string[] }

function declaration(permission: RoutePermission): Declaration {
  if (permission === 'user or nobody') return declaration('user')
  if (typeof permission === 'string') return { always: permission, byBody: [] }
  const { always, byBody } = 'always' in permission ? permission : { always: [permission].flat(), byBody: [] }
  const texts = (some: typeof always) => some.map(({ action, resourceType }) => `${action} ${resourceType}`).toSorted()
  return { always: texts(always), byBody: texts(byBody) }
}

/** The declaration of a route: permissions that all its scenarios need are needed always, the others depend on the body. */
function needsOf(some: readonly Scenario[]): Declaration {
  const all = some.map(({ needs }) => needs)
  const text = all.find((needs) => typeof needs === 'string')
  const lists = all.filter((needs) => typeof needs !== 'string').map((needs) => new Set(needs))
  const always = lists.slice(1).reduce((common, needs) => common.intersection(needs), lists[0] ?? new Set())
  const byBody = [...lists, ...some.map(({ byBody = [] }) => new Set(byBody))]
    .reduce((every, needs) => every.union(needs), new Set())
    .difference(always)
  return { always: text ?? [...always].toSorted(), byBody: [...byBody].toSorted() }
}

for (const route of routes.map(name)) {
  test(`${route} answers each actor as the contract defines`, (t) => {
    const ofRoute = answers.filter((one) => one.route === route)
    for (const { title, target, actor, answer, expected, text } of ofRoute) {
      t.is(answer, expected, [title, target, actor, text].join(' | '))
    }
    t.true(ofRoute.length > 0)
  })
}

test('the answers match the committed table', async (t) => {
  await matchesFixture(t, 'access.txt', accessTable(answers))
})

test("another account's resource, and a hidden one, get the same answer as an id that never existed", (t) => {
  const byCase = new Map(answers.map((one) => [caseOf(one, one.target), one.visible]))
  const hidden = answers.filter(({ like }) => like !== undefined)
  for (const one of hidden) t.deepEqual(one.visible, byCase.get(caseOf(one, one.like ?? '')), caseOf(one, one.target))
  t.true(hidden.length > 0)
})

test('no caller changes another account', (t) => {
  t.deepEqual(foreignAfter, foreignBefore)
})

function caseOf({ route, title, actor }: AccessAnswer, target: string): string {
  return [route, title, actor, target].join(' | ')
}
