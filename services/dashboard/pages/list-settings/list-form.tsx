import type { ComponentChildren } from 'preact'
import type { ListdError } from '#client/src/error.ts'
import type { List } from '#client/src/types/resources.ts'
import { listFields } from '#shared/domain/list/fields.ts'
import { fieldErrors } from '../../api/field-errors.ts'
import type { FormOf } from '../../forms/use-edits.ts'
import { Switch, TextField } from '../../parts/controls/field.tsx'
import { Note } from '../../parts/display/marks.tsx'
import { flagNames, type ListDraft } from './list-draft.ts'

type FormProps = {
  form: FormOf<ListDraft>
  /** Only `readonly` can be changed. */
  isLocked: boolean
}

/** The names of a list. */
export function ListFieldset({ list, form, isLocked }: FormProps & { list: List }) {
  const field = (name: TextName, label: string, help: ComponentChildren) => ({
    label,
    help,
    disabled: isLocked,
    ...form.text(name),
  })
  const tagOfScope = list.scope === null ? '' : ` The tag of ${list.scope} is added.`
  return (
    <section class="form" aria-label="Names">
      <h2>Names</h2>
      {isLocked && <Note icon="lock">The list is readonly. Turn that off to change anything else.</Note>}
      <TextField {...field('name', 'Name', listFields.name.about)} />
      <TextField mono {...field('pathName', 'Path name', <PathNameHelp list={list} draft={form.draft} />)} />
      <TextField lines={3} {...field('description', 'Description', listFields.description.about)} />
      <TextField {...field('tags', 'Tags', `${listFields.tags.about} Separate them with commas.${tagOfScope}`)} />
    </section>
  )
}

type TextName = 'name' | 'pathName' | 'description' | 'tags'

/** The errors of a response, by field of the form. */
export function listProblems(error: ListdError): ReadonlyMap<string, string> {
  return error.name === 'LIST_PATH_NAME_TAKEN' ? new Map([['pathName', error.message]]) : fieldErrors(error)
}

/** The effects of another path name. */
function PathNameHelp({ list, draft }: { list: List; draft: ListDraft }) {
  if (draft.pathName === list.pathName) return <>A second address of the list, next to its id. Case is ignored.</>
  if (list.scope === null) return <>Apps that address the list as {list.pathName} will no longer find it.</>
  return (
    <>
      Apps that address the list as {list.pathName} will no longer find it. Rename it in the document of {list.scope}{' '}
      too; otherwise its next sync creates another list {list.pathName}.
    </>
  )
}

/** The flags of a list, with a sentence for each. */
export function ListFlags({ form: { draft, text, flag }, isLocked }: FormProps) {
  return (
    <section class="form" aria-label="Flags">
      <h2>Flags</h2>
      {flagNames.map((name) => (
        <Switch
          key={name}
          label={name}
          help={listFields[name].about}
          disabled={isLocked && name !== 'readonly'}
          {...flag(name)}
        />
      ))}
      {(draft.generative || draft.generativePrompt !== '') && (
        <TextField
          label="Prompt"
          lines={3}
          help={listFields.generativePrompt.about}
          disabled={isLocked}
          {...text('generativePrompt')}
        />
      )}
    </section>
  )
}
