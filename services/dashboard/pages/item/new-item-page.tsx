import { useMemo, useRef, useState } from 'preact/hooks'
import { RawJson } from '#client/src/json.ts'
import { route } from '#client/src/transport.ts'
import type { JsonObject } from '#client/src/types/resources.ts'
import { here, navigate } from '../../address/location.ts'
import { client } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { useRunning } from '../../forms/use-saving.ts'
import { announce } from '../../parts/controls/announce.tsx'
import { Button } from '../../parts/controls/button.tsx'
import { Switch } from '../../parts/controls/field.tsx'
import { LeaveGuard } from '../../parts/dialogs/leave-guard.tsx'
import { Facts, Key } from '../../parts/display/marks.tsx'
import { countOf } from '../../parts/display/text.tsx'
import { itemCrumbs } from '../../parts/page/crumbs.ts'
import { Page } from '../../parts/page/page.tsx'
import { usePageKeys } from '../../parts/page/page-keys.ts'
import { Loaded, Problem } from '../../parts/problems/problem.tsx'
import { itemsKey, refreshItems } from '../lists/list-items.ts'
import { NoList, useList } from '../lists/list-page.tsx'
import { DataEditor } from './data/data-editor.tsx'
import { DraftFindings } from './data/draft-findings.tsx'
import type { Finding } from './draft-check.ts'
import { newItemText } from './form/rules/first-value.ts'
import { schemaReader } from './form/rules/schema-reader.ts'
import { readItem } from './item-text.ts'
import { useDraft } from './use-draft.ts'

/** A new item of a list; with `?from=<id>` it starts as a copy of that item. */
export function NewItemPage({ list: name }: { list: string }) {
  const from = here.value.query.get('from')
  const list = useList(name)
  const begin = useResource(from ? `${itemsKey(name)}one ${from}` : 'an empty item', async (signal) =>
    from ? readItem(await client.list(name).get(from, { signal }).text()) : null,
  )
  if (list.error?.name === 'REQUESTED_ENTITY_NOT_FOUND') return <NoList name={name} />
  if (begin.data === undefined || list.data === undefined) {
    return (
      <Page title="New item" crumbs={itemCrumbs(name)}>
        <Loaded resource={begin}>{() => <Loaded resource={list}>{() => null}</Loaded>}</Loaded>
      </Page>
    )
  }
  return <NewItem key={from} name={name} copied={begin.data?.data ?? null} schema={list.data.schema} />
}

type NewItemProps = { name: string; copied: string | null; schema: JsonObject | null }

function NewItem({ name, copied, schema }: NewItemProps) {
  const [pointer, setPointer] = useState('')
  const goTo = useRef<(finding: Finding) => void>(() => {})
  const first = useMemo(() => copied ?? (schema ? newItemText(schemaReader(schema)) : '{}'), [])
  const { draft, isActivated, setActivated, busy, create } = useNewItem(name, first)
  usePageKeys([{ key: 'Ctrl s', what: 'Create the item', run: create }])
  return (
    <Page
      title={copied === null ? 'New item' : 'Copy of an item'}
      crumbs={itemCrumbs(name)}
      foot={
        <>
          <span class="grow" role="status">
            {draft.findings.length > 0
              ? `Not created: ${countOf(draft.findings.length, 'error')}.`
              : 'Not created yet.'}
          </span>
          <Button kind="primary" busy={busy} disabled={draft.findings.length > 0} onPress={create}>
            Create <Key>Ctrl S</Key>
          </Button>
        </>
      }
    >
      {draft.isChanged && <LeaveGuard what="The new item" />}
      <div class="split">
        <DataEditor
          draft={draft}
          list={name}
          schema={schema}
          isReadonly={false}
          onPointer={setPointer}
          onReady={(go) => {
            goTo.current = go
          }}
        />
        <aside class="stack" aria-label="About the data">
          <DraftFindings draft={draft} onFinding={(finding) => goTo.current(finding)} />
          {draft.problem && <Problem error={draft.problem} />}
          <Switch
            label="Activated"
            help="When off, the item is a draft, hidden from API tokens that may not update it."
            on={isActivated}
            onChange={setActivated}
          />
          {pointer !== '' && (
            <Facts
              facts={[
                [
                  'At cursor',
                  <span key="at" class="mono">
                    {pointer}
                  </span>,
                ],
              ]}
            />
          )}
          {copied !== null && <p class="muted">If the list has an alias index, give the copy its own alias.</p>}
        </aside>
      </div>
    </Page>
  )
}

function useNewItem(name: string, first: string) {
  const items = client.list(name)
  const [isActivated, setActivated] = useState(true)
  const draft = useDraft(first, (data, signal) =>
    items.create({ data: new RawJson(data) }, { dryRun: true, includeData: false, signal }),
  )
  const { busy, run } = useRunning(draft.reject)
  const create = () => {
    const data = draft.read()
    if (data === null) return
    const fields = { data: new RawJson(data), ...(isActivated ? {} : { activated: false }) }
    run(async () => {
      const { id } = await items.create(fields, { includeData: false })
      refreshItems(name)
      announce('The item was created.')
      navigate(route`/lists/${name}/items/${id}`, { replace: true, unasked: true })
    })
  }
  return { draft, isActivated, setActivated, busy, create }
}
