import type { ListdError } from '#client/src/error.ts'
import type { Index } from '#client/src/resources.ts'
import { indexFields } from '#shared/domain/list/index-fields.ts'
import { pointerWarning } from '#shared/domain/list/warnings.ts'
import { fieldErrors } from '../../api/field-errors.ts'
import { Choice, Switch, TextField } from '../../parts/field.tsx'
import { type IndexDraft, roles, whyNotRole } from './index-draft.ts'

type FormProps = {
  draft: IndexDraft
  edit: (change: Partial<IndexDraft>) => void
  others: readonly Index[]
  error: ListdError | undefined
  disabled: boolean
}

const typeWords = { string: 'text', number: 'number', date: 'date' } as const

/** Where the value is, what it is called, and what it is compared as. */
export function IndexFieldset({ draft, edit, error, disabled }: FormProps) {
  const problems = indexProblems(error)
  return (
    <>
      <TextField
        label="Pointer"
        mono
        help={pointerWarning(draft.pointer) ?? indexFields.pointer.about}
        value={draft.pointer}
        problem={problems.get('pointer')}
        disabled={disabled}
        onValue={(pointer) => edit({ pointer })}
      />
      <TextField
        label="Path name"
        mono
        help={indexFields.pathName.about}
        value={draft.pathName}
        problem={problems.get('pathName')}
        disabled={disabled}
        onValue={(pathName) => edit({ pathName })}
      />
      <Choice
        label="Type"
        help={`${indexFields.valueType.about} An item with a value of another type has none in the index.`}
        value={draft.valueType}
        disabled={disabled}
        onValue={(valueType) => edit({ valueType })}
        choices={indexFields.valueType.of.map((value) => ({ value, label: typeWords[value] }))}
      />
    </>
  )
}

/** What the index is for, a sentence each. */
export function IndexRoles({ draft, edit, others, disabled }: FormProps) {
  return (
    <>
      {roles.map((role) => {
        const why = whyNotRole(role, draft, others)
        return (
          <Switch
            key={role}
            label={role}
            help={why ?? indexFields[role].about}
            on={draft[role]}
            disabled={disabled || why !== null}
            onChange={(on) => edit({ [role]: on })}
          />
        )
      })}
      {draft.sorting && (
        <Choice
          label="Order"
          help={indexFields.defaultOrderDirection.about}
          value={draft.defaultOrderDirection}
          disabled={disabled}
          onValue={(defaultOrderDirection) => edit({ defaultOrderDirection })}
          choices={[
            { value: 'asc', label: 'smallest first' },
            { value: 'desc', label: 'largest first' },
          ]}
        />
      )}
    </>
  )
}

/** What people see of an index, and whether it is used. */
export function IndexNotes({ draft, edit, error, disabled }: FormProps) {
  const problems = indexProblems(error)
  return (
    <>
      <TextField
        label="Name"
        help={indexFields.name.about}
        value={draft.name}
        problem={problems.get('name')}
        disabled={disabled}
        onValue={(name) => edit({ name })}
      />
      <TextField
        label="Description"
        lines={2}
        help={indexFields.description.about}
        value={draft.description}
        problem={problems.get('description')}
        disabled={disabled}
        onValue={(description) => edit({ description })}
      />
      <Switch
        label="activated"
        help={indexFields.activated.about}
        on={draft.activated}
        disabled={disabled}
        onChange={(activated) => edit({ activated })}
      />
    </>
  )
}

/** What an answer says of fields of the form. */
export function indexProblems(error: ListdError | undefined): ReadonlyMap<string, string> {
  if (!error) return new Map()
  return error.name === 'INDEX_PATH_NAME_TAKEN' ? new Map([['pathName', error.message]]) : fieldErrors(error)
}
