import { entryMethods } from '#shared/domain/flow/language/properties.ts'
import { flowDocument } from '../databases/contents/flows.ts'
import type { Cast } from './cast.ts'

/** A flow that greets, called by each method, its runs and versions, and a document that is only checked. */
export async function callFlows({ anyone, user, token }: Cast): Promise<void> {
  const tests = { tests: [{ name: 'it greets', input: {}, expect: { status: 200, body: { hello: 1 } } }] }
  const body = { document: JSON.parse(flowDocument({ description: 'Greets whoever calls it.' })), tests }
  await user('POST', '/flow-definitions/check', { body })
  const { json: created } = await user('POST', '/flow-definitions', { body })
  await user('POST', '/flow-definitions', { body })
  await user('POST', '/flow-definitions', { body: { document: { version: 1 } } })
  const path = `/flow-definitions/${created.id}`
  await user('GET', '/flow-definitions')
  await user('GET', '/flow-definitions/greet')
  await user('PUT', path, { body: { document: JSON.parse(flowDocument({ path: 'hello' })) } })
  for (const method of entryMethods) {
    await user('PUT', path, { body: { document: JSON.parse(flowDocument({ path: 'hello', method, isPublic: true })) } })
    for (const [api, called] of [
      [token, '/flows/hello'],
      [anyone, `/flows/public/${created.id}`],
    ] as const) {
      if (method === 'GET') await api('GET', `${called}?name=Ada`)
      else await api(method, called, { body: { name: 'Ada' } })
    }
  }
  const { json: runs } = await user('GET', `/flow-runs?flowId=${created.id}&limit=1`)
  await user('GET', `/flow-runs/${runs.data[0].id}`)
  await user('POST', `/flow-runs/${runs.data[0].id}/repeat`, { body: {} })
  await user('POST', `${path}/run`, { body: { input: { name: 'Ada' }, dryRun: true } })
  await user('PATCH', path, { body: { logged: 'failures' } })
  await user('GET', `${path}/versions`)
  await user('GET', `${path}/versions/1`)
  await user('DELETE', path)
}
