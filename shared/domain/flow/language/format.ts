import { maxExpressionLength } from '../../expression/parse.ts'
import { filterKey } from '../../expression/syntax.ts'
import type { JsonSchema } from '../../fields/json-schema.ts'
import { anyObject } from '../../fields/json-schema.ts'
import { idRule } from '../../id.ts'
import { flowDocumentLimits, lengths, maxTags } from '../../limits.ts'
import { tagPattern } from '../../tags.ts'
import type { Properties, Property } from './properties.ts'
import {
  documentProperties,
  endpointProperties,
  nodeAbouts,
  nodeIdPattern,
  nodeProperties,
  nodeTypes,
} from './properties.ts'
import { headerNamePattern } from './response-headers.ts'

/** An example document. */
export const flowDocumentExample = {
  version: 1,
  name: 'Vote',
  entry: { type: 'endpoint', path: 'vote', input: { properties: { card: { type: 'string' } }, required: ['card'] } },
  nodes: [
    { id: 'card', type: 'get-item', list: 'cards', item: 'input.card', required: true },
    {
      id: 'count',
      type: 'update-item',
      list: 'cards',
      item: 'steps.card.id',
      merge: '{n: (steps.card.data.n ?? 0) + 1}',
    },
    { id: 'answer', type: 'respond', body: '{n: steps.count.data.n}' },
  ],
  edges: [
    ['card', 'count'],
    ['count', 'answer'],
  ],
}

const nodeId: JsonSchema = { type: 'string', pattern: nodeIdPattern }

/** The text of an expression. */
const expression: JsonSchema = { type: 'string', maxLength: maxExpressionLength }
const condition: JsonSchema = {
  anyOf: [
    expression,
    {
      type: 'object',
      properties: { [filterKey]: { ...expression, description: 'A filter, as in the parameter where of a page.' } },
      required: [filterKey],
      additionalProperties: false,
    },
  ],
}

const caseSchema: JsonSchema = {
  type: 'object',
  properties: {
    when: { description: 'A condition: true or false.', ...expression },
    port: { description: 'Where the run continues.', ...nodeId },
  },
  required: ['when', 'port'],
  additionalProperties: false,
}

/**
 * The format of a flow document as JSON Schema, for editors, from the tables that documents are read by. It does not cover expressions or
 * the graph of nodes and edges: only `readFlow` decides whether a document is valid.
 */
export const flowDocumentFormat = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Flow document, version 1',
  description: 'A flow: what starts it, what it does, and in which order.',
  ...objectOf(documentProperties, {
    entry: { description: documentProperties.entry.about, ...objectOf(endpointProperties) },
    nodes: {
      description: documentProperties.nodes.about,
      type: 'array',
      minItems: 1,
      maxItems: flowDocumentLimits.maxNodes,
      items: { anyOf: nodeTypes.map((type) => nodeSchema(type)) },
    },
    edges: {
      description: documentProperties.edges.about,
      type: 'array',
      maxItems: flowDocumentLimits.maxEdges,
      items: { type: 'array', items: nodeId, minItems: 2, maxItems: 3 },
    },
  }),
  examples: [flowDocumentExample],
}

function nodeSchema(type: (typeof nodeTypes)[number]): JsonSchema {
  const { properties, required, ...rest } = objectOf(nodeProperties[type])
  const own = {
    id: { description: 'Names the node: steps.<id> is its result.', ...nodeId },
    type: { description: nodeAbouts[type], const: type },
  }
  const schema = { ...rest, properties: { ...own, ...properties }, required: ['id', 'type', ...required] }
  if (type !== 'update-item') return schema
  return { ...schema, oneOf: ['merge', 'patch', 'data'].map((name) => ({ required: [name] })) }
}

/** @param instead schemas of properties that need more detail than their rows have */
function objectOf(table: Properties, instead: Readonly<Record<string, JsonSchema>> = {}) {
  const rows = Object.entries(table)
  return {
    type: 'object',
    properties: Object.fromEntries(rows.map(([name, row]) => [name, instead[name] ?? propertySchema(row)])),
    required: rows.filter(([, { required }]) => required).map(([name]) => name),
    additionalProperties: false,
  }
}

function propertySchema(row: Property): JsonSchema {
  const initial = 'initial' in row && row.initial !== undefined ? { default: row.initial } : {}
  return { description: row.about, ...valueSchema(row), ...initial }
}

function valueSchema(row: Property): JsonSchema {
  switch (row.kind) {
    case 'expression':
      return expression
    case 'conditions':
      return { type: 'object', additionalProperties: condition, maxProperties: row.max }
    case 'headers': {
      const names = { pattern: headerNamePattern, maxLength: lengths.headerName }
      return { type: 'object', additionalProperties: expression, maxProperties: row.max, propertyNames: names }
    }
    case 'cases':
      return { type: 'array', items: caseSchema, minItems: 1, maxItems: row.max }
    case 'tags':
      return {
        anyOf: [expression, { type: 'array', items: { type: 'string', pattern: tagPattern }, maxItems: maxTags }],
      }
    case 'text':
      return {
        type: 'string',
        maxLength: row.max,
        ...(row.min && { minLength: row.min }),
        ...(row.rule && { pattern: row.rule.pattern }),
      }
    case 'integer':
      return { type: 'integer', minimum: row.min, maximum: row.max }
    case 'flag':
      return { type: 'boolean' }
    case 'choice':
      return { enum: row.of }
    case 'ids':
      return {
        type: 'array',
        items: { type: 'string', maxLength: lengths.id, pattern: idRule.pattern },
        minItems: 1,
        maxItems: row.max,
      }
    case 'object':
      return { allOf: [anyObject, { $ref: 'http://json-schema.org/draft-07/schema#' }] }
    case 'any':
      return {}
  }
}
