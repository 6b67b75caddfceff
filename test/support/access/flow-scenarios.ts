import { flowDocument } from '../databases/contents/flows.ts'
import type { Scenario } from './scenario.ts'

const greeting = (name: string, path = name) => JSON.parse(flowDocument({ name, path }))

/** No flow is public. */
const notPublic: Scenario = { needs: 'public', answer: '404 REQUESTED_ENTITY_NOT_FOUND' }
const run = { needs: ['run flow'] as const, answer: '200' }

/** For the routes of flows and their definitions, without the deletion of definitions. */
export const flowScenarios: Readonly<Record<string, Scenario>> = {
  'POST /flow-definitions': { needs: ['create flow'], about: 'nothing', body: () => ({ document: greeting('fresh') }) },
  'POST /flow-definitions/check': {
    needs: ['create flow'],
    about: 'any',
    answer: '200',
    body: () => ({ document: greeting('fresh') }),
  },
  'GET /flow-definitions': { needs: ['view flow'], about: 'any' },
  'GET /flow-definitions/{flow}': { needs: ['view flow'] },
  'PUT /flow-definitions/{flow}': {
    needs: ['update flow'],
    body: ({ pathName, flow }) => ({ document: greeting(pathName, flow) }),
  },
  'PATCH /flow-definitions/{flow}': { needs: ['update flow'], body: () => ({ logged: 'failures' }) },
  'GET /flow-definitions/{flow}/versions': { needs: ['view flow'] },
  'GET /flow-definitions/{flow}/versions/{version}': { needs: ['view flow'] },
  'GET /flows/{path*}': run,
  'POST /flows/{path*}': { ...run, body: () => ({}) },
  'PUT /flows/{path*}': run,
  'PATCH /flows/{path*}': run,
  'DELETE /flows/{path*}': run,
  'GET /flows/public/{flowId}': notPublic,
  'POST /flows/public/{flowId}': notPublic,
  'PUT /flows/public/{flowId}': notPublic,
  'PATCH /flows/public/{flowId}': notPublic,
  'DELETE /flows/public/{flowId}': notPublic,
  'GET /schema/flow-v1.json': { needs: 'public' },
}
