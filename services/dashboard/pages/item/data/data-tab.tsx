import { useMemo, useRef, useState } from 'preact/hooks'
import { Button } from '#services/dashboard/parts/controls/button.tsx'
import { Copied } from '#services/dashboard/parts/controls/copy.tsx'
import { Diff } from '#services/dashboard/parts/display/diff.tsx'
import { Facts, Note } from '#services/dashboard/parts/display/marks.tsx'
import { Ago, At, countOf, size } from '#services/dashboard/parts/display/text.tsx'
import { Problem, Skeleton } from '#services/dashboard/parts/problems/problem.tsx'
import { diffJson } from '#shared/json/compare/diff.ts'
import { compact } from '#shared/json/text/layout.ts'
import { useList } from '../../lists/list-page.tsx'
import type { Finding } from '../draft-check.ts'
import { Hidden, type ItemTabProps } from '../item-tab.tsx'
import { DataEditor } from './data-editor.tsx'
import { DraftActions } from './draft-actions.tsx'
import { DraftFindings } from './draft-findings.tsx'
import { LastActor } from './last-actor.tsx'
import type { ItemDraft } from './use-item-draft.ts'

/** An item's data in an editor, with its errors and the facts about the item next to it. */
export function DataTab({ list, item, guarded, draft }: ItemTabProps & { draft: ItemDraft }) {
  const [pointer, setPointer] = useState('')
  const goTo = useRef<(finding: Finding) => void>(() => {})
  const about = useList(list)
  return (
    <>
      <div class="split">
        {about.data || about.error ? (
          <DataEditor
            draft={draft}
            list={list}
            schema={about.data?.schema ?? null}
            isReadonly={false}
            onPointer={setPointer}
            onReady={(go) => {
              goTo.current = go
            }}
          />
        ) : (
          <Skeleton />
        )}
        <aside class="stack" aria-label="About the data">
          <DraftFindings draft={draft} onFinding={(finding) => goTo.current(finding)} />
          {draft.problem && draft.problem.name !== 'ITEM_PRECONDITION_FAILED' && <Problem error={draft.problem} />}
          {item.readonly && <Note icon="lock">The item is readonly. Turn that off in Details to change it.</Note>}
          <Facts
            facts={[
              ['Id', <Copied key="id" text={item.id} what="The id" />],
              ['Owner', item.identity?.displayName ?? '–'],
              ['Changed', <LastChange key="by" list={list} id={item.id} at={item.updatedAt} />],
              ['Created', <At key="created" at={item.createdAt} />],
              ['Size', size(item.size)],
              ...(guarded.length > 0 ? [['Hidden', <Hidden key="hidden" guarded={guarded} />] as const] : []),
              ...(pointer === ''
                ? []
                : [['At cursor', <Copied key="at" text={pointer} what="The pointer" />] as const]),
            ]}
          />
          <Meanwhile draft={draft} />
          <OwnChange draft={draft} />
        </aside>
      </div>
      <footer class="foot">
        <span role="status">{footText(draft)}</span>
        <div class="grow" />
        <DraftActions list={list} id={item.id} draft={draft} />
      </footer>
    </>
  )
}

function footText({ isChanged, isChecked, findings, busy }: ItemDraft): string {
  if (busy) return 'Saving…'
  if (!isChanged) return 'All changes are saved.'
  if (findings.length > 0) return `Not saved: ${countOf(findings.length, 'error')}. The draft is kept in this tab.`
  return isChecked ? 'Not saved yet. The draft is kept in this tab.' : 'Checking…'
}

function LastChange({ list, id, at }: { list: string; id: string; at: string }) {
  return (
    <>
      <Ago at={at} /> <LastActor list={list} id={id} />
    </>
  )
}

function Meanwhile({ draft: { theirs, problem, compare, busy } }: { draft: ItemDraft }) {
  const isChanged = theirs !== null || problem?.name === 'ITEM_PRECONDITION_FAILED'
  return (
    <div class="stack tight">
      <h2>Since you opened it</h2>
      {isChanged ? (
        <Note tone="warn">
          <p>Somebody else changed this item. Saving keeps their change: you merge the two versions.</p>
          <div class="row">
            <Button busy={busy} onPress={compare}>
              Compare and merge…
            </Button>
          </div>
        </Note>
      ) : (
        <p class="muted">Nobody else has changed this item.</p>
      )}
    </div>
  )
}

function OwnChange({ draft: { base, text, isChanged, isChecked, findings } }: { draft: ItemDraft }) {
  const isJson = isChecked && !findings.some(({ pointer }) => pointer.startsWith('line '))
  const changes = useMemo(
    () => (isChanged && isJson ? diffJson(base, compact(text)) : []),
    [base, text, isChanged, isJson],
  )
  if (changes.length === 0) return null
  return (
    <div class="stack tight">
      <h2>Your change</h2>
      <Diff changes={changes} />
    </div>
  )
}
