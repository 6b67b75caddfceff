import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { pointerAt } from '../../../../shared/json/place.ts'
import { formats, keywords, placeOf } from './schema-place.ts'
import { schemaTypes } from './schema-tree.ts'

/** Offers the keywords of draft-07 where a schema is written, and what some of them may say. */
export function schemaCompletion(): Extension {
  return [autocompletion({ override: [complete], icons: false }), look]
}

const look = EditorView.theme({
  '.cm-tooltip': { border: '0', borderRadius: '8px', backgroundColor: 'var(--raised)', boxShadow: 'var(--float)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mono)',
    maxWidth: 'min(34rem, 90vw)',
    padding: '.25rem',
  },
  '.cm-tooltip-autocomplete > ul > li': { padding: '.125rem .5rem', borderRadius: '5px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent-wash)', color: 'var(--text)' },
  '.cm-completionMatchedText': { textDecoration: 'none', color: 'var(--accent)' },
  '.cm-completionDetail': { fontFamily: 'var(--sans)', fontStyle: 'normal', color: 'var(--muted)' },
})

function complete(context: CompletionContext): CompletionResult | null {
  const word = context.matchBefore(/"?[$\w-]*/)
  if (!word || (word.from === word.to && !context.explicit)) return null
  const text = context.state.doc.toString()
  const before = text.slice(0, word.from).trimEnd()
  const place = placeOf(pointerAt(text, word.from))
  const closing = text[context.pos] === '"' ? 1 : 0
  const options = optionsAt(place, /[{,]$/.test(before))
  if (options.length === 0) return null
  return { from: word.from, to: context.pos + closing, options, validFor: /^"?[$\w-]*$/ }
}

/** @param beginsMember whether a key may stand there, not a value */
function optionsAt(place: ReturnType<typeof placeOf>, beginsMember: boolean): Completion[] {
  if (place.is === 'schema' && beginsMember) {
    return keywords.map(([name, detail]) => ({ label: `"${name}"`, detail, apply: `"${name}": ` }))
  }
  if (place.is !== 'value') return []
  return (values[place.of] ?? []).map((value) => ({ label: JSON.stringify(value) }))
}

const flags = [true, false]
const values: Readonly<Record<string, readonly unknown[]>> = {
  type: schemaTypes,
  format: formats,
  uniqueItems: flags,
  readOnly: flags,
  writeOnly: flags,
  $schema: ['http://json-schema.org/draft-07/schema#'],
}
