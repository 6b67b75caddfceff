import test from 'ava'
import { conflictError, RunConflict } from '#services/gateway/resources/flows/calls/run-conflict.ts'
import { Conflict } from '#shared/data/conflict.ts'
import type { FlowWrite } from '#shared/domain/flow/run/driver.ts'
import { failureReport } from '#shared/domain/flow/run/report.ts'

const read = { list: 'seats', ref: 'row-1', item: null, node: 'seat' }
const proofs = [{ proof: { listId: 'l', alias: 'row-1', valuesId: 'v' }, read }]
const writes = [{ op: 'update', list: 'events', itemId: 'e1', node: 'count' } as FlowWrite]

const errorOf = (conflict: Conflict) => conflictError(new RunConflict(conflict, { writes, proofs }))
const recorded = (conflict: Conflict) => JSON.parse(failureReport(errorOf(conflict).recorded)).error

const cases: [conflict: Conflict, node: string, item: string][] = [
  [new Conflict('item', undefined, 0), 'seat', 'the item "row-1" of seats'],
  [new Conflict('item', 0), 'count', 'the item "e1" of events'],
  [new Conflict('item', 0, 0), 'seat', 'the item "row-1" of seats'],
]
for (const [conflict, node, item] of cases) {
  test(`a conflict on change ${conflict.change} and proof ${conflict.proof} names the node ${node}, and records ${item}`, (t) => {
    const error = errorOf(conflict)
    t.like(error, { name: 'FLOW_CONFLICT', status: 409, details: { node } })
    t.false(JSON.stringify([error.message, error.details]).includes(item), 'the caller may not see the item')
    t.like(recorded(conflict), { code: 'FLOW_CONFLICT', status: 409, node })
    t.true(recorded(conflict).message.endsWith(`It was ${item}.`))
  })
}

test('an unknown conflict names no node', (t) => {
  for (const error of [errorOf(new Conflict('item')), conflictError(new Conflict('list'))]) {
    t.is(error.details, undefined)
    t.is(JSON.parse(failureReport(error.recorded)).error.node, undefined)
  }
})
