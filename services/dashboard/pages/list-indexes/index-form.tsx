import type { Index } from '#client/src/types/resources.ts'
import { indexFields } from '#shared/domain/list/index-fields.ts'
import { pointerWarning } from '#shared/domain/list/warnings.ts'
import type { FormOf } from '../../forms/use-edits.ts'
import { Choice, Switch, TextField } from '../../parts/controls/field.tsx'
import { type IndexDraft, roles, whyNotRole } from './index-draft.ts'

type FormProps = {
  form: FormOf<IndexDraft>
  others: readonly Index[]
  disabled: boolean
}

const typeWords = { string: 'text', number: 'number', date: 'date' } as const

/** The pointer, path name and type of an index. */
export function IndexFieldset({ form: { draft, edit, text }, disabled }: FormProps) {
  return (
    <>
      <TextField
        label="Pointer"
        mono
        help={pointerWarning(draft.pointer) ?? indexFields.pointer.about}
        {...text('pointer')}
        disabled={disabled}
      />
      <TextField label="Path name" mono help={indexFields.pathName.about} {...text('pathName')} disabled={disabled} />
      <Choice
        label="Type"
        help={`${indexFields.valueType.about} An item whose value has another type has no value in the index.`}
        value={draft.valueType}
        disabled={disabled}
        onValue={(valueType) => edit({ valueType })}
        choices={indexFields.valueType.of.map((value) => ({ value, label: typeWords[value] }))}
      />
    </>
  )
}

/** The roles of the index, with a sentence for each, and its default order. */
export function IndexRoles({ form: { draft, edit, flag }, others, disabled }: FormProps) {
  return (
    <>
      {roles.map((role) => {
        const why = whyNotRole(role, draft, others)
        return (
          <Switch
            key={role}
            label={role}
            help={why ?? indexFields[role].about}
            {...flag(role)}
            disabled={disabled || why !== null}
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

/** The name and description of an index, and whether it is activated. */
export function IndexNotes({ form: { text, flag }, disabled }: FormProps) {
  return (
    <>
      <TextField label="Name" help={indexFields.name.about} {...text('name')} disabled={disabled} />
      <TextField
        label="Description"
        lines={2}
        help={indexFields.description.about}
        {...text('description')}
        disabled={disabled}
      />
      <Switch label="activated" help={indexFields.activated.about} {...flag('activated')} disabled={disabled} />
    </>
  )
}
