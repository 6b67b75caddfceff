import type { Extension } from '@codemirror/state'
import { jsonCompletion, keyOption } from '#services/dashboard/parts/editor/json-completion.ts'
import type { Properties } from '#shared/domain/flow/language/properties.ts'
import {
  expectProperties,
  identityProperties,
  itemProperties,
  testProperties,
  testsProperties,
} from '#shared/domain/flow/tests/tests-document.ts'
import { parsePointer } from '#shared/json/pointer.ts'

/** Completes the tests of a flow. */
export function testsCompletion(): Extension {
  return jsonCompletion((pointer, beginsMember) => {
    const table = beginsMember ? tableAt(parsePointer(pointer) ?? []) : {}
    return Object.entries(table).map(([name, { about }]) => keyOption(name, about))
  })
}

/** The properties of the object at a pointer in the tests. */
function tableAt([first, n, third, ...more]: readonly string[]): Properties {
  if (first === undefined) return testsProperties
  if (first === 'identities') return n !== undefined && third === undefined ? identityProperties : {}
  if (first === 'items') return third !== undefined && more.length === 0 ? itemProperties : {}
  if (first !== 'tests' || n === undefined) return {}
  if (third === undefined) return testProperties
  if (third === 'expect') return more.length === 0 ? expectProperties : {}
  return third === 'items' && more.length === 2 ? itemProperties : {}
}
