import type { Expression } from '../../expression/check.ts'
import { flowDocumentLimits, lengths } from '../../limits.ts'
import { pathNamePattern } from '../../path-name.ts'
import { reachablePattern, reachableRule } from '../../reachable.ts'
import { tagPattern } from '../../tags.ts'
import { headerNamePattern } from './response-headers.ts'

// The format of flow documents is declared once: one row for each property of the document, its entry and each type of node. The checker,
// its types and the JSON Schema for editors are derived from the rows.

/** A property of an object in the document. Without `required` or `initial` it may be absent, and is then read as null. */
export type Property = { about: string; required?: true } & PropertyKind

/**
 * `expression`: its text. `conditions` and `headers`: expressions by name, of a condition also `{"filter": expression}`. `cases`: of a
 * `switch`. `tags`: an expression for a list of them, or a list of texts. `object`: kept as its source text. `any`: kept for the sender,
 * but not interpreted.
 */
export type PropertyKind =
  | { kind: 'expression' }
  | { kind: 'conditions' | 'headers'; max: number }
  | { kind: 'cases'; max: number }
  | { kind: 'tags' }
  | { kind: 'text'; min?: 1; max: number; rule?: TextRule; initial?: string }
  | { kind: 'integer'; min: number; max: number; initial?: number }
  | { kind: 'flag'; initial: boolean }
  | { kind: 'choice'; of: readonly string[]; initial?: string }
  | { kind: 'ids'; max: number }
  | { kind: 'object' | 'any' }

type TextRule = { pattern: string; message: string }

export type Properties = Readonly<Record<string, Property>>

/** An expression of a document, and the pointer of its text there, such as `/nodes/0/when`. */
export type FlowExpression = Expression & { pointer: string }

/** The values of a checked object. */
export type ValuesOf<P extends Properties> = { readonly [Name in keyof P]: ValueOf<P[Name]> }

type ValueOf<P> =
  | PlainValueOf<P>
  | (P extends { required: true } | { initial: string | number | boolean } ? never : null)

type PlainValueOf<P> = P extends { kind: 'expression' }
  ? FlowExpression
  : P extends { kind: 'conditions' | 'headers' }
    ? ReadonlyMap<string, FlowExpression>
    : P extends { kind: 'cases' }
      ? readonly SwitchCase[]
      : P extends { kind: 'tags' }
        ? FlowExpression | readonly string[]
        : P extends { kind: 'choice'; of: readonly (infer Choice)[] }
          ? Choice
          : P extends { kind: 'text' | 'object' }
            ? string
            : P extends { kind: 'integer' }
              ? number
              : P extends { kind: 'flag' }
                ? boolean
                : P extends { kind: 'ids' }
                  ? readonly string[]
                  : P extends { kind: 'any' }
                    ? unknown
                    : never

export type SwitchCase = { when: FlowExpression; port: string }

/** The form of the name of a node or a port. */
export const nodeIdPattern = '^[A-Za-z_][A-Za-z0-9_]{0,49}$'
export const nodeIdMessage = 'must be 1 to 50 letters, digits or underscores, and not begin with a digit'

/** The document itself; its entry and nodes have separate tables. */
export const documentProperties = {
  $schema: { kind: 'text', max: lengths.url, about: 'The URL of this format, for editors.' },
  version: { kind: 'integer', min: 1, max: 1, required: true, about: 'The version of the format: 1.' },
  name: {
    kind: 'text',
    min: 1,
    max: lengths.name,
    required: true,
    rule: { pattern: reachablePattern, message: `must be ${reachableRule}` },
    about: 'The name, which addresses the flow like its id.',
  },
  description: { kind: 'text', max: lengths.description, about: 'A note for people about its purpose.' },
  entry: { kind: 'any', required: true, about: 'What starts a run.' },
  helpers: {
    kind: 'text',
    max: 16 * 1024,
    about: 'Names that expressions share: let name = …; and function name(a, b) = …; each sees those above it.',
  },
  nodes: { kind: 'any', required: true, about: 'What a run does; the first node is the start.' },
  edges: { kind: 'any', about: 'Which node follows which: [from, to], or [from, to, port].' },
  layout: { kind: 'any', about: 'The positions of the nodes in a drawing; stored unchanged.' },
} as const satisfies Properties

export const entryMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** A segment of a path: any allowed characters, but not `.` or `..`, which clients remove from a URL. */
const pathPart = '(\\.{0,2}[A-Za-z0-9_~-]|\\.{3})[A-Za-z0-9._~-]*'

/** The properties of the entry `endpoint`. */
export const endpointProperties = {
  type: { kind: 'choice', of: ['endpoint'], required: true, about: 'A request to /flows/{path} starts a run.' },
  method: { kind: 'choice', of: entryMethods, initial: 'POST', about: 'The method of the request.' },
  path: {
    kind: 'text',
    min: 1,
    max: flowDocumentLimits.maxPathLength,
    required: true,
    rule: {
      pattern: `^${pathPart}(/${pathPart})*$`,
      message:
        'must be a path such as cards or cards/move, without "/" at its ends: letters, digits and "-._~", and no part "." or ".."',
    },
    about: 'The part of the address after /flows/.',
  },
  input: { kind: 'object', about: 'The JSON Schema (draft-07) that the input must match.' },
  public: {
    kind: 'flag',
    initial: false,
    about: 'Whether anyone may call it without credentials, at /flows/public/{id}.',
  },
} as const satisfies Properties

