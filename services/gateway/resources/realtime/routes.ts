import { throwIfInvalid } from '../../http/input/validation.ts'
import { stream } from '../../request/response.ts'
import { type Route, route } from '../../request/route.ts'
import { aliasErrors } from '../items/schemas.ts'
import type { RealtimeDeps } from './context.ts'
import { openStream } from './open-stream.ts'
import { realtimeQuery, streamSchema } from './schemas.ts'

/** The live stream of changes (docs/design/realtime.md). */
export const realtimeRoutes: readonly Route<RealtimeDeps>[] = [
  route({
    method: 'GET',
    path: '/realtime',
    operationId: 'streamChanges',
    about: 'A stream of the changes of realtime lists and of their items.',
    notes:
      'Frames are server-sent events: `ready`, the changes, `reset` when the client has to fetch again, and `end`. A client that reconnects with the last `id` misses nothing.',
    response: { 200: streamSchema },
    errors: [
      ...aliasErrors,
      'REQUESTED_ENTITY_NOT_FOUND',
      'LIST_NOT_REALTIME',
      'REALTIME_CONNECTION_LIMIT_EXCEEDED',
      'RATE_LIMIT_EXCEEDED',
      'SERVICE_UNAVAILABLE',
      'CROSS_SITE_REQUEST',
      'USER_MODE_REQUIRED',
    ],
    permission: { action: 'view', resourceType: 'item' },
    streams: true,
    headers: {
      request: { 'last-event-id': 'The `id` of the last frame that was seen: the stream continues after it.' },
    },
    query: realtimeQuery,
    async handle({ principal, query, headers, clientAddress, secure }, deps) {
      const { eventTypes: types = [], topics = [], itemIds: items = null, includeData, includeGuarded } = query
      if (types.length + topics.length === 0)
        throwIfInvalid([{ path: 'eventTypes', message: '"eventTypes" or "topics" is required' }])
      // Without `eventTypes` there are only hints, for which no lists can be named.
      const lists = types.length > 0 ? (query.listIds ?? null) : []
      const after = headers['last-event-id'] || query.after
      const request = { principal, headers, clientAddress, secure, types, topics, lists, items, after }
      const { body, ended } = await openStream(deps, { ...request, includeData, includeGuarded })
      return stream(body, {
        type: 'text/event-stream; charset=utf-8',
        cacheControl: 'no-store, no-transform',
        headers: { 'x-accel-buffering': 'no' },
        ended,
      })
    },
  }),
]
