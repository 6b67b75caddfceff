import { useRef, useState } from 'preact/hooks'
import { account, client } from '#services/dashboard/api/client.ts'
import type { FlowTexts } from '#services/dashboard/api/flow-texts.ts'
import { useResource } from '#services/dashboard/api/resource.ts'
import type { TextEditor } from '#services/dashboard/parts/editor/editor.ts'
import { JsonEditor } from '#services/dashboard/parts/editor/json-editor.tsx'
import { Problem, Skeleton } from '#services/dashboard/parts/problems/problem.tsx'
import { findAt } from '#shared/json/edit/at-pointer.ts'
import { compact } from '#shared/json/text/layout.ts'
import { elementsOf, membersOf } from '#shared/json/text/parts.ts'
import { placesOf } from '#shared/json/text/place.ts'
import { Drawing } from '../../drawing/drawing.tsx'
import { DraftSide } from './draft-side.tsx'
import type { NamedInAccount } from './flow-options.ts'
import { useDrawnTest } from './use-drawn-test.tsx'
import type { FlowDraft } from './use-flow-draft.ts'

type FlowEditorProps = {
  draft: FlowDraft
  /** The open text. */
  open: keyof FlowTexts
  onOpen: (name: keyof FlowTexts) => void
}

const labels = { document: 'Document', tests: 'Tests' }

/** Edits the document of a flow or its tests, with the findings of both next to it. */
export function FlowEditor({ draft, open, onOpen }: FlowEditorProps) {
  const { texts, checks, language } = draft
  const named = useNamed()
  const drawn = useDrawnTest(draft)
  const [cursor, setCursor] = useState<number | null>(null)
  const editor = useRef<TextEditor>(null)
  // The cursor position to set once the other text has opened.
  const waiting = useRef<number>(null)
  const go = (name: keyof FlowTexts, at: number) => {
    if (name === open) return editor.current?.goTo(at)
    waiting.current = at
    onOpen(name)
  }
  const rules = language.data
  if (language.error) return <Problem error={language.error} onRetry={language.reload} />
  if (!rules) return <Skeleton />
  return (
    <div class="split drawn">
      <div class="schema-text">
        <JsonEditor
          key={open}
          label={labels[open]}
          text={texts[open]}
          onText={(text) => draft.edit({ [open]: text })}
          marks={checks.findings[open]}
          onCursor={(at) => open === 'document' && setCursor(at)}
          extensions={open === 'document' ? [rules.flowCompletion(() => named.current)] : [rules.testsCompletion()]}
          onReady={(created) => {
            editor.current = created
            if (waiting.current !== null) created.goTo(waiting.current)
            waiting.current = null
          }}
        />
      </div>
      <div class="flow-side">
        <Drawing
          texts={texts}
          findings={checks.findings.document}
          cursor={cursor}
          names={named}
          onEdit={draft.edit}
          onSelect={({ from, to }, isOpened) => {
            if (open !== 'document') return isOpened && go('document', from)
            editor.current?.select(from, to)
            if (isOpened) editor.current?.focus()
          }}
          trial={drawn.trial}
          onUndo={() => editor.current?.undo()}
          onRedo={() => editor.current?.redo()}
        />
        {drawn.error && <Problem error={drawn.error} />}
        <DraftSide
          draft={draft}
          onGo={go}
          onGoToTest={(name) => go('tests', offsetOfTest(texts.tests, name))}
          drawn={drawn.name}
          onDraw={drawn.draw}
        />
      </div>
    </div>
  )
}

const mostNamed = 100

/** The lists and webhooks of the account, which documents refer to. The editor does not wait for them. */
function useNamed(): { current: NamedInAccount } {
  const read = useResource('names for flows', async (signal) => {
    const options = { limit: mostNamed, signal }
    const [lists, webhooks] = await Promise.all([
      client.lists.all({ ...options, order: 'name', direction: 'asc' }).page(1),
      account.webhooks.all(options).page(1),
    ])
    return {
      lists: lists.data.map(({ pathName }) => pathName),
      webhooks: webhooks.data.map(({ id, description, url }) => [id, description || url] as const),
    }
  })
  const named = useRef<NamedInAccount>({ lists: [], webhooks: [] })
  if (read.data) named.current = read.data
  return named
}

/** The offset of a test in the text; 0 if it is no longer there. */
function offsetOfTest(text: string, name: string): number {
  const tests = elementsOf(findAt(compact(text), '/tests') ?? '[]')
  const n = tests.findIndex((test) => membersOf(test).get('name')?.value === JSON.stringify(name))
  return placesOf(text, [`/tests/${n}`]).get(`/tests/${n}`)?.from ?? 0
}
