import { json, type Response } from '#services/gateway/request/response.ts'
import { type Route, route } from '#services/gateway/request/route.ts'
import { arrayOf, objectOf } from '#services/gateway/schemas/response-schemas.ts'
import { bodyBytes, maxBatchOperations } from '#shared/domain/limits.ts'
import { createTimeSlices } from '#shared/time/time-slices.ts'
import type { ItemDeps } from '../context.ts'
import { parseParams } from '../item-params.ts'
import { serializeVisibleItem, type Viewer } from '../reading/serialize.ts'
import {
  aliasErrors,
  idempotencyHeader,
  itemSchema,
  repeatedAnswer,
  repeatedHeader,
  writeItemQuery,
} from '../schemas.ts'
import { parseIdempotencyKey } from '../writing/idempotent-request.ts'
import { batchSchema, operationsError, parseBatch } from './batch-body.ts'
import { type BatchResult, runBatch } from './run-batch.ts'

const result = objectOf({
  status: { type: 'integer', enum: [200, 201], description: 'The status of the single write.' },
  item: itemSchema,
})

const batchResultSchema = objectOf(
  { results: { ...arrayOf(result), description: 'The result of each operation, in the order of the batch.' } },
  {
    title: 'ItemBatchResult',
    description: 'The results of a batch.',
  },
)

const listHeader = { 'x-list': { about: 'The id of the list.' } } as const

/** Several writes of items in one request (contract 2.2). */
export const itemBatchRoutes: readonly Route<ItemDeps>[] = [
  route({
    method: 'POST',
    path: '/lists/{list}/items/batch',
    operationId: 'runItemBatch',
    about:
      'Creates, updates and deletes items, all or nothing; `details.operation` of an error is the index of its operation.',
    notes:
      'The answer is the error of the first operation that fails, and nothing is written. A dry run names every operation that would fail in `details.operations`. With `Idempotency-Key` the request can be sent again.',
    response: { 200: batchResultSchema },
    errors: [
      ...aliasErrors,
      'USER_MODE_REQUIRED',
      'LIST_READONLY',
      'ITEM_LOCKED',
      'ITEM_READONLY',
      'ITEM_SCHEMA_INVALID',
      'ITEM_ALIAS_TAKEN',
      'IDEMPOTENCY_KEY_REUSED',
      'MAX_ITEMS_EXCEEDED',
      'STORAGE_LIMIT_EXCEEDED',
    ],
    headers: { request: idempotencyHeader, response: { ...repeatedAnswer, ...listHeader } },
    permission: {
      always: [],
      byBody: [
        { action: 'create', resourceType: 'item' },
        { action: 'update', resourceType: 'item' },
        { action: 'delete', resourceType: 'item' },
      ],
    },
    alone: 'large',
    body: {
      maxBytes: bodyBytes.batch,
      anyJson: batchSchema,
      most: { of: 'operations', entries: maxBatchOperations, error: operationsError },
    },
    query: writeItemQuery,
    async handle(request, deps) {
      const operations = await parseBatch(request.body, request.bodyText, request.query.dryRun === true)
      const idempotencyKey = parseIdempotencyKey(request)
      const batch = { ...parseParams(request), operations, text: request.bodyText, idempotencyKey }
      return batchResponse(await runBatch(deps, batch), request)
    },
  }),
]

async function batchResponse({ config, results, isRepeated }: BatchResult, viewer: Viewer): Promise<Response> {
  const pause = createTimeSlices()
  const parts = [Buffer.from('{"results":[')]
  for (const { op, ...result } of results) {
    const text = serializeVisibleItem({ ...result, config }, viewer)
    const comma = parts.length > 1 ? ',' : ''
    parts.push(Buffer.from(`${comma}{"status":${op === 'create' ? 201 : 200},"item":${text}}`))
    await pause()
  }
  const headers = { ...repeatedHeader(isRepeated), 'x-list': config.list.id }
  return json(Buffer.concat([...parts, Buffer.from(']}')]), { headers })
}
