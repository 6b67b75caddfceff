import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
} from '@codemirror/autocomplete'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { pointerAt } from '#shared/json/text/place.ts'

/**
 * The completions at a pointer.
 * @param beginsMember whether a key is expected there instead of a value
 * @param place offset in the text
 */
export type OptionsAt = (pointer: string, beginsMember: boolean, place: { text: string; at: number }) => Completion[]

/** Completes JSON. @param inside a further source of completions, for example within strings */
export function jsonCompletion(optionsAt: OptionsAt, ...inside: readonly CompletionSource[]): Extension {
  return [autocompletion({ override: [(context) => complete(context, optionsAt), ...inside], icons: false }), look]
}

/** A key with its quotes and what follows it. */
export const keyOption = (name: string, detail: string): Completion => ({
  label: `"${name}"`,
  detail,
  apply: `"${name}": `,
})

export const valueOption = (value: unknown): Completion => ({ label: JSON.stringify(value) })

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

function complete(context: CompletionContext, optionsAt: OptionsAt): CompletionResult | null {
  const word = context.matchBefore(/"?[$\w-]*/)
  if (!word || (word.from === word.to && !context.explicit)) return null
  const text = context.state.doc.toString()
  const before = text.slice(0, word.from).trimEnd()
  const closing = text[context.pos] === '"' ? 1 : 0
  const options = optionsAt(pointerAt(text, word.from), /[{,]$/.test(before), { text, at: word.from })
  if (options.length === 0) return null
  return { from: word.from, to: context.pos + closing, options, validFor: /^"?[$\w-]*$/ }
}
