import type { DefinitionDiagnostic, FlowTexts } from '#shared/domain/flow/definition.ts'
import { type FlowDefinition, flowLogged } from '#shared/domain/flow/fields.ts'
import { type Diagnostic, Diagnostics } from '#shared/domain/flow/language/diagnostics.ts'
import type { Properties } from '#shared/domain/flow/language/properties.ts'
import { readProperties } from '#shared/domain/flow/language/read-properties.ts'
import { Place } from '#shared/domain/flow/language/read-value.ts'
import { maxJsonDepth } from '#shared/domain/limits.ts'
import { placeOf } from '#shared/domain/text/place.ts'
import { isObject } from '#shared/json/is-object.ts'
import { compact, offsetBeforeCompact } from '#shared/json/text/layout.ts'
import { objectMembers } from '#shared/json/text/offsets.ts'
import { findSyntaxError } from '#shared/json/text/syntax-error.ts'

/** The content of a flow file: a definition as the API accepts it, or only the document. */
export type FlowFile = {
  document: Part
  /** Null: the flow has no tests; undefined: the file does not say. */
  tests: Part | null | undefined
  settings: Partial<Pick<FlowDefinition, 'activated' | 'logged'>>
  /** The text of the whole file. */
  text: string
}

/** A value of a file in the form that is sent, without white space. */
type Part = {
  text: string
  /** Its path in the file; empty for the whole file. */
  path: string
  /** Its offset in the file without white space. */
  from: number
}

const definitionProperties = {
  document: { kind: 'any', required: true, about: 'The document of the flow.' },
  tests: { kind: 'any', about: 'Its tests.' },
  activated: { kind: 'flag', initial: true, about: 'Whether calls of its path run it.' },
  logged: { kind: 'choice', of: flowLogged, about: 'Which of its runs are recorded.' },
} as const satisfies Properties

/**
 * Reads the text of a file. It does not check the document and the tests in it.
 * @returns the flow, null when a finding is an error; lines, columns and paths of findings are those of the file
 */
export function readFlowFile(text: string): { flow: FlowFile | null; findings: Diagnostic[] } {
  const broken = findSyntaxError(text, maxJsonDepth)
  if (broken) return { flow: null, findings: [notJson(text, broken)] }
  const source = compact(text)
  const value: unknown = JSON.parse(source)
  if (!isObject(value) || !Object.hasOwn(value, 'document')) {
    const document = { text: source, path: '', from: 0 }
    return { flow: { document, tests: undefined, settings: {}, text }, findings: [] }
  }
  const diagnostics = new Diagnostics()
  readProperties(new Place({ diagnostics, text, helpers: new Map(), names: [] }, ''), value, definitionProperties)
  return { flow: diagnostics.hasErrors ? null : definitionIn(text, source, value), findings: diagnostics.inOrder(text) }
}

function notJson(text: string, { offset, why }: { offset: number; why: string }): Diagnostic {
  return { severity: 'error', code: 'JSON', message: `is not valid JSON: ${why}`, path: '', ...placeOf(text, offset) }
}

/** @param value the parsed text, valid by the table */
function definitionIn(text: string, source: string, value: Record<string, unknown>): FlowFile {
  const members = objectMembers(source, 0)
  const partOf = (path: string): Part => {
    const { value: from = 0, end = 0 } = members.find(({ key }) => key === path) ?? {}
    return { text: source.slice(from, end), path, from }
  }
  const { tests, activated, logged } = value as Partial<FlowDefinition>
  return {
    document: partOf('document'),
    tests: tests === null || tests === undefined ? tests : partOf('tests'),
    settings: { ...(activated !== undefined && { activated }), ...(logged !== undefined && { logged }) },
    text,
  }
}

export function textsOf({ document, tests }: FlowFile): FlowTexts {
  return { document: document.text, tests: tests?.text ?? null }
}

/** Maps findings in the texts of a flow, which have one line each, to its file; findings in absent tests go to the beginning of the file. */
export function findingsInFile(flow: FlowFile, diagnostics: readonly DefinitionDiagnostic[]): Diagnostic[] {
  return diagnostics.map(({ source, column, path, ...finding }) => {
    const { path: own, from } = flow[source] ?? { path: source, from: 1 - column }
    const offset = offsetBeforeCompact(flow.text, from + column - 1)
    const pathInFile = [own, path].filter((one) => one !== '').join('.')
    return { ...finding, path: pathInFile, ...placeOf(flow.text, offset) }
  })
}
