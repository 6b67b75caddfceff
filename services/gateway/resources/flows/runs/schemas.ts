import Joi from 'joi'
import { idText } from '#services/gateway/schemas/body-schemas.ts'
import { joi } from '#services/gateway/schemas/joi.ts'
import { pageQuerySchema } from '#services/gateway/schemas/page-schemas.ts'
import { queryDate } from '#services/gateway/schemas/query-schemas.ts'
import {
  arrayOf,
  count,
  id,
  nullable,
  objectOf,
  oneOf,
  text,
  time,
} from '#services/gateway/schemas/response-schemas.ts'
import type { FlowRunFilters } from '#shared/data/flows/flow-run-page.ts'
import { flowRunStatuses, flowTriggers } from '#shared/domain/flow/run/run-record.ts'
import { runStepSchema } from '../run-step-schema.ts'

/** A run is created when it starts, so both orders are the same. */
const orders = ['startedAt', 'createdAt'] as const

/** Query of GET /flow-runs. */
export const listRunsQuery = pageQuerySchema<(typeof orders)[number], FlowRunFilters>({
  orders,
  filters: {
    flowId: idText().description('Only runs of this flow.'),
    status: Joi.valid(...flowRunStatuses).description('Only runs with this status.'),
    trigger: Joi.valid(...flowTriggers).description('Only runs with this type of trigger.'),
    startAt: queryDate('The earliest start, inclusive'),
    endAt: queryDate('The latest start, inclusive'),
  },
})

const identityId = idText().description('The identity that the flow sees as its caller; without it the flow sees none.')

/** Body of a run by hand. */
export const runBody = joi.object<{ input?: unknown; identityId?: string; dryRun?: boolean }>({
  input: Joi.any().description('The input, any JSON value; without it the input is null.'),
  identityId,
  dryRun: Joi.boolean().description('Whether the run writes and emits nothing, and is not recorded.'),
})

/** Body of a repetition. */
export const repeatBody = joi.object<{ identityId?: string }>({ identityId })

const node = { ...text, description: 'The id of the node.' }
const place = {
  path: { ...text, description: 'The place in the document, dotted, such as `nodes.0.when`.' },
  line: { ...count, description: 'The line in the text of the expression, from 1.' },
  column: { ...count, description: 'The column in that line, in UTF-16 units, from 1.' },
}

const trigger = objectOf({
  type: {
    ...oneOf(flowTriggers),
    description: 'A request to the endpoint of the flow, one without credentials, or a person.',
  },
  requestId: { ...text, description: 'The id of the request, as in `x-request-id` and in the log.' },
})

const identityOf = {
  ...nullable(id),
  description: 'The identity that the token acted for, or that the user chose as the caller; null: none.',
}
const actor = {
  description: 'Who started the run; null: an anonymous caller. Absent: an earlier version recorded the run.',
  anyOf: [
    objectOf({
      authMode: { const: 'token', description: 'An API token called the flow.' },
      tokenId: { ...id, description: 'The token.' },
      identityId: identityOf,
    }),
    objectOf({
      authMode: { const: 'user', description: 'A user called the flow, or ran it by hand.' },
      tokenId: { type: 'null', description: 'Null for a user.' },
      identityId: identityOf,
      userId: { ...id, description: 'The user.' },
      userName: {
        ...nullable(text),
        description: 'The display name of the user, or else the email; null: the user has been deleted.',
      },
    }),
    { type: 'null' },
  ],
}

const answer = objectOf(
  {
    status: { ...count, description: 'The HTTP status.' },
    headers: { type: 'object', additionalProperties: text, description: 'The headers that the flow has set.' },
    body: { description: 'The body; absent: there was none, or it was too long to keep.' },
    cut: { const: true, description: 'Present if the body or the headers have more than 4 KiB and are not kept.' },
  },
  { optional: ['body', 'cut'], description: 'The answer of the run; absent: it failed.' },
)

const error = objectOf(
  {
    code: {
      ...text,
      description: 'The kind of the failure, as `details.code` of FLOW_FAILED, or the name of an error.',
    },
    status: { ...count, description: 'The HTTP status of the answer.' },
    node: { ...node, description: 'The node that failed; absent: the run did not reach a node.' },
    message: { ...text, description: 'A sentence for people.' },
    ...place,
    index: { ...count, description: 'The element of `each` that failed, from 0.' },
  },
  {
    optional: ['node', 'path', 'line', 'column', 'index'],
    description: 'The failure of the run; absent: it succeeded.',
  },
)

const write = objectOf({
  op: { ...oneOf(['create', 'update', 'delete']), description: 'The kind of the change.' },
  list: { ...text, description: 'The path name of the list.' },
  itemId: { ...id, description: 'The item.' },
  version: {
    ...nullable(text),
    description: 'The version of the item after the change; of a deleted item its last version.',
  },
  node: { ...node, description: 'The node that changed it last.' },
})

const emit = objectOf(
  {
    webhookId: { ...id, description: 'The webhook that the event is for.' },
    eventId: { ...id, description: 'The id of the event, as in its payload.' },
    node,
    skipped: { const: true, description: 'Present if the webhook got nothing, because it was deleted or not active.' },
  },
  { optional: ['skipped'] },
)

const shown = {
  id: { ...id, description: 'The id of the run, as in `x-flow-run`.' },
  flowId: { ...id, description: 'The flow.' },
  flowVersion: { ...count, description: 'The version of the document that was run.' },
  trigger: { ...trigger, description: 'The start of the run.' },
  actor,
  status: {
    ...oneOf(flowRunStatuses),
    description: 'How the run ended; `refused`: its input did not match the schema of the entry, so it did not begin.',
  },
  attempts: { ...count, description: 'The number of times that it was computed until it was committed or failed.' },
  startedAt: { ...time, description: 'The time of its start.' },
  durationMs: { ...count, description: 'Its duration in milliseconds.' },
  fuel: { ...count, description: 'The number of steps that its expressions took.' },
  answer,
  error,
  writes: { ...arrayOf(write), description: 'The changes of items, one for each item.' },
  emits: { ...arrayOf(emit), description: 'The events that it has emitted, each for one webhook.' },
}
const optional = ['actor', 'answer', 'error']

/** A run as pages show it. */
export const runSummarySchema = objectOf(shown, {
  title: 'FlowRun',
  description: 'A recorded run of a flow.',
  optional,
})

/** The same with its steps, its input and its seed. */
export const runSchema = objectOf(
  {
    ...shown,
    steps: { ...arrayOf(runStepSchema), description: 'The nodes that it visited, in order.' },
    omittedSteps: { ...count, description: 'The number of steps after them that are not kept.' },
    seed: { ...text, description: 'The seed of all random values.' },
    input: { description: 'The input; absent: it was too long to keep.' },
  },
  {
    title: 'FlowRunWithSteps',
    description: 'A run with its steps, its input and its seed.',
    optional: [...optional, 'input'],
  },
)
