import { bodyBytes, maxErrors, maxSyncLists } from '#shared/domain/limits.ts'
import { tooManyEntries } from '#shared/domain/sync/document/document.ts'
import { syncDocumentFormat } from '#shared/domain/sync/document/format.ts'
import { mapInTimeSlices } from '#shared/time/time-slices.ts'
import type { RoutePermission } from '../../request/principal.ts'
import { json, type Response } from '../../request/response.ts'
import { type Route, route } from '../../request/route.ts'
import { formatSchema } from '../../schemas/response-schemas.ts'
import { assertSyncPermission } from './apply-plan.ts'
import type { SchemaSyncDeps } from './context.ts'
import { exportSchema } from './export-schema.ts'
import { type MoveReport, moveLists } from './move-lists.ts'
import { blockedMoveSchema, blockedSyncSchema, moveReportSchema, syncReportSchema } from './report-schemas.ts'
import { exportQuery, exportSchemaAnswer, moveBody, moveQuery, readDocument, syncBody, syncQuery } from './schemas.ts'
import { type SyncReport, syncSchema } from './sync-schema.ts'

/** A dry run needs only `sync-schema`; to apply a document, each change also needs its own permission (contract 3). */
const syncPermission: RoutePermission = {
  always: [{ action: 'sync-schema', resourceType: 'list' }],
  byBody: [
    { action: 'create', resourceType: 'list' },
    { action: 'update', resourceType: 'list' },
    { action: 'delete', resourceType: 'list' },
    { action: 'create', resourceType: 'index' },
    { action: 'update', resourceType: 'index' },
    { action: 'delete', resourceType: 'index' },
  ],
}

/** Syncs, exports and moves of lists (contract 2.4). */
export const syncSchemaRoutes: readonly Route<SchemaSyncDeps>[] = [
  route({
    method: 'POST',
    path: '/sync-schema',
    operationId: 'syncSchema',
    about: 'Changes lists and indexes to match a document, all or nothing.',
    notes:
      'Lists and indexes that the document does not name stay as they are, unless `prune` deletes those of its scope. `dryRun` returns the changes without applying them.',
    response: { 200: syncReportSchema, 422: blockedSyncSchema },
    errors: ['SCHEMA_SYNC_PLAN_CHANGED', 'MAX_LISTS_EXCEEDED', 'MAX_INDEXES_EXCEEDED'],
    permission: syncPermission,
    alone: 'large',
    body: {
      maxBytes: bodyBytes.syncDocument,
      schema: syncBody,
      text: ['lists'],
      most: { of: 'lists', entries: maxSyncLists, error: tooManyEntries('lists', maxSyncLists) },
    },
    query: syncQuery,
    async handle({ id, principal, query, body, text }, deps) {
      assertSyncPermission(principal)
      const document = await readDocument({ body, lists: text.lists, prune: query.prune }, (schemas) =>
        deps.schemas.check(principal.accountId, schemas, maxErrors),
      )
      return toResponse(await syncSchema(deps, document, { principal, requestId: id, ...query }), id)
    },
  }),
  route({
    method: 'GET',
    path: '/sync-schema',
    operationId: 'exportSchema',
    about: 'Lists with their indexes as a document; a sync of it changes nothing.',
    notes: 'Lists of other scopes are left out, each with a warning.',
    response: { 200: exportSchemaAnswer },
    errors: ['PAYLOAD_TOO_LARGE'],
    permission: { action: 'sync-schema', resourceType: 'list' },
    alone: 'always',
    query: exportQuery,
    async handle({ principal, query }, deps) {
      assertSyncPermission(principal)
      const { document, warnings } = await exportSchema(deps, principal, query)
      return json(`{"document":${document},"warnings":${JSON.stringify(warnings)}}`)
    },
  }),
  route({
    method: 'POST',
    path: '/sync-schema/move',
    operationId: 'moveLists',
    about: 'Gives lists to another scope or to none, all or nothing.',
    notes: 'Name the lists, or the scope that manages them now. Indexes of that scope move with their list.',
    response: { 200: moveReportSchema, 422: blockedMoveSchema },
    permission: {
      always: [{ action: 'sync-schema', resourceType: 'list' }],
      byBody: [
        { action: 'update', resourceType: 'list' },
        { action: 'update', resourceType: 'index' },
      ],
    },
    alone: 'always',
    body: { maxBytes: bodyBytes.other, schema: moveBody },
    query: moveQuery,
    async handle({ id, principal, query, body }, deps) {
      assertSyncPermission(principal)
      return toResponse(await moveLists(deps, body, { principal, requestId: id, dryRun: query.dryRun }), id)
    },
  }),
  route({
    method: 'GET',
    path: '/schema/sync-v1.json',
    operationId: 'getSyncFormat',
    about: 'The format of a sync document as a JSON Schema, for editors.',
    notes: 'Name its address as `$schema` in a document, and editors check the document while you write.',
    response: { 200: formatSchema },
    permission: 'public',
    handle: async () => json(formatJson),
  }),
]

/** The response to a blocked plan is an error and the report in one body. */
async function toResponse(report: SyncReport | MoveReport, requestId: string): Promise<Response> {
  if (!report.blockedBy) return json(await serializeReport(report))
  return json(await serializeReport({ ...report.blockedBy, requestId, ...report }), { status: 422 })
}

/** A report about many lists takes some megabytes, so the changes are serialized in time slices. */
async function serializeReport<R extends { changes: readonly object[] }>(report: R): Promise<string> {
  const texts = await mapInTimeSlices(report.changes, (change) => JSON.stringify(change))
  return JSON.stringify({ ...report, changes: [] }).replace(noChanges, () => `"changes":[${texts.join(',')}]`)
}

/** No string in a report contains this text, because its quotes would be escaped. */
const noChanges = '"changes":[]'

const formatJson = JSON.stringify(syncDocumentFormat, null, 2)
