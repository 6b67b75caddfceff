import { flowDocument } from '../databases/flows.ts'
import type { Scenario } from './scenarios.ts'

const greeting = (name: string) => JSON.parse(flowDocument({ name, path: name }))

/** Of the routes of flow definitions, but for their deletion. */
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
    body: ({ pathName }) => ({ document: greeting(pathName) }),
  },
  'PATCH /flow-definitions/{flow}': { needs: ['update flow'], body: () => ({ logged: 'failures' }) },
  'GET /flow-definitions/{flow}/versions': { needs: ['view flow'] },
  'GET /flow-definitions/{flow}/versions/{version}': { needs: ['view flow'] },
}
