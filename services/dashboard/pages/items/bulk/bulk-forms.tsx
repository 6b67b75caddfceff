import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Form } from '#services/dashboard/forms/form.tsx'
import { Button } from '#services/dashboard/parts/controls/button.tsx'
import { Choice, Switch, TextField } from '#services/dashboard/parts/controls/field.tsx'
import { totalText } from '../page-foot.tsx'
import { wordsOf } from '../view/filters.ts'
import type { ItemsScope } from '../view/items-scope.ts'
import { type BulkChange, type BulkFields, type BulkKind, readTags } from './bulk-change.ts'
import { type BulkTarget, mostUndone } from './bulk-sources.ts'

type BulkFormProps = {
  kind: BulkKind
  target: BulkTarget
  scope: ItemsScope
  onRun: (change: BulkChange) => void
  onClose: () => void
}

/** The form of a bulk change. */
export function BulkForm({ kind, ...rest }: BulkFormProps) {
  if (kind === 'delete') return <DeleteForm {...rest} />
  return kind === 'tags' ? <TagsForm {...rest} /> : <FieldsForm {...rest} />
}

type FormProps = Omit<BulkFormProps, 'kind'>

type ShellProps = FormProps & {
  action: string
  isBad?: boolean
  change: BulkChange | null
  children: ComponentChildren
}

function Shell({ scope, target, action, isBad, change, children, onRun, onClose }: ShellProps) {
  return (
    <Form onSend={() => change && onRun(change)}>
      {target.ids === null && <p>{meant(scope, target)}</p>}
      {children}
      <div class="ends">
        <Button onPress={onClose}>Cancel</Button>
        <Button kind={isBad ? 'bad' : undefined} sends disabled={!change}>
          {action}
        </Button>
      </div>
    </Form>
  )
}

/** Describes the items to change, if they are more than those on the page. */
function meant({ view, askable, list }: ItemsScope, target: BulkTarget): string {
  const conditions = view.filters.flatMap((filter) => {
    const field = askable.fields.find(({ name }) => name === filter.field)
    return field ? [`${field.label} ${wordsOf(field, filter)} ${filter.value}`] : []
  })
  if (view.search !== null) conditions.push(`${view.match} of the words ${view.search}`)
  const which = conditions.length > 0 ? `that match ${conditions.join(', ')}` : `of ${list.name || list.pathName}`
  return `All ${totalText(target)} items ${which}, on every page. They are changed in batches of 100. If you stop, completed batches stay.`
}

/** Why the change cannot be undone; undefined: it can be undone for a while. */
function noUndo({ total, isAtLeast }: BulkTarget): string | undefined {
  return isAtLeast || total > mostUndone ? 'More than 10,000 items: you cannot undo this here.' : undefined
}

type Flag = 'leave' | 'true' | 'false'

const flagHelp = {
  readonly: 'Readonly items reject every change, except turning readonly off.',
  activated: 'An item that is not activated is a draft. Only callers that may change it can see it.',
  locked: 'Locked items reject changes by tokens.',
} as const
const flagNames = ['readonly', 'activated', 'locked'] as const

function FieldsForm(props: FormProps) {
  const [flags, setFlags] = useState<Partial<Record<keyof typeof flagHelp, Flag>>>({})
  const [description, setDescription] = useState<string | null>(null)
  const fields: BulkFields = description === null ? {} : { description }
  for (const name of flagNames) if ((flags[name] ?? 'leave') !== 'leave') fields[name] = flags[name] === 'true'
  const change = Object.keys(fields).length > 0 ? { kind: 'fields' as const, fields } : null
  return (
    <Shell {...props} action="Set fields" change={change}>
      {flagNames.map((name) => (
        <Choice<Flag>
          key={name}
          label={name}
          help={flagHelp[name]}
          value={flags[name] ?? 'leave'}
          onValue={(value) => setFlags({ ...flags, [name]: value })}
          choices={[
            { value: 'leave', label: 'leave unchanged' },
            { value: 'true', label: 'yes' },
            { value: 'false', label: 'no' },
          ]}
        />
      ))}
      <Switch
        label="Set the description"
        on={description !== null}
        onChange={(on) => setDescription(on ? '' : null)}
        help={noUndo(props.target)}
      />
      {description !== null && (
        <TextField
          label="Description"
          lines={3}
          value={description}
          onValue={setDescription}
          help="Leave empty for none."
        />
      )}
    </Shell>
  )
}

type How = Extract<BulkChange, { kind: 'tags' }>['how']

function TagsForm(props: FormProps) {
  const [how, setHow] = useState<How>('add')
  const [text, setText] = useState('')
  const tags = readTags(text)
  const change = tags.length > 0 || how === 'replace' ? { kind: 'tags' as const, how, tags } : null
  return (
    <Shell
      {...props}
      action={how === 'remove' ? 'Remove tags' : how === 'add' ? 'Add tags' : 'Set tags'}
      change={change}
    >
      <Choice<How>
        label="What to do"
        value={how}
        onValue={setHow}
        choices={[
          { value: 'add', label: 'add tags' },
          { value: 'remove', label: 'remove tags' },
          { value: 'replace', label: 'set tags, replacing existing ones' },
        ]}
      />
      <TextField
        label="Tags"
        autofocus
        value={text}
        onValue={setText}
        autocomplete="off"
        help={noUndo(props.target) ?? 'Separate several by commas.'}
      />
    </Shell>
  )
}

function DeleteForm(props: FormProps) {
  const { target } = props
  const [typed, setTyped] = useState('')
  const wanted = String(target.total)
  return (
    <Shell
      {...props}
      action={`Delete ${totalText(target)}`}
      isBad
      change={typed === wanted ? { kind: 'delete' } : null}
    >
      <p>
        {target.ids === null
          ? 'You cannot undo this here. You can restore each item while the event log still has it.'
          : 'You can undo this for 30 s. After that, you can restore each item while the event log still has it.'}
      </p>
      <TextField
        label={`Type ${wanted} to confirm`}
        value={typed}
        onValue={setTyped}
        autocomplete="off"
        mono
        autofocus
      />
    </Shell>
  )
}
