import { Switch } from '#services/dashboard/parts/controls/field.tsx'
import { countOf, sentence } from '#services/dashboard/parts/display/text.tsx'
import type { IndexProposal, ProposedFields } from '#shared/domain/list/propose-indexes.ts'
import { NameFields } from '../list-fields.tsx'
import type { Progress } from '../use-making.ts'
import type { Pasted } from './pasted.ts'
import { ProposedSchema } from './proposed-schema.tsx'
import type { Plan } from './use-plan.ts'

type ListPlanProps = { plan: Plan; pasted: Pasted | null; making: Progress }

/** The list to create: names, schema, indexes, items. */
export function ListPlan({ plan, pasted, making }: ListPlanProps) {
  const { created, busy, rejected } = making
  const fixed = busy || created !== null
  return (
    <>
      <NameFields names={plan.names} rejected={rejected} disabled={fixed} />
      {pasted && (
        <>
          <Switch
            label={`Also add the ${countOf(pasted.items.length, 'item')}`}
            help="Each is stored byte for byte."
            on={plan.addsItems}
            onChange={plan.setAddsItems}
            disabled={busy}
          />
          <ProposedSchema plan={plan} rejected={rejected.schema} disabled={fixed} />
          <Indexes plan={plan} rejected={rejected.indexes} disabled={fixed} />
        </>
      )}
    </>
  )
}

type IndexesProps = { plan: Plan; rejected: Readonly<Record<string, string>>; disabled: boolean }

function Indexes({ plan, rejected, disabled }: IndexesProps) {
  const { indexes } = plan
  return (
    <fieldset class="stack plain">
      <legend>{indexes.length > 0 ? 'Indexes' : 'No index is proposed'}</legend>
      {indexes.map((index) => (
        <Switch
          key={index.fields.pointer}
          label={index.pathName}
          help={<Why index={index} problem={rejected[index.pathName]} />}
          on={plan.isOn(index)}
          onChange={(on) => plan.switchIndex(index, on)}
          disabled={disabled}
        />
      ))}
      {indexes.length === 0 && <small class="muted">You can create indexes once the list has items.</small>}
    </fieldset>
  )
}

function Why({ index: { fields, reason }, problem }: { index: IndexProposal; problem: string | undefined }) {
  return (
    <>
      <code>{fields.pointer}</code> · {usesOf(fields).join(', ')}
      <br />
      {problem ? <span class="wrong">{sentence(problem)}</span> : reason}
    </>
  )
}

function usesOf({ valueType, alias, searching, filtering, sorting }: ProposedFields): string[] {
  const uses = { alias, search: searching, filter: filtering, order: sorting }
  return [...(valueType ? [valueType] : []), ...Object.entries(uses).flatMap(([use, on]) => (on ? [use] : []))]
}
