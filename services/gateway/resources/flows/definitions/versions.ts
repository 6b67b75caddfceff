import { json, ok } from '#services/gateway/request/response.ts'
import { type Route, route } from '#services/gateway/request/route.ts'
import { findVersion, readVersions } from '#shared/data/flows/flow-versions.ts'
import { isoTime } from '#shared/domain/text/iso-time.ts'
import { AppError } from '#shared/errors.ts'
import type { FlowDefinitionDeps } from './context.ts'
import { getFlow } from './load-flow.ts'
import { versionSchema, versionsSchema } from './schemas.ts'

/** The documents that a flow has had. */
export const versionRoutes: readonly Route<FlowDefinitionDeps>[] = [
  route({
    method: 'GET',
    path: '/flow-definitions/{flow}/versions',
    operationId: 'listFlowVersions',
    about: 'The versions of the document of a flow that are kept: the last 20, newest first.',
    response: { 200: versionsSchema },
    permission: { action: 'view', resourceType: 'flow' },
    async handle({ principal, params }, deps) {
      const { id: flowId } = await getFlow(deps, { principal, ...params, action: 'view' })
      const versions = await readVersions(deps.db, { flowId })
      return ok({ data: versions.map(({ version, createdAt }) => ({ version, createdAt: isoTime(createdAt) })) })
    },
  }),
  route({
    method: 'GET',
    path: '/flow-definitions/{flow}/versions/{version}',
    operationId: 'getFlowVersion',
    about: 'A version of the document of a flow, with its tests.',
    response: { 200: versionSchema },
    permission: { action: 'view', resourceType: 'flow' },
    async handle({ principal, params: { flow, version } }, deps) {
      const { id: flowId } = await getFlow(deps, { principal, flow, action: 'view' })
      const found = /^[1-9]\d{0,8}$/.test(version)
        ? await findVersion(deps.db, { flowId, version: Number(version) })
        : null
      if (!found) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
      const head = JSON.stringify({ version: found.version, createdAt: isoTime(found.createdAt) }).slice(0, -1)
      return json(`${head},"document":${found.document},"tests":${found.tests ?? 'null'}}`)
    },
  }),
]
