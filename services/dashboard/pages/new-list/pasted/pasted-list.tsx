import { useState } from 'preact/hooks'
import { Form } from '#services/dashboard/forms/form.tsx'
import { LeaveGuard } from '#services/dashboard/parts/dialogs/leave-guard.tsx'
import { Page, type PageFrame } from '#services/dashboard/parts/page/page.tsx'
import { useMaking } from '../use-making.ts'
import { ListPlan } from './list-plan.tsx'
import { MakeBar } from './make-bar.tsx'
import { PasteBox } from './paste-box.tsx'
import { usePasted } from './use-pasted.ts'
import { usePlan } from './use-plan.ts'

type PastedListProps = { frame: PageFrame; text: string; onText: (text: string) => void }

/** Creates a list from pasted JSON: the text on the left, and on the right the list proposed for it. */
export function PastedList({ frame, text, onText }: PastedListProps) {
  const [from, setFrom] = useState<string | null>()
  const { pasted, error, isCurrent } = usePasted(text, from)
  const making = useMaking()
  const plan = usePlan(pasted, making.created)
  const putText = (text: string) => {
    onText(text)
    setFrom(undefined)
  }
  const canMake = isCurrent && (making.created !== null || plan.canMake)
  const make = () => {
    if (pasted && canMake && !making.busy) making.make(plan.draft, plan.addsItems ? pasted.items : [])
  }
  return (
    <Page {...frame} foot={<MakeBar plan={plan} pasted={pasted} making={making} onMake={canMake ? make : null} />}>
      {text.trim() !== '' && <LeaveGuard what="What you pasted" />}
      <div class="split wide">
        <PasteBox text={text} onText={putText} pasted={pasted} error={error} onFrom={setFrom} />
        <aside>
          <Form onSend={make}>
            <ListPlan plan={plan} pasted={pasted} making={making} />
            <button type="submit" hidden />
          </Form>
        </aside>
      </div>
    </Page>
  )
}
