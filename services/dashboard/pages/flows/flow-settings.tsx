import type { FlowDefinition } from '#client/src/types/flow-resources.ts'
import { client } from '../../api/client.ts'
import { DeleteSection } from '../../forms/delete-section.tsx'
import { Choice, Switch } from '../../parts/controls/field.tsx'
import { useSwitching } from './use-switching.ts'

const logChoices = [
  { value: 'all', label: 'All runs' },
  { value: 'failures', label: 'Runs that do not succeed' },
] as const

/** The settings of a flow apart from its document, and the way to delete it. */
export function FlowSettings({ flow }: { flow: FlowDefinition }) {
  const { busy, change, shown } = useSwitching(flow)
  const { id, name } = flow
  return (
    <div class="settings">
      <section class="form" aria-label="Settings of the flow">
        <Switch
          label="Activated"
          help="One that is off is not there for those who call it: they are answered 404."
          on={shown.activated}
          disabled={busy}
          onChange={(on) => change({ activated: on })}
        />
        <Choice
          label="Kept on record"
          help="A run that succeeds and is not kept costs one write less. Failed and rejected runs are always kept."
          value={shown.logged}
          disabled={busy}
          choices={logChoices}
          onValue={(value) => change({ logged: value })}
        />
      </section>
      <DeleteSection
        what="flow"
        name={name}
        lead="The flow goes for good, with its versions and the record of its runs."
        typed={name}
        remove={() => client.flowDefinitions.delete(id)}
        stale="flows"
        to="/flows"
      >
        <p>
          Its address can be used by another flow at once. What its runs have written and emitted stays. The items of
          your lists are not touched.
        </p>
      </DeleteSection>
    </div>
  )
}
