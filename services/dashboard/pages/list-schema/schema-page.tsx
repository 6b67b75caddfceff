import { useMemo, useRef, useState } from 'preact/hooks'
import type { List } from '#client/src/types/resources.ts'
import { findAt } from '#shared/json/edit/at-pointer.ts'
import { compact, layOut } from '#shared/json/text/layout.ts'
import { placesOf, pointerAt } from '#shared/json/text/place.ts'
import { client } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { SaveBar } from '../../forms/save-bar.tsx'
import { countOf } from '../../parts/display/text.tsx'
import type { TextEditor } from '../../parts/editor/editor.ts'
import { JsonEditor } from '../../parts/editor/json-editor.tsx'
import { Loaded, Skeleton } from '../../parts/problems/problem.tsx'
import { updateCall } from '../list-settings/list-draft.ts'
import { ListPage, listKey } from '../lists/list-page.tsx'
import { SchemaActions } from './schema-actions.tsx'
import { SchemaSide } from './schema-side.tsx'
import { type SchemaDraft, useSchemaDraft } from './use-schema-draft.ts'

/** The schema that the items of a list must match. */
export function SchemaPage({ list: name }: { list: string }) {
  const stored = useResource(`${listKey(name)} schema`, async (signal) => {
    const schema = findAt(compact(await client.lists.get(name, { signal }).text()), '/schema')
    return schema === null || schema === 'null' ? '' : layOut(schema)
  })
  return (
    <ListPage list={name} part="Schema">
      {(list) => (
        <Loaded resource={stored}>{(text) => <Schema key={list.id} name={name} list={list} stored={text} />}</Loaded>
      )}
    </ListPage>
  )
}

/** @param name path name or id, from the address */
function Schema({ name, list, stored }: { name: string; list: List; stored: string }) {
  const draft = useSchemaDraft(name, list, stored)
  const editor = useRef<TextEditor>(null)
  const [cursor, setCursor] = useState(0)
  const goTo = (pointer: string) => editor.current?.goTo(placesOf(draft.text, [pointer]).get(pointer)?.from ?? 0)
  const pointer = useMemo(() => pointerAt(draft.text, cursor), [draft.text, cursor])
  return (
    <>
      <SchemaActions list={list} draft={draft} />
      <div class="split wide">
        <div class="schema-text">
          <SchemaEditor
            draft={draft}
            isReadonly={list.readonly}
            onCursor={setCursor}
            onReady={(created) => (editor.current = created)}
          />
        </div>
        <SchemaSide list={list} draft={draft} stored={stored} goTo={goTo} showAt={(at) => editor.current?.goTo(at)} />
      </div>
      <SaveBar
        what="Your changes to the schema"
        form={draft}
        isBlocked={draft.errors.length > 0 || !draft.isJson}
        call={updateCall(name, bodyOf(draft))}
      >
        {statusOf(draft)}
        {draft.isJson && pointer && <code class="muted"> {pointer}</code>}
      </SaveBar>
    </>
  )
}

function bodyOf({ text, isJson }: SchemaDraft): string {
  return `{"schema":${isJson && text.trim() !== '' ? compact(text) : 'null'}}`
}

function statusOf({ isChanged, isJson, errors }: SchemaDraft): string {
  if (!isChanged) return 'All changes are saved.'
  if (!isJson) return 'Not saved: the text is not valid JSON.'
  return errors.length > 0 ? `Not saved: ${countOf(errors.length, 'error')}.` : 'Not saved.'
}

type EditorProps = {
  draft: SchemaDraft
  isReadonly: boolean
  onCursor: (at: number) => void
  onReady: (editor: TextEditor) => void
}

/** The text, with errors at their lines. Completion has its own script. */
function SchemaEditor({ draft, isReadonly, onCursor, onReady }: EditorProps) {
  const completion = useResource('script of completion', () => import('./schema-completion.ts'))
  if (!completion.data && !completion.error) return <Skeleton />
  return (
    <JsonEditor
      label="Schema"
      text={draft.text}
      onText={draft.edit}
      onCursor={onCursor}
      onReady={onReady}
      marks={draft.errors}
      isReadonly={isReadonly}
      extensions={completion.data ? [completion.data.schemaCompletion()] : []}
    />
  )
}
