import type { ListdError } from '../../../../client/src/error.ts'
import type { List } from '../../../../client/src/resources.ts'
import { listFields } from '../../../../shared/domain/list/fields.ts'
import { fieldErrors } from '../../api/field-errors.ts'
import { Switch, TextField } from '../../parts/field.tsx'
import { Note } from '../../parts/marks.tsx'
import { flagNames, type ListDraft } from './list-draft.ts'

type FormProps = {
  draft: ListDraft
  edit: (change: Partial<ListDraft>) => void
  /** Nothing but `readonly` can be changed. */
  isLocked: boolean
}

/** What a list is called. */
export function ListFieldset({
  list,
  draft,
  edit,
  error,
  isLocked,
}: FormProps & { list: List; error: ListdError | undefined }) {
  const problems = error ? listProblems(error) : new Map<string, string>()
  const disabled = isLocked
  return (
    <section class="form" aria-label="Names">
      <h2>Names</h2>
      {isLocked && (
        <Note icon="lock">The list is readonly: nothing else can be changed until that is switched off.</Note>
      )}
      <TextField
        label="Name"
        help={listFields.name.about}
        value={draft.name}
        problem={problems.get('name')}
        disabled={disabled}
        onValue={(name) => edit({ name })}
      />
      <TextField
        label="Path name"
        mono
        help={<PathNameHelp list={list} draft={draft} />}
        value={draft.pathName}
        problem={problems.get('pathName')}
        disabled={disabled}
        onValue={(pathName) => edit({ pathName })}
      />
      <TextField
        label="Description"
        lines={3}
        help={listFields.description.about}
        value={draft.description}
        problem={problems.get('description')}
        disabled={disabled}
        onValue={(description) => edit({ description })}
      />
      <TextField
        label="Tags"
        help={`${listFields.tags.about} Commas part them.${list.scope === null ? '' : ` The tag of ${list.scope} comes in addition.`}`}
        value={draft.tags}
        problem={problems.get('tags')}
        disabled={disabled}
        onValue={(tags) => edit({ tags })}
      />
    </section>
  )
}

/** What an answer says of fields of the form. */
export function listProblems(error: ListdError): ReadonlyMap<string, string> {
  return error.name === 'LIST_PATH_NAME_TAKEN' ? new Map([['pathName', error.message]]) : fieldErrors(error)
}

/** What another path name comes to. */
function PathNameHelp({ list, draft }: { list: List; draft: ListDraft }) {
  if (draft.pathName === list.pathName) return <>Addresses the list beside its id, ignoring case.</>
  if (list.scope === null) return <>Apps that address the list as {list.pathName} do not find it any more.</>
  return (
    <>
      Apps that address the list as {list.pathName} do not find it any more. Rename it in the document of {list.scope}{' '}
      too: its next sync makes another list {list.pathName} otherwise.
    </>
  )
}

/** What may be done with a list: a sentence for each flag. */
export function ListFlags({ draft, edit, isLocked }: FormProps) {
  return (
    <section class="form" aria-label="Flags">
      <h2>Flags</h2>
      {flagNames.map((name) => (
        <Switch
          key={name}
          label={name}
          help={listFields[name].about}
          on={draft[name]}
          disabled={isLocked && name !== 'readonly'}
          onChange={(on) => edit({ [name]: on })}
        />
      ))}
      {(draft.generative || draft.generativePrompt !== '') && (
        <TextField
          label="Prompt"
          lines={3}
          help={listFields.generativePrompt.about}
          value={draft.generativePrompt}
          disabled={isLocked}
          onValue={(generativePrompt) => edit({ generativePrompt })}
        />
      )}
    </section>
  )
}
