import type { Extension } from '@codemirror/state'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useResource } from '../../api/resource.ts'
import { Problem, Skeleton } from '../problems/problem.tsx'
import type { Mark, TextEditor } from './editor.ts'

type JsonEditorProps = {
  label: string
  text: string
  onText?: (text: string) => void
  onCursor?: (at: number) => void
  marks?: readonly Mark[]
  isReadonly?: boolean
  /** Receives the editor once it is loaded, for example to move its cursor. */
  onReady?: (editor: TextEditor) => void
  extensions?: readonly Extension[]
}

/** Edits JSON as text. Its script is loaded when the first editor opens. */
export function JsonEditor(props: JsonEditorProps) {
  const script = useResource('script of the editor', () => import('./editor.ts'))
  if (script.data) return <Open {...props} create={script.data.createEditor} />
  return script.error ? <Problem error={script.error} onRetry={script.reload} /> : <Skeleton />
}

const noMarks: readonly Mark[] = []

type Create = typeof import('./editor.ts').createEditor

function Open({
  create,
  label,
  text,
  marks = noMarks,
  isReadonly = false,
  ...on
}: JsonEditorProps & { create: Create }) {
  const host = useRef<HTMLDivElement>(null)
  const [editor, setEditor] = useState<TextEditor>()
  const latest = useRef(on)
  latest.current = on
  // Texts that the editor has reported and that have not come back as a prop yet. They are not set again, as this would undo fast typing.
  const reported = useRef<string[]>([])
  useEffect(() => {
    if (!host.current) return
    const created = create(host.current, {
      text,
      label,
      isReadonly,
      extensions: on.extensions ?? [],
      onText(changed) {
        reported.current.push(changed)
        latest.current.onText?.(changed)
      },
      onCursor: (at) => latest.current.onCursor?.(at),
    })
    setEditor(created)
    latest.current.onReady?.(created)
    return () => created.destroy()
  }, [])
  useEffect(() => {
    const back = reported.current.lastIndexOf(text)
    reported.current.splice(0, back + 1)
    if (back < 0) editor?.setText(text)
  }, [text, editor])
  useEffect(() => editor?.setMarks(marks), [marks, editor])
  useEffect(() => editor?.setReadonly(isReadonly), [isReadonly, editor])
  return <div class="editor" ref={host} />
}
