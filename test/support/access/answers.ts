import type { Agent } from 'node:http'
import { tokenHash } from '#shared/crypto/token.ts'
import type { Credentials } from '../http/callers.ts'
import { call, manyCalls, type Reply, visiblePart } from '../http/client.ts'
import type { TestGateway } from '../http/gateway.ts'
import type { AccessRow } from './access-table.ts'
import { type AccountContents, fillAccount } from './account-contents.ts'
import { type Actor, actors } from './actors.ts'
import { type AccessCase, expectedAnswer } from './expected-answer.ts'
import type { Scenario } from './scenario.ts'
import { scenarios } from './scenarios.ts'
import { pathOf, targetsOf } from './targets.ts'

/** The gateway's answer, and the answer that the contract requires. */
export type AccessAnswer = AccessRow & {
  expected: string
  /** The target whose answer it must equal byte for byte. */
  like: string | undefined
  /** The part of an answer that a client can compare, without the parts that differ in every answer. */
  visible: unknown
  text: string
}

/**
 * Calls every route as every actor, each with its own account, about its own resources and those of the foreign account.
 * @returns the answers in the order of routes, targets and actors
 */
export async function answerAll(gateway: TestGateway, foreign: AccountContents): Promise<AccessAnswer[]> {
  const perActor = await Promise.all(
    Object.entries(actors).map(([name, actor]) => answersTo(gateway, { name, actor, foreign })),
  )
  const byTarget = Map.groupBy(perActor.flat(), ({ route, title, target }) => [route, title, target].join(' | '))
  return [...byTarget.values()].flat()
}

async function answersTo(
  gateway: TestGateway,
  { name, actor, foreign }: { name: string; actor: Actor; foreign: AccountContents },
): Promise<AccessAnswer[]> {
  const account = await fillAccount(gateway.deps)
  const headers = await credentialsOf(gateway, actor, account)
  const isLetIn = name === 'user' || name === 'everything'
  const agent = manyCalls()
  const answers: AccessAnswer[] = []
  for (const { route, scenario } of calls()) {
    for (const target of targetsOf(route.path, scenario, account, foreign.named)) {
      if (target.isMore && !isLetIn) continue
      const access = { actor, account, route, scenario, target }
      const reply = await send(gateway, access, { agent, headers: { ...headers, ...(await signInAgain(access)) } })
      answers.push({ ...rowOf(access, reply), actor: name })
    }
  }
  agent.destroy()
  return answers
}

function calls(): { route: AccessCase['route']; scenario: Scenario }[] {
  return Object.entries(scenarios).flatMap(([name, some]) => {
    const [method = '', path = ''] = name.split(' ')
    return [some].flat().map((scenario) => ({ route: { method, path }, scenario }))
  })
}

async function credentialsOf(
  { deps: { db } }: TestGateway,
  actor: Actor,
  account: AccountContents,
): Promise<Credentials> {
  if (actor.mode === 'anonymous') return {}
  if (actor.mode === 'user') return account.account.user
  const token = await account.account.token(actor.rules(account))
  if (actor.dead) {
    await db.run('update tokens set activated = 0 where token_hash = ?', [tokenHash(String(token['x-api-token']))])
  }
  return { ...token, ...(actor.as && account[actor.as].headers) }
}

/** Requests of an identity for its own data may end its session, so each request gets a separate one. */
async function signInAgain({ actor, account, scenario }: AccessCase): Promise<Credentials> {
  if (actor.mode !== 'token' || !actor.as || !['own', 'any'].includes(scenario.identity ?? '')) return {}
  return account[actor.as].signIn()
}

function send(
  { port }: TestGateway,
  { route, scenario, target }: AccessCase,
  by: { agent: Agent; headers: Credentials },
): Promise<Reply> {
  const { body, query = '' } = scenario
  const path = `${pathOf(route.path, target.ids)}${query}`
  return call(port, { method: route.method, path, ...by, ...(body && { body: body(target.inBody ?? target.ids) }) })
}

function rowOf(access: AccessCase, reply: Reply): Omit<AccessAnswer, 'actor'> {
  const { route, scenario, target } = access
  const { title = '', needs, byBody = [] } = scenario
  const answer = reply.status < 400 ? `${reply.status}` : `${reply.status} ${reply.json?.name}`
  return {
    route: `${route.method} ${route.path}`,
    title,
    target: target.name,
    answer,
    text: reply.text,
    needs: typeof needs === 'string' ? needs : [...needs, ...byBody].join(', '),
    expected: expectedAnswer(access),
    like:
      target.like ??
      (answer.startsWith('404') && isNamed(route.path) && target.is !== 'missing' ? 'an unknown id' : undefined),
    visible: visiblePart(reply),
  }
}

/** Whether a path names its resource. */
function isNamed(path: string): boolean {
  return path.includes('{')
}
