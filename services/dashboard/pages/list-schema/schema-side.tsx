import { useEffect, useMemo, useState } from 'preact/hooks'
import type { ListdError } from '#client/src/error.ts'
import { route } from '#client/src/transport.ts'
import type { List } from '#client/src/types/resources.ts'
import { toListdError } from '../../api/errors.ts'
import { itemsIn } from '../../api/items-in.ts'
import { Button, Link } from '../../parts/controls/button.tsx'
import { Note } from '../../parts/display/marks.tsx'
import { count, countOf } from '../../parts/display/text.tsx'
import { Problem } from '../../parts/problems/problem.tsx'
import { Warnings } from '../../parts/problems/warnings.tsx'
import { ManagedNote } from '../list-settings/managed-note.tsx'
import { PropertyTree } from './property-tree.tsx'
import { treeOf } from './schema-tree.ts'
import { StoredCheckResult } from './stored-check.tsx'
import { isSameSchema, type SchemaDraft } from './use-schema-draft.ts'
import { checkStored, type StoredCheck } from './validate-schema.ts'

type SideProps = {
  list: List
  draft: SchemaDraft
  stored: string
  /** Shows the place of a pointer in the text. */
  goTo: (pointer: string) => void
  /** Shows a character offset in the text. */
  showAt: (at: number) => void
}

/** The errors of the schema, the effects of saving, and the properties as a tree. */
export function SchemaSide({ list, draft, stored, goTo, showAt }: SideProps) {
  return (
    <aside class="stack" aria-label="About the schema">
      {list.readonly && (
        <Note icon="lock">
          The list is readonly: switch that off in its{' '}
          <Link to={route`/lists/${list.pathName}/settings`}>settings</Link>.
        </Note>
      )}
      {list.scope !== null && <ManagedNote scope={list.scope} />}
      {draft.failure && <Problem error={draft.failure} />}
      <Warnings warnings={draft.warnings} />
      <Errors draft={draft} showAt={showAt} />
      <p class="muted">{whatSavingDoes(list, draft)}</p>
      <CheckStored list={list} draft={draft} stored={stored} />
      <Tree list={list} draft={draft} goTo={goTo} />
    </aside>
  )
}

function Errors({ draft: { errors }, showAt }: Pick<SideProps, 'draft' | 'showAt'>) {
  if (errors.length === 0) return null
  return (
    <Note tone="bad">
      <div role="alert">
        <b>{countOf(errors.length, 'error')}.</b> Fix {errors.length === 1 ? 'it' : 'them'} to save.
      </div>
      <ul>
        {errors.slice(0, 20).map(({ pointer, from, line, message }) => (
          <li key={`${from} ${message}`}>
            <button type="button" class="link" onClick={() => showAt(from)}>
              Line {line}
            </button>
            {pointer && <code> {pointer}</code>} {message}
          </li>
        ))}
      </ul>
    </Note>
  )
}

function whatSavingDoes(list: List, { text }: SchemaDraft): string {
  const itemCount = itemsIn(list)
  const stays =
    itemCount === 1 ? 'The stored item does not change.' : `The ${count(itemCount)} stored items do not change.`
  const stored = itemCount === 0 ? '' : ` ${stays}`
  if (text.trim() === '') return `Without a schema, items can hold any data.${stored}`
  const failing = itemCount === 0 ? '' : ' If an item does not match, the next change of its data must fix that.'
  return `Data must match the schema when it is written.${stored}${failing}`
}

/** Compares the stored items with the text. A change of the text removes the result. */
function CheckStored({ list, draft, stored }: Pick<SideProps, 'list' | 'draft' | 'stored'>) {
  const [result, setResult] = useState<StoredCheck | ListdError | null>(null)
  const [busy, setBusy] = useState(false)
  useEffect(() => setResult(null), [draft.text])
  if (itemsIn(list) === 0 || draft.text.trim() === '') return null
  const isWrong = draft.errors.length > 0 || !draft.isJson
  const check = async () => {
    setBusy(true)
    setResult(
      await checkStored(list, { text: draft.text, isStored: isSameSchema(draft.text, stored) }).catch(toListdError),
    )
    setBusy(false)
  }
  return (
    <>
      <div>
        <Button busy={busy} disabled={isWrong} onPress={check}>
          {`Check ${count(itemsIn(list))} stored ${itemsIn(list) === 1 ? 'item' : 'items'}`}
        </Button>
      </div>
      <div role="status">
        {result &&
          ('mismatches' in result ? <StoredCheckResult list={list} check={result} /> : <Problem error={result} />)}
      </div>
    </>
  )
}

function Tree({ list, draft, goTo }: Pick<SideProps, 'list' | 'draft' | 'goTo'>) {
  const { text, isJson } = draft
  const root = useMemo(() => (isJson && text.trim() !== '' ? treeOf(text) : null), [text, isJson])
  if (text.trim() === '') return null
  return (
    <section aria-label="Properties">
      <h2>Properties</h2>
      {root ? (
        <PropertyTree root={root} text={text} edit={draft.edit} goTo={goTo} disabled={list.readonly} />
      ) : (
        <p class="muted">{isJson ? 'A schema must be an object.' : 'Shown once the text is valid JSON.'}</p>
      )}
    </section>
  )
}
