import { textSchema, updateSchema } from '#services/gateway/schemas/body-schemas.ts'
import { fieldSchemas } from '#services/gateway/schemas/field-schemas.ts'
import { joi } from '#services/gateway/schemas/joi.ts'
import { type PageQuery, pageQueryOf, type SentFilters } from '#services/gateway/schemas/page-schemas.ts'
import { queryBoolean } from '#services/gateway/schemas/query-schemas.ts'
import {
  answerOf,
  arrayOf,
  count,
  flag,
  objectOf,
  oneOf,
  text,
  time,
} from '#services/gateway/schemas/response-schemas.ts'
import { type FlowOrder, flowOrders } from '#shared/data/flows/columns.ts'
import type { ValuesIn } from '#shared/domain/fields/field.ts'
import type { FiltersOf } from '#shared/domain/fields/filters.ts'
import { fieldSchema } from '#shared/domain/fields/json-schema.ts'
import { flowFields } from '#shared/domain/flow/fields.ts'
import { lengths } from '#shared/domain/limits.ts'
import { runStepSchema } from '../run-step-schema.ts'

/** The content of a body; `document` and `tests` are read from its source text. */
export type FlowBody = ValuesIn<typeof flowFields, 'create' | 'update'>

const fields = fieldSchemas(flowFields, 'create')

/** Body of POST and PUT: the document, and any of the other fields. */
export const flowBody = joi.object<FlowBody>({ ...fields, document: fields.document.required() })

/** Body of PATCH: any of the fields, at least one. */
export const changeFlowBody = updateSchema<FlowBody>(fieldSchemas(flowFields, 'update'))

/** Body of a check. */
export const checkFlowBody = joi.object<Pick<FlowBody, 'document' | 'tests'> & { stepsOf?: string }>({
  document: fields.document.required(),
  tests: fields.tests,
  stepsOf: textSchema(lengths.name).description('The name of a test whose steps are returned.'),
})

/** Query of GET /flow-definitions. */
export const listFlowsQuery = pageQueryOf(flowOrders, flowFields).append<
  PageQuery<FlowOrder> & SentFilters<FiltersOf<typeof flowFields>> & { includeDocument: boolean }
>({
  includeDocument: queryBoolean()
    .default(false)
    .description('Whether flows have `document` and `tests`; fewer of them fit a page, which is at most 8 MiB.'),
})

export const flowSchema = answerOf(flowFields, {
  title: 'FlowDefinition',
  description: 'A flow: its document with its tests, and whether it is activated.',
})

/** A flow of a page, which has its document and its tests on request. */
export const flowRowSchema = answerOf(flowFields, {
  title: 'FlowDefinitionRow',
  description: 'A flow on a page, with its document and its tests if the request has `includeDocument=true`.',
  optional: ['document', 'tests'],
})

const version = {
  version: { ...count, description: flowFields.version.about },
  createdAt: { ...time, description: 'The time from which the flow had the document.' },
}

export const versionSchema = objectOf(
  { ...version, document: fieldSchema(flowFields.document), tests: fieldSchema(flowFields.tests) },
  { title: 'FlowVersion', description: 'A document that a flow has or had, with its tests.' },
)

export const versionsSchema = objectOf(
  { data: { ...arrayOf(objectOf(version)), description: 'The versions that are kept, newest first.' } },
  { title: 'FlowVersions', description: 'The versions of the document of a flow that are kept.' },
)

const diagnosticSchema = objectOf(
  {
    source: { ...oneOf(['document', 'tests']), description: 'The text that it is in.' },
    severity: { ...oneOf(['error', 'warning']), description: 'The severity: a text with an error is not saved.' },
    code: { ...text, description: 'The kind of the finding, which programs compare.' },
    message: { ...text, description: 'The sentence about it, which continues from the path.' },
    node: { ...text, description: 'The id of the node that it is in.' },
    path: { ...text, description: 'Where it is, dotted, such as nodes.0.when.' },
    line: { ...count, description: 'The line in the text as it is kept, without white space between values; from 1.' },
    column: { ...count, description: 'The column in that line, in UTF-16 units, from 1.' },
  },
  { title: 'FlowDiagnostic', description: 'A finding in a document or its tests.', optional: ['node'] },
)

/** A flow that was created or changed. */
export const writtenFlowSchema = answerOf(
  flowFields,
  { title: 'WrittenFlow', description: 'A flow that was created or changed.', optional: ['diagnostics'] },
  {
    diagnostics: {
      ...arrayOf(diagnosticSchema),
      description:
        'The warnings about the texts; if a flow is activated again with texts that were saved before, errors too. Absent: none.',
    },
  },
)

const testSchema = objectOf(
  {
    name: { ...text, description: 'The name of the test.' },
    passed: { ...flag, description: 'Whether the run was as expected.' },
    message: { ...text, description: 'How the run differed; absent: it did not.' },
    actual: objectOf(
      {
        status: { ...count, description: 'The status of the answer.' },
        body: { description: 'The body of the answer.' },
        error: { ...text, description: 'The failure of the run.' },
      },
      { optional: ['error'], description: 'The answer of the run, of a test that failed.' },
    ),
    node: { ...text, description: 'The node at which the run failed, of the test in `stepsOf`.' },
    steps: {
      ...arrayOf(runStepSchema),
      description: 'The nodes that the run visited, in order, of the test in `stepsOf`.',
    },
    omittedSteps: { ...count, description: 'The number of steps after them that are not returned.' },
  },
  {
    title: 'FlowTestResult',
    description: 'The result of a test.',
    optional: ['message', 'actual', 'node', 'steps', 'omittedSteps'],
  },
)

export const checkSchema = objectOf(
  {
    diagnostics: { ...arrayOf(diagnosticSchema), description: 'The findings, in the order of the texts.' },
    tests: { ...arrayOf(testSchema), description: 'The results of the tests; none is run while there is an error.' },
  },
  { title: 'FlowCheck', description: 'The findings in a document and its tests, and the results of the tests.' },
)
