import { useState } from 'preact/hooks'
import { Form } from '#services/dashboard/forms/form.tsx'
import { Button } from '#services/dashboard/parts/controls/button.tsx'
import { Choice, Switch, TextField } from '#services/dashboard/parts/controls/field.tsx'
import { Dialog } from '#services/dashboard/parts/dialogs/dialog.tsx'
import { Note } from '#services/dashboard/parts/display/marks.tsx'
import { type PermissionRule, resourceTypes } from '#shared/domain/access/permission-rule.ts'
import type { Known } from '../effect/known.ts'
import { toListIndexes, useIndexesOf } from '../effect/list-indexes.ts'
import { pluralOf } from '../words.ts'
import { OnlyWhere } from './only-where.tsx'
import { allowedIn, draftOf, offeredIn, type RuleDraft, rulesOf, textSelectors } from './rule-draft.ts'

type RuleDialogProps = {
  /** Undefined: new rules. */
  rule: PermissionRule | undefined
  known: Known
  onPut: (rules: readonly PermissionRule[]) => void
  onClose: () => void
}

/** The form of a rule. It creates a rule for each selected action. */
export function RuleDialog({ rule, known, onPut, onClose }: RuleDialogProps) {
  const [draft, setDraft] = useState(() => draftOf(rule))
  const [tried, setTried] = useState(false)
  const lists = useIndexesOf(draft.type === 'item' ? draft.listIds : [])
  const indexes = lists.isOld ? undefined : lists.data
  const { rules, problem } = rulesOf(draft, (id) => indexes && toListIndexes(indexes, id))
  const edit = (more: Partial<RuleDraft>) => setDraft({ ...draft, ...more })
  const put = () => {
    setTried(true)
    if (problem === null) onPut(rules)
  }
  return (
    <Dialog title={rule ? 'Change the rule' : 'Add rules'} onClose={onClose} wide>
      <Form onSend={put}>
        <div class="row choices">
          <Choice label="Mode" value={draft.mode} onValue={(mode) => edit({ mode })} choices={modes} />
          <Choice
            label="Resource"
            value={draft.type}
            onValue={(type) => edit({ type, actions: draft.actions.filter((one) => allowedIn(type).includes(one)) })}
            choices={[
              { value: '', label: 'everything' },
              ...resourceTypes.map((value) => ({ value, label: pluralOf(value) })),
            ]}
          />
        </div>
        <Checks
          legend="Actions"
          options={allowedIn(draft.type).map((value) => ({ value, label: value === '*' ? 'every action' : value }))}
          chosen={draft.actions}
          onChosen={(actions) => edit({ actions })}
        />
        <Selectors draft={draft} known={known} edit={edit} />
        <OnlyWhere draft={draft} indexes={indexes} error={lists.error} edit={edit} />
        {tried && problem !== null && <Note tone="bad">{problem}</Note>}
        <div class="ends">
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" sends>
            {rule ? 'Change the rule' : rules.length > 1 ? `Add ${rules.length} rules` : 'Add the rule'}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

type SelectorsProps = { draft: RuleDraft; known: Known; edit: (more: Partial<RuleDraft>) => void }

/** The selectors of a rule: those that can match for its type and actions. */
function Selectors({ draft, known, edit }: SelectorsProps) {
  const offered = offeredIn(draft)
  const texts = offered.filter((name) => name !== 'listIds')
  return (
    <>
      {offered.includes('listIds') && (
        <Checks
          legend="Lists: none chosen means all"
          options={listOptions(known, draft.listIds)}
          chosen={draft.listIds}
          onChosen={(listIds) => edit({ listIds })}
        />
      )}
      {texts.length > 0 && (
        <details open={texts.some((name) => draft.texts[name] !== '')}>
          <summary>{`Only for some ${texts.map((name) => textSelectors[name].toLowerCase()).join(', ')}`}</summary>
          <div class="form">
            {texts.map((name) => (
              <TextField
                key={name}
                label={textSelectors[name]}
                help={name === 'groups' ? 'Names, separated by commas.' : 'Ids, separated by commas.'}
                mono
                value={draft.texts[name]}
                onValue={(text) => edit({ texts: { ...draft.texts, [name]: text } })}
              />
            ))}
          </div>
        </details>
      )}
    </>
  )
}

type Option = { value: string; label: string }
type ChecksProps<V> = {
  legend: string
  options: readonly Option[]
  chosen: readonly V[]
  onChosen: (values: V[]) => void
}

function Checks<V extends string>({ legend, options, chosen, onChosen }: ChecksProps<V>) {
  return (
    <fieldset class="checks">
      <legend>{legend}</legend>
      {options.map(({ value, label }) => (
        <Switch
          key={value}
          label={label}
          on={chosen.includes(value as V)}
          onChange={(on) => onChosen(on ? [...chosen, value as V] : chosen.filter((one) => one !== value))}
        />
      ))}
    </fieldset>
  )
}

const modes = [
  { value: 'allow', label: 'allow' },
  { value: 'block', label: 'block' },
] as const

/** The known lists of the account, and lists that the rule names but that were not found. */
function listOptions({ lists }: Known, chosen: readonly string[]): Option[] {
  const unknown = chosen.filter((id) => !lists.some((list) => list.id === id))
  return [
    ...lists.map(({ id, pathName }) => ({ value: id, label: pathName })),
    ...unknown.map((id) => ({ value: id, label: id === '*' ? 'all' : `${id.slice(0, 8)}… (gone)` })),
  ]
}
