import { route } from '#client/src/transport.ts'
import { client } from '../../api/client.ts'
import { itemsIn } from '../../api/items-in.ts'
import { Form } from '../../forms/form.tsx'
import { Button, Link, LinkButton } from '../../parts/controls/button.tsx'
import { CopyAs } from '../../parts/copy-as/copy-as.tsx'
import { LeaveGuard } from '../../parts/dialogs/leave-guard.tsx'
import { Note } from '../../parts/display/marks.tsx'
import { usePageKeys } from '../../parts/page/page-keys.ts'
import { Problem } from '../../parts/problems/problem.tsx'
import { Activity } from '../activity/activity.tsx'
import { ManagedNote } from '../list-settings/managed-note.tsx'
import { indexesKey } from '../lists/list-indexes.ts'
import { DeleteIndex } from './delete-index.tsx'
import { consequences } from './index-draft.ts'
import { IndexFieldset, IndexNotes, IndexRoles } from './index-form.tsx'
import { IndexPreview } from './index-preview.tsx'
import { BuildState } from './index-table.tsx'
import { type IndexEditorProps, type IndexForm, useIndexForm } from './use-index-form.ts'
import { ValuePicker } from './value-picker.tsx'

/** Creates or changes an index. The user picks the value in a sample item, and sees the indexed values before anything is built. */
export function IndexEditor(props: IndexEditorProps) {
  const { list, index, others } = props
  const form = useIndexForm(props)
  const { draft, pick, isEdited, save, problems, other } = form
  usePageKeys([{ key: 'Ctrl s', what: index ? 'Save' : 'Create the index', run: save }])
  const fields = { form, others, disabled: list.readonly }
  const title = index ? `Index ${index.pathName}` : 'New index'
  return (
    <Form class="index-editor" label={title} problems={problems} onSend={save}>
      {isEdited && <LeaveGuard what="Your changes to the index" parameters={['index', 'new', 'pointer']} />}
      <Head title={title} {...props} />
      {other && <Problem error={other} />}
      <div class="index-columns">
        <div class="stack">
          <ValuePicker list={list.id} pointer={draft.pointer} onPick={pick} />
          <IndexPreview list={list} index={index} draft={draft} />
          {index && (
            <Activity
              of={`${indexesKey(list.id)} activity ${index.id}`}
              read={(options) => client.list(list.id).indexes.stats(index.id, options)}
            />
          )}
        </div>
        <div class="form">
          <IndexFieldset {...fields} />
          <IndexRoles {...fields} />
          <details open={index !== null}>
            <summary>For people</summary>
            <div class="form">
              <IndexNotes {...fields} />
            </div>
          </details>
          <Ends form={form} {...props} />
        </div>
      </div>
    </Form>
  )
}

/** The title and state of the index, and why it cannot be changed. */
function Head({ title, name, list, index }: IndexEditorProps & { title: string }) {
  return (
    <>
      <div class="row">
        <h2 class="grow">{title}</h2>
        {index && <BuildState index={index} />}
        <LinkButton to={route`/lists/${name}/indexes`} kind="quiet" icon="close" label="Back to all indexes" />
      </div>
      {list.readonly && (
        <Note icon="lock">
          The list is readonly: switch that off in its <Link to={route`/lists/${name}/settings`}>settings</Link>.
        </Note>
      )}
      {index?.scope != null && <ManagedNote scope={index.scope} />}
    </>
  )
}

/** The effects of saving, and the buttons. */
function Ends({ form, name, list, index }: IndexEditorProps & { form: IndexForm }) {
  const { draft, isChanged, busy, call } = form
  const said = isChanged ? consequences(index, draft, itemsIn(list)) : []
  return (
    <>
      {said.length > 0 && <Note icon="time">{said.join(' ')}</Note>}
      <div class="ends">
        {index && <DeleteIndex name={name} index={index} disabled={list.readonly} />}
        <div class="grow" />
        {isChanged && <CopyAs call={call} />}
        <Button kind="primary" sends busy={busy} disabled={list.readonly || !isChanged}>
          {index ? 'Save' : 'Create the index'}
        </Button>
      </div>
    </>
  )
}
