import type { FieldError } from '#shared/errors.ts'
import { isObject } from '#shared/json/is-object.ts'
import { own } from '#shared/json/own.ts'
import { resultOf } from '#shared/json/text/result-of.ts'
import type { Helpers } from '../../expression/check.ts'
import { readHelpers } from '../../expression/check.ts'
import { ExpressionError } from '../../expression/expression-error.ts'
import type { Diagnostic } from './diagnostics.ts'
import { Diagnostics, unreadableIn } from './diagnostics.ts'
import { readEntry } from './entry.ts'
import type { Flow } from './flow.ts'
import { eachNames, runNames } from './flow.ts'
import { readEdges } from './graph.ts'
import type { KnownNames } from './named.ts'
import { addUnknownNames, namesOf } from './named.ts'
import type { FoundNode } from './nodes.ts'
import { graphNode, readNodes } from './nodes.ts'
import { documentProperties } from './properties.ts'
import { readProperties } from './read-properties.ts'
import type { Reading } from './read-value.ts'
import { Place } from './read-value.ts'
import { checkSteps } from './steps.ts'
import { checkLiterals, checkSearchOptions } from './where-names.ts'

/** What documents are checked against in addition to their format. An absent property is not checked, for example without a server. */
export type KnownToFlows = KnownNames & {
  /** Reports names in nodes that their lists do not support (`page-names.ts`). The dashboard leaves this to the server, because the code is large. */
  addUnserved?: (nodes: readonly FoundNode[]) => void
  /** Returns all errors of the source text of a JSON Schema. Their paths begin with `path`. */
  schemaErrors?: (text: string, path: string) => readonly FieldError[]
}

/**
 * Reads and checks a flow document as a whole.
 * @param text its JSON text, in any layout
 * @returns the flow (null if any diagnostic is an error) and the diagnostics in the order of the text
 */
export function readFlow(text: string, known: KnownToFlows = {}): ReadFlow {
  return resultOf(readFlowInSteps(text, known))
}

type ReadFlow = { flow: Flow | null; diagnostics: Diagnostic[] }

/** The same in steps, which take a few milliseconds each for a long document. */
export function* readFlowInSteps(text: string, known: KnownToFlows = {}): Generator<undefined, ReadFlow> {
  const unreadable = unreadableIn(text)
  if (unreadable) return { flow: null, diagnostics: [unreadable] }
  yield
  const diagnostics = new Diagnostics()
  const flow = yield* readDocument({ diagnostics, text, helpers: new Map(), names: [] }, JSON.parse(text), known)
  yield
  return { flow: diagnostics.hasErrors ? null : flow, diagnostics: diagnostics.inOrder(text) }
}

function* readDocument(reading: Reading, document: unknown, known: KnownToFlows): Generator<undefined, Flow | null> {
  const root = new Place(reading, '')
  if (!isObject(document)) return root.error('WRONG_TYPE', 'must be an object') ?? null
  const read = readProperties(root, document, documentProperties)
  const entry = Object.hasOwn(document, 'entry')
    ? readEntry(root.at('entry'), document.entry, known.schemaErrors)
    : null
  const helpers = readHelperText(root.at('helpers'), own(document, 'helpers'))
  const found = yield* readNodes(new Place({ ...reading, helpers }, '').at('nodes'), own(document, 'nodes'))
  const edges = readEdges(root.at('edges'), own(document, 'edges') ?? [], found.map(graphNode))
  const nodes = found.flatMap(({ node }) => node ?? [])
  checkSteps(root, { nodes: found, edges, helpers })
  checkLiterals(found)
  checkSearchOptions(found)
  addUnknownNames(found, known)
  known.addUnserved?.(found)
  const [start] = found
  if (!read || !entry || !start || nodes.length < found.length) return null
  const { name, description } = read
  const { lists, webhooks } = namesOf(found.map(({ raw }) => raw))
  const byId = new Map(nodes.map((node) => [node.id, node]))
  return { name, description, entry, helpers, nodes: byId, start: start.id, edges, lists, webhooks }
}

function readHelperText(place: Place, text: unknown): Helpers {
  if (typeof text !== 'string') return new Map()
  try {
    const helpers = readHelpers(text, runNames)
    for (const name of eachNames) {
      const at = helpers.get(name)?.at
      if (at !== undefined)
        place.error(
          'EXPRESSION',
          `cannot define a helper "${name}": the name is reserved for expressions below each`,
          at,
        )
    }
    return helpers
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    place.error('EXPRESSION', error.message, error.source.at)
    return new Map()
  }
}
