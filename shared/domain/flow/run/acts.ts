import type { Value } from '../../expression/value.ts'
import { kindNames, kindOf, objectOf } from '../../expression/value.ts'
import { utf8Length } from '../../text/utf8-length.ts'
import type { FlowNode, NodeOf } from '../language/flow.ts'
import { defaultPort } from '../language/nodes.ts'
import type { FlowExpression } from '../language/properties.ts'
import { headerValueError } from '../language/response-headers.ts'
import type { FlowAnswer, FlowAnswered, FlowAsk } from './driver.ts'
import { FlowFailure, wrongValue } from './failure.ts'
import { createItem, deleteItem, getItem, listItems, updateItem } from './item-acts.ts'
import type { Visit } from './visit.ts'

/** The outcome of a node: its result, null if it has none; the port, absent if there is only one; the answer that ends the run. */
export type Acted = { result?: Value; port?: string; answer?: FlowAnswered }

/** Executes a node. @throws FlowFailure */
export function* act(visit: Visit, node: FlowNode): Generator<FlowAsk, Acted, FlowAnswer> {
  switch (node.type) {
    case 'require':
      return requireThat(visit, node)
    case 'condition': {
      const result = visit.condition('when', node.when)
      return { result, port: String(result) }
    }
    case 'switch': {
      const first = node.cases.find(({ when }, n) => visit.condition(`cases.${n}.when`, when))
      const port = first?.port ?? defaultPort
      return { result: port, port }
    }
    case 'compute':
      return { result: visit.value('value', node.value) }
    case 'get-item':
      return bounded(visit, yield* getItem(visit, node))
    case 'list-items':
      return bounded(visit, yield* listItems(visit, node))
    case 'create-item':
      return bounded(visit, yield* forEach(visit, node.each, () => createItem(visit, node)))
    case 'update-item':
      return bounded(visit, yield* forEach(visit, node.each, () => updateItem(visit, node)))
    case 'delete-item':
      return bounded(visit, yield* forEach(visit, node.each, () => deleteItem(visit, node)))
    case 'emit':
      return bounded(visit, yield* forEach(visit, node.each, () => emit(visit, node)))
    case 'respond':
      return respond(visit, node)
  }
}

/** Checks a result that is not the value of an expression. @throws FlowFailure when it exceeds the bounds of values */
function bounded({ state }: Visit, result: Value): Acted {
  state.assertWithin(result)
  return { result }
}

function requireThat(visit: Visit, { when, message, status }: NodeOf<'require'>): Acted {
  if (visit.condition('when', when)) return { result: true }
  throw new FlowFailure({ code: 'REQUIRE_FAILED', message, status })
}

/** Executes once, or once per element of a list; then the result is the list of results. */
function* forEach(
  visit: Visit,
  each: FlowExpression | null,
  actOnce: () => Generator<FlowAsk, Value, FlowAnswer>,
): Generator<FlowAsk, Value, FlowAnswer> {
  if (each === null) return yield* actOnce()
  const results: Value[] = []
  for (const [index, item] of visit.list('each', each).entries()) {
    visit.begin(item, index)
    results.push(yield* actOnce())
    yield* visit.state.pause()
  }
  visit.end()
  return results
}

// biome-ignore lint/correctness/useYield: it acts like the nodes that ask.
function* emit(visit: Visit, { id, webhooks, payload }: NodeOf<'emit'>): Generator<FlowAsk, Value, FlowAnswer> {
  const { state } = visit
  state.take('emits')
  const text = visit.json('payload', payload)
  state.take('bytesWritten', utf8Length(text))
  const eventId = state.request.newId()
  state.emits.push({ eventId, webhooks, payload: text, node: id })
  return objectOf([['eventId', eventId]])
}

function respond(visit: Visit, { status, body, headers }: NodeOf<'respond'>): Acted {
  const sent = [...(headers ?? [])].flatMap(([name, expression]) => {
    const value = headerText(visit, name, expression)
    return value === null ? [] : [[name.toLowerCase(), value] as const]
  })
  const text = body && visit.json('body', body)
  return { answer: { kind: 'answered', status, headers: Object.fromEntries(sent), body: text } }
}

/** Null: the answer does not have this header. */
function headerText(visit: Visit, name: string, expression: FlowExpression): string | null {
  const value = visit.value(`headers.${name}`, expression)
  if (value === null) return null
  if (typeof value !== 'string' && typeof value !== 'number')
    throw wrongValue(expression, `a header must be a text, a number or null, not ${kindNames[kindOf(value)]}`)
  const error = headerValueError(String(value))
  if (error !== null) throw wrongValue(expression, `the header ${name} ${error}`)
  return String(value)
}
