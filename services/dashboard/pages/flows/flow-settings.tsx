import { useState } from 'preact/hooks'
import type { FlowDefinition } from '#client/src/flow-resources.ts'
import { navigate } from '../../address/location.ts'
import { client } from '../../api/client.ts'
import { refresh } from '../../api/resource.ts'
import { announce } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { Agree } from '../../parts/dialog.tsx'
import { Choice, Switch } from '../../parts/field.tsx'
import { useSwitching } from './use-switching.ts'

const logChoices = [
  { value: 'all', label: 'All runs' },
  { value: 'failures', label: 'Runs that do not succeed' },
] as const

/** What is set of a flow beside its document, and the way to delete it. */
export function FlowSettings({ flow }: { flow: FlowDefinition }) {
  const { busy, change, shown } = useSwitching(flow)
  const [asks, setAsks] = useState(false)
  const { id, name } = flow
  const remove = async () => {
    await client.flowDefinitions.delete(id)
    refresh('flows')
    navigate('/flows', { replace: true, unasked: true })
    announce(`The flow ${name} was deleted.`)
  }
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
          help="A run that succeeds and is not kept costs one write less. Failed and refused runs are always kept."
          value={shown.logged}
          disabled={busy}
          choices={logChoices}
          onValue={(value) => change({ logged: value })}
        />
      </section>
      <section class="form" aria-label="Delete">
        <h2>Delete</h2>
        <p class="muted">The flow goes for good, with its versions and the record of its runs.</p>
        <div>
          <Button kind="bad" onPress={() => setAsks(true)}>
            Delete this flow…
          </Button>
        </div>
        {asks && (
          <Agree
            title={`Delete ${name}?`}
            action="Delete the flow"
            typed={name}
            onAgree={remove}
            onClose={() => setAsks(false)}
          >
            <p>
              Its address can be used by another flow at once. What its runs have written and emitted stays. The items
              of your lists are not touched.
            </p>
          </Agree>
        )}
      </section>
    </div>
  )
}