const list = {
  kind: 'text',
  min: 1,
  max: lengths.pathName,
  rule: { pattern: pathNamePattern, message: 'must be the path name of a list' },
  required: true,
  about: 'The path name of a list.',
} as const satisfies Property
const item = {
  kind: 'expression',
  required: true,
  about: 'The id or the alias of the item.',
} as const satisfies Property
const when = { kind: 'expression', required: true, about: 'A condition: true or false.' } as const satisfies Property
const guarded = {
  kind: 'flag',
  initial: false,
  about:
    'Whether the node sees guarded values; without it, guarded values that the node does not name stay as they are.',
} as const satisfies Property
const each = {
  kind: 'expression',
  about:
    'A list: the node acts once for each element. Its other expressions read the element as item and its position as index.',
} as const satisfies Property
const tags = {
  kind: 'tags',
  about: `The tags of the item: an expression for a list of them, or a list of strings like ${tagPattern}.`,
} as const satisfies Property

/** A description of each type of node. */
export const nodeAbouts = {
  require: 'Continues only if a condition is true; otherwise the run fails with a message.',
  condition: 'Continues at its port true or at its port false.',
  switch: 'Continues at the port of the first case that is true, or else at the port default.',
  compute: 'Computes the value of an expression.',
  'get-item': 'Reads one item, by its id or alias.',
  'list-items': 'Reads the items that match conditions, at most 100.',
  'create-item': 'Creates an item, or one for each element of a list.',
  'update-item': 'Changes an item, or one for each element of a list.',
  'delete-item': 'Deletes an item, or one for each element of a list.',
  emit: 'Sends an event to webhooks, once the run has committed.',
  respond: 'Ends the run with an answer.',
} as const satisfies Record<string, string>

/** The properties of each type of node, in addition to its id and type. */
export const nodeProperties = {
  require: {
    when,
    status: {
      kind: 'integer',
      min: 400,
      max: 499,
      initial: 400,
      about: 'The status of the answer when the condition is false.',
    },
    message: {
      kind: 'text',
      min: 1,
      max: flowDocumentLimits.maxMessageLength,
      required: true,
      about: 'The message of the answer when the condition is false.',
    },
  },
  condition: { when },
  switch: {
    cases: {
      kind: 'cases',
      max: flowDocumentLimits.maxCases,
      required: true,
      about: 'The run continues at the port of the first case that is true, otherwise at the port default.',
    },
  },
  compute: { value: { kind: 'expression', required: true, about: 'The value of the step.' } },
  'get-item': {
    list,
    item,
    required: {
      kind: 'flag',
      initial: false,
      about: 'Whether the run fails with NOT_FOUND when there is no such item.',
    },
    guarded,
  },
  'list-items': {
    list,
    where: {
      kind: 'conditions',
      max: flowDocumentLimits.maxConditions,
      about:
        'Conditions by indexes and fields: expressions for the values that these must have, or {"filter": …} with one for a filter, as in the parameter where of a page of items.',
    },
    order: { kind: 'text', min: 1, max: lengths.pathName, about: 'A sorting index, or a field such as createdAt.' },
    direction: { kind: 'choice', of: ['asc', 'desc'], about: 'The direction of the order.' },
    limit: { kind: 'integer', min: 1, max: 100, initial: 20, about: 'The maximum number of items that it reads.' },
    guarded,
  },
  'create-item': {
    list,
    data: { kind: 'expression', required: true, about: 'The data of the item.' },
    tags,
    owner: { kind: 'expression', about: 'The id of the identity that owns it, or null.' },
    each,
    guarded,
  },
  'update-item': {
    list,
    item,
    merge: { kind: 'expression', about: 'An object to merge into the data (RFC 7396): null removes a key.' },
    patch: { kind: 'expression', about: 'A list of operations on the data (RFC 6902).' },
    data: { kind: 'expression', about: 'The new data.' },
    ifVersion: {
      kind: 'expression',
      about: 'The version that the item must have; otherwise the run fails with CONFLICT.',
    },
    each,
    guarded,
  },
  'delete-item': { list, item, each, guarded },
  emit: {
    webhooks: {
      kind: 'ids',
      max: flowDocumentLimits.maxWebhooks,
      required: true,
      about: 'The ids of the webhooks that the event goes to once the run has committed.',
    },
    payload: { kind: 'expression', required: true, about: 'The payload of the event.' },
    each,
  },
  respond: {
    status: { kind: 'integer', min: 200, max: 599, initial: 200, about: 'The status of the answer.' },
    body: { kind: 'expression', about: 'The body of the answer, as JSON.' },
    headers: {
      kind: 'headers',
      max: flowDocumentLimits.maxHeaders,
      about: `Headers of the answer; their names are like ${headerNamePattern}.`,
    },
  },
} as const satisfies Record<keyof typeof nodeAbouts, Properties>

export type NodeType = keyof typeof nodeProperties

export const nodeTypes = Object.keys(nodeProperties) as NodeType[]
