import { useEffect, useRef, useState } from 'preact/hooks'
import { toListdError } from '#services/dashboard/api/errors.ts'
import { refresh } from '#services/dashboard/api/reader.ts'
import { useSaving } from '#services/dashboard/forms/use-saving.ts'
import { announce } from '#services/dashboard/parts/controls/announce.tsx'
import { Button, LinkButton } from '#services/dashboard/parts/controls/button.tsx'
import { CopyAs } from '#services/dashboard/parts/copy-as/copy-as.tsx'
import { Note, Pill } from '#services/dashboard/parts/display/marks.tsx'
import { countOf } from '#services/dashboard/parts/display/text.tsx'
import { schemaCrumb } from '#services/dashboard/parts/page/crumbs.ts'
import { Page } from '#services/dashboard/parts/page/page.tsx'
import { Empty, Problem } from '#services/dashboard/parts/problems/problem.tsx'
import { destruction, neededConsents } from '#shared/domain/sync/plan-words.ts'
import { applyPlan, planDocument } from '../plan-document.ts'
import { planCall } from '../sync-calls.ts'
import { draft, type PlannedSync, type ShownPlan, shownPlan } from '../sync-draft.ts'
import { ChangedNote } from './changed-note.tsx'
import { Conflicts } from './conflicts.tsx'
import { Consents, type Given, isGiven, noneGiven } from './consents.tsx'
import { PlanList } from './plan-list.tsx'

/** The changes of a document, and the button that applies exactly these. */
export function PlanPage() {
  const plan = shownPlan.value
  if (plan && (plan.applied || (plan.text === draft.value.text && plan.prune === draft.value.prune))) {
    return <Plan key={plan.report.planHash} plan={plan} />
  }
  return (
    <Page title="Plan" crumbs={[schemaCrumb]}>
      <Empty
        title="There is no plan of this document yet"
        action={<LinkButton to="/schema">Go to the document</LinkButton>}
        command="listd schema plan lists.json"
      >
        A plan shows what a document would change, before anything is changed.
      </Empty>
    </Page>
  )
}

function Plan({ plan }: { plan: ShownPlan }) {
  const { report, before, applied } = plan
  const [given, setGiven] = useState<Given>(noneGiven)
  const { run, busy, error } = useSaving()
  // The pressed button is gone: move the focus to the text, for the keyboard and screen readers.
  const beginning = useRef<HTMLDivElement>(null)
  useEffect(() => beginning.current?.focus({ preventScroll: true }), [applied])
  const whose = report.scope ?? 'lists without a scope'
  const applicable = countOf(changesOf(report), 'change')
  const missing = applied ? null : whatIsMissing(report, given)
  const apply = () => run(() => applyOrShowNew(plan, given))
  return (
    <Page
      title={applied ? `Applied to ${whose}` : `Plan for ${whose}`}
      crumbs={[schemaCrumb]}
      marks={
        <Pill mono title={report.planHash}>{`sha256 ${report.planHash.slice(0, 4)}…${report.planHash.slice(-4)}`}</Pill>
      }
      actions={
        <>
          <CopyAs call={planCall(plan)} />
          <LinkButton to="/schema">{applied ? 'Back to the document' : 'Change the document'}</LinkButton>
          {!applied && (
            <Button kind="primary" busy={busy} disabled={missing !== null} onPress={apply}>
              {`Apply ${applicable}`}
            </Button>
          )}
        </>
      }
      lead={applied ? `${applicable} applied.` : `Nothing has been changed yet. ${missing ?? sealed}`}
    >
      <div class="wrap begins" ref={beginning} tabIndex={-1}>
        {error && <Problem error={error} />}
        {applied ? (
          <Note tone="good" icon="done">
            The lists match the document.
          </Note>
        ) : (
          <>
            {before && <ChangedNote before={before} after={report} />}
            <Conflicts report={report} onMoved={() => run(() => showAgain(plan, null))} />
            {report.summary.error === 0 && <Consents report={report} given={given} onGiven={setGiven} />}
          </>
        )}
        <PlanList plan={plan} />
      </div>
    </Page>
  )
}

const sealed = 'Apply does exactly what you see. If the lists change first, you see the new plan.'

function changesOf({ summary: { create, update, adopt, delete: deleted, error } }: PlannedSync): number {
  return create + update + adopt + deleted + error
}

/** Why a plan cannot be applied yet; null: it can be applied. */
function whatIsMissing(report: PlannedSync, given: Given): string | null {
  const { error } = report.summary
  if (error > 0) return `${countOf(error, 'change')} cannot be applied, so none will be.`
  const isAgreed = neededConsents(report).every((consent) => isGiven(consent, given, destruction(report)))
  return isAgreed ? null : 'Confirm it below.'
}

async function applyOrShowNew(plan: ShownPlan, given: Given): Promise<void> {
  const { planHash } = plan.report
  const destroys = destruction(plan.report)
  try {
    const applied = await applyPlan(plan, {
      planHash,
      allowRebuild: isGiven('allowRebuild', given, destroys),
      allowDestructive: isGiven('allowDestructive', given, destroys),
    })
    shownPlan.value = { ...plan, before: null, applied }
    // Lists, their indexes and their items may have changed.
    refresh('')
    announce('The plan was applied.')
  } catch (failure) {
    if (toListdError(failure).name !== 'SCHEMA_SYNC_PLAN_CHANGED') throw failure
    await showAgain(plan, plan.report)
  }
}

/** Plans the same document again, for the present lists. @param before the plan that could not be applied */
async function showAgain(plan: ShownPlan, before: PlannedSync | null): Promise<void> {
  const { report } = await planDocument(plan)
  shownPlan.value = report && { ...plan, report, before }
}
