import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory, redo, undo } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language'
import { Compartment, EditorSelection, EditorState, type Extension, StateEffect, StateField } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  WidgetType,
} from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** A problem of a part of the text, by character offsets. Warnings have another color. */
export type Mark = { from: number; to: number; message: string; severity?: 'error' | 'warning' }

export type EditorSettings = {
  text: string
  label: string
  isReadonly: boolean
  onText: (text: string) => void
  /** Receives the character offset of the cursor. */
  onCursor: (at: number) => void
  /** Further extensions, such as completion. */
  extensions: readonly Extension[]
}

/** An editor of JSON text. It does not reformat the text. */
export type TextEditor = {
  /** Replaces the text, for example when the item was read again. `onText` is not called. */
  setText(text: string): void
  setMarks(marks: readonly Mark[]): void
  setReadonly(isReadonly: boolean): void
  /** Moves the cursor to an offset, scrolls to it, and focuses the editor. */
  goTo(at: number): void
  /** Selects a part of the text and scrolls to it. The focus does not move. */
  select(from: number, to: number): void
  undo(): void
  redo(): void
  focus(): void
  destroy(): void
}

/**
 * Creates an editor in a shadow root. There its styles are a constructed style sheet, which the page's security header allows without an exception.
 */
export function createEditor(host: HTMLElement, settings: EditorSettings): TextEditor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const readonly = new Compartment()
  let isSetting = false
  const writable = (isReadonly: boolean) => [EditorState.readOnly.of(isReadonly), EditorView.editable.of(!isReadonly)]
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: settings.text,
      extensions: [
        readonly.of(writable(settings.isReadonly)),
        ...basics,
        ...settings.extensions,
        // A read-only editor can also be scrolled by the keyboard.
        EditorView.contentAttributes.of({ 'aria-label': settings.label, tabindex: '0' }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !isSetting) settings.onText(update.state.doc.toString())
          if (update.docChanged || update.selectionSet) settings.onCursor(update.state.selection.main.head)
        }),
      ],
    }),
  })
  return {
    setText(text) {
      const before = view.state.doc.toString()
      if (text === before) return
      isSetting = true
      // Always a separate undo step, even right after another change.
      view.dispatch({ changes: changeBetween(before, text), annotations: isolateHistory.of('full') })
      isSetting = false
    },
    setMarks: (marks) => view.dispatch({ effects: setMarks.of(marks) }),
    setReadonly: (isReadonly) => view.dispatch({ effects: readonly.reconfigure(writable(isReadonly)) }),
    goTo(at) {
      const anchor = Math.min(at, view.state.doc.length)
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) })
      view.focus()
    },
    select(from, to) {
      const most = view.state.doc.length
      const range = EditorSelection.range(Math.min(to, most), Math.min(from, most))
      view.dispatch({ selection: range, effects: EditorView.scrollIntoView(range, { yMargin: 60 }) })
    },
    undo: () => undo(view),
    redo: () => redo(view),
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  }
}

/** Replaces only the part that differs, so that the cursor keeps its place in the rest. */
function changeBetween(before: string, after: string): { from: number; to: number; insert: string } {
  const shorter = Math.min(before.length, after.length)
  let from = 0
  while (from < shorter && before[from] === after[from]) from++
  let same = 0
  while (same < shorter - from && before.at(-1 - same) === after.at(-1 - same)) same++
  return { from, to: before.length - same, insert: after.slice(from, after.length - same) }
}

const setMarks = StateEffect.define<readonly Mark[]>()

/** The marked parts, each with its message below its line. They move with the text until new ones replace them. */
const marksField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(decorations, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setMarks)) return decorationsOf(transaction.state, effect.value)
    }
    return decorations.map(transaction.changes)
  },
  provide: (field) => EditorView.decorations.from(field),
})

function decorationsOf({ doc }: EditorState, marks: readonly Mark[]): DecorationSet {
  const ranges = marks.flatMap(({ from, to, message, severity }) => {
    const warns = severity === 'warning' ? ' cm-warning' : ''
    const start = Math.min(from, doc.length)
    const line = doc.lineAt(start)
    const end = Math.min(Math.max(to, start), line.to)
    return [
      Decoration.line({ class: `cm-wrong-line${warns}` }).range(line.from),
      ...(end > start ? [Decoration.mark({ class: `cm-wrong${warns}` }).range(start, end)] : []),
      Decoration.widget({ widget: new MessageWidget(message, warns), block: true, side: 1 }).range(line.to),
    ]
  })
  return Decoration.set(ranges, true)
}

class MessageWidget extends WidgetType {
  readonly #message: string
  readonly #warns: string

  constructor(message: string, warns: string) {
    super()
    this.#message = message
    this.#warns = warns
  }

  override eq(other: MessageWidget): boolean {
    return other.#message === this.#message && other.#warns === this.#warns
  }

  override toDOM(): HTMLElement {
    const element = document.createElement('div')
    element.className = `cm-message${this.#warns}`
    element.textContent = this.#message
    return element
  }
}

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--code-name)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: tags.number, color: 'var(--code-number)' },
  { tag: [tags.bool, tags.null], color: 'var(--accent)' },
])

const look = EditorView.theme({
  '&': {
    '--wrong': 'var(--bad)',
    '--wrong-wash': 'var(--bad-wash)',
    height: '100%',
    color: 'var(--text)',
    backgroundColor: 'var(--surface)',
    fontSize: '.78125rem',
  },
  // Drawn over the line numbers too, which would cover an outline.
  '&.cm-focused': { outline: 'none' },
  '&.cm-focused::after': {
    content: '""',
    position: 'absolute',
    inset: 0,
    zIndex: 300,
    border: '2px solid var(--accent)',
    pointerEvents: 'none',
  },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--muted)', border: '0' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in oklab, var(--sunk) 60%, transparent)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--accent-wash) !important' },
  '.cm-matchingBracket': { backgroundColor: 'var(--accent-wash) !important' },
  '.cm-warning': { '--wrong': 'var(--warn)', '--wrong-wash': 'var(--warn-wash)' },
  '.cm-wrong-line, .cm-message': { backgroundColor: 'var(--wrong-wash)' },
  '.cm-wrong': { textDecoration: 'underline wavy var(--wrong) 1px', textUnderlineOffset: '3px' },
  '.cm-message': {
    color: 'var(--wrong)',
    padding: '0 1rem .25rem 2rem',
    fontFamily: 'var(--sans)',
    fontSize: 'var(--small)',
  },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--sunk)', border: '0', color: 'var(--muted)', padding: '0 .25rem' },
})

const basics: readonly Extension[] = [
  lineNumbers(),
  foldGutter(),
  highlightSpecialChars(),
  history(),
  drawSelection(),
  indentOnInput(),
  bracketMatching(),
  highlightActiveLine(),
  EditorView.lineWrapping,
  json(),
  syntaxHighlighting(colours),
  look,
  marksField,
  // Tab indents. Escape, then Tab, leaves the editor.
  keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap, indentWithTab]),
]
