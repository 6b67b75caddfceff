import type { Extension } from '@codemirror/state'
import { useMemo, useRef, useState } from 'preact/hooks'
import { client } from '#services/dashboard/api/client.ts'
import { toListdError } from '#services/dashboard/api/errors.ts'
import { useResource } from '#services/dashboard/api/resource.ts'
import { announce } from '#services/dashboard/parts/controls/announce.tsx'
import { Button } from '#services/dashboard/parts/controls/button.tsx'
import { size } from '#services/dashboard/parts/display/text.tsx'
import type { TextEditor } from '#services/dashboard/parts/editor/editor.ts'
import { JsonEditor } from '#services/dashboard/parts/editor/json-editor.tsx'
import { messageOf, Skeleton } from '#services/dashboard/parts/problems/problem.tsx'
import { bodyBytes } from '#shared/domain/limits.ts'
import type { DocumentError } from './document-errors.ts'

type DocumentEditorProps = {
  text: string
  onText: (text: string) => void
  errors: readonly DocumentError[] | undefined
  onReady: (editor: TextEditor) => void
}

/** The text of a document: typed, pasted, dropped as a file, or opened from a file. */
export function DocumentEditor({ text, onText, errors, onReady }: DocumentEditorProps) {
  const [isOver, setOver] = useState(false)
  const completion = useResource('completion of documents', loadCompletion)
  const marks = useMemo(() => errors?.slice(0, mostMarks) ?? [], [errors])
  const take = async (file: File | undefined) => {
    setOver(false)
    if (!file) return
    const read = await readFile(file)
    if ('problem' in read) announce(read.problem, { bad: true })
    else onText(read.text)
  }
  // In the capture phase, because the editor would insert a dropped file at the cursor.
  const drop = {
    onDragOverCapture(event: DragEvent) {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDropCapture(event: DragEvent) {
      const file = event.dataTransfer?.files[0]
      if (!file) return
      event.preventDefault()
      event.stopPropagation()
      take(file)
    },
  }
  return (
    <div class={isOver ? 'document over' : 'document'} {...drop}>
      <div class="bar">
        <OpenFile onFile={take} />
        {text.trim() === '' && <Button onPress={() => readExample().then(onText, tell)}>Start with an example</Button>}
        <span class="muted small">Paste a document, or drop its file here.</span>
      </div>
      {completion.data || completion.error ? (
        <JsonEditor
          label="Document"
          text={text}
          onText={onText}
          marks={marks}
          onReady={onReady}
          extensions={completion.data ? [completion.data] : []}
        />
      ) : (
        <Skeleton />
      )}
    </div>
  )
}

/** Loads completion, which has its own script. */
async function loadCompletion(signal: AbortSignal): Promise<Extension> {
  const [{ syncCompletion }, format] = await Promise.all([
    import('./sync-completion.ts'),
    client.sync.format({ signal }),
  ])
  return syncCompletion(format)
}

/** Each mark takes a line: more would hide the text. */
const mostMarks = 100

/** Reads the example in the format of documents. */
async function readExample(): Promise<string> {
  const { examples } = await client.sync.format()
  return `${JSON.stringify(Array.isArray(examples) ? examples[0] : {}, null, 2)}\n`
}

const tell = (failure: unknown) => announce(messageOf(toListdError(failure)), { bad: true })

function OpenFile({ onFile }: { onFile: (file: File | undefined) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        class="unseen"
        type="file"
        accept=".json,application/json"
        aria-label="File of the document"
        tabIndex={-1}
        onChange={({ currentTarget }) => {
          onFile(currentTarget.files?.[0])
          currentTarget.value = ''
        }}
      />
      <Button icon="import" onPress={() => input.current?.click()}>
        Open a file…
      </Button>
    </>
  )
}

async function readFile(file: File): Promise<{ text: string } | { problem: string }> {
  if (file.size > bodyBytes.syncDocument) {
    return {
      problem: `${file.name} has ${size(file.size)}; a document can have at most ${size(bodyBytes.syncDocument)}.`,
    }
  }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer()) }
  } catch {
    return { problem: `${file.name} is not UTF-8; save it in this encoding.` }
  }
}
