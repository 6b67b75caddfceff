import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { NewNames } from '#shared/domain/flow/edit/beginnings.ts'
import { type DrawnFlow, readDrawnFlow } from '#shared/domain/flow/edit/drawn-flow.ts'
import type { FlowTexts } from '../../api/flow-texts.ts'
import { Button } from '../../parts/controls/button.tsx'
import { Note } from '../../parts/display/marks.tsx'
import { usePageKeys } from '../../parts/page/page-keys.ts'
import { entryWordsIn } from './layout/entry-words.ts'
import { chosenAt, type Found, findingsOn, placeOfChosen } from './layout/findings-on.ts'
import { type Chosen, entryKey } from './layout/scene.ts'
import { type WayStep, wayOf } from './layout/way.ts'
import { AddDialog } from './tools/add-dialog.tsx'
import { LeadsDialog } from './tools/leads-dialog.tsx'
import { RenameDialog } from './tools/rename-dialog.tsx'
import { placeAt, placesFor, useTools } from './tools/use-tools.ts'
import { Views } from './views.tsx'

/** Path names of lists, and webhooks by id with a short description of each. */
type InAccount = { lists: readonly string[]; webhooks: readonly (readonly [id: string, about: string])[] }

export type FlowDrawingProps = {
  texts: FlowTexts
  findings: readonly Found[]
  /** The last position of the cursor in the document; null: it is elsewhere. */
  cursor: number | null
  /** The lists and webhooks of the account. */
  names: { current: InAccount }
  onEdit: (change: Partial<FlowTexts>) => void
  /** Selects a part of the document; `isOpened`: also moves the focus there. */
  onSelect: (place: { from: number; to: number }, isOpened: boolean) => void
  onUndo: () => void
  onRedo: () => void
  /** A run to draw over the flow. */
  trial?: Trial | undefined
}

/** `about`: details of a node in the run. */
export type Trial = { steps: readonly WayStep[]; failedAt: string | null; about: (node: string) => ComponentChildren }

/** A flow as a drawing or an outline, in which nodes and edges can be selected and changed. Both are views of the text. */
export function FlowDrawing(props: FlowDrawingProps) {
  const { texts, findings, cursor, onEdit, onSelect, trial } = props
  const { flow, isOld } = useDrawn(texts.document)
  const names = namesFor(flow, props.names.current)
  const [chosen, setChosen] = useState<Chosen>(null)
  // What to select once a changed text arrives.
  const waiting = useRef<Chosen>(null)
  const choose = (now: Chosen, isOpened = false) => {
    setChosen(now)
    const place = isOld ? null : placeOfChosen(flow, now)
    if (place) onSelect(place, isOpened)
  }
  useEffect(() => {
    if (waiting.current) choose(waiting.current)
    waiting.current = null
  }, [flow])
  useEffect(() => {
    if (cursor !== null) setChosen(chosenAt(flow, cursor))
  }, [cursor])
  const tools = useTools({
    flow,
    texts,
    chosen,
    names,
    onEdit(change, now) {
      waiting.current = now
      setChosen(now)
      onEdit(change)
    },
  })
  const way = useMemo(() => trial && wayOf(trial.steps, trial.failedAt), [trial])
  const entry = useMemo(() => entryWordsIn(texts.document, flow), [flow])
  const on = useMemo(() => findingsOn(flow, findings), [flow, findings])
  const edits = {
    onAddAt: (port: { node: string; port: string }) => tools.setOver({ add: [placeAt(flow, port)] }),
    onConnect: tools.connectTo,
    onUndo: props.onUndo,
    onRedo: props.onRedo,
  }
  return (
    <section class={isOld ? 'drawing loaded old' : 'drawing'} aria-label="Drawing">
      <Views
        picture={{
          flow,
          entry,
          chosen,
          onChoose: (now) => choose(now),
          onOpen: (now) => choose(now, true),
          findings: on,
          way,
          ...(!isOld && { edits }),
        }}
        below={trial && chosen && chosen.node !== entryKey && <div class="run-steps">{trial.about(chosen.node)}</div>}
        tools={<Tools flow={flow} chosen={chosen} tools={tools} isOld={isOld} />}
      />
      {isOld && <Note tone="warn">The text is not valid JSON. The drawing shows its last valid state.</Note>}
      <Dialogs flow={flow} tools={tools} names={names} />
    </section>
  )
}

/** The names that a new node uses: the list that the flow already uses, or else the first one. */
function namesFor({ nodes }: DrawnFlow, { lists, webhooks }: InAccount): NewNames {
  const used = nodes.find(({ type, detail }) => detail !== null && /-items?$/.test(type))?.detail
  return { list: used ?? lists[0] ?? null, webhook: webhooks[0]?.[0] ?? null }
}

const empty: DrawnFlow = { entry: null, nodes: [], edges: [] }

/** The flow of a text; while the text is not valid JSON, the last valid one. */
function useDrawn(text: string): { flow: DrawnFlow; isOld: boolean } {
  const last = useRef(empty)
  const read = useMemo(() => readDrawnFlow(text), [text])
  if (read) last.current = read
  return { flow: last.current, isOld: read === null }
}

type ToolsProps = { flow: DrawnFlow; chosen: Chosen; tools: ReturnType<typeof useTools>; isOld: boolean }

/** The actions on the selected node or edge, as buttons and keys. */
function Tools({ flow, chosen, tools, isOld }: ToolsProps) {
  const node = flow.nodes.find(({ key }) => key === chosen?.node)
  const isEdge = chosen !== null && 'port' in chosen
  const places = placesFor(flow, chosen)
  const id = isEdge ? null : (node?.id ?? null)
  const can = {
    add: !isOld && places.length > 0,
    lead: !isOld && id !== null && (node?.ports.length ?? 0) > 0,
    rename: !isOld && id !== null,
    remove: !isOld && chosen !== null && chosen.node !== entryKey,
  }
  const does = {
    add: () => can.add && tools.setOver({ add: places }),
    lead: () => can.lead && id !== null && tools.setOver({ leads: id }),
    rename: () => can.rename && id !== null && tools.setOver({ rename: id }),
    remove: () => can.remove && tools.remove(),
  }
  usePageKeys([
    { key: 'a', what: 'Add a node after the selected one', run: does.add },
    { key: 'c', what: 'Connect the selected node', run: does.lead },
    { key: 'r', what: 'Rename the selected node', run: does.rename },
    { key: 'Delete', what: 'Delete the selected node or edge', run: does.remove },
  ])
  return (
    <>
      <Button icon="add" disabled={!can.add} onPress={does.add}>
        {isEdge ? 'Add between…' : 'Add…'}
      </Button>
      <Button disabled={!can.lead} onPress={does.lead}>
        Connect…
      </Button>
      <Button disabled={!can.rename} onPress={does.rename}>
        Rename…
      </Button>
      <Button disabled={!can.remove} onPress={does.remove}>
        {isEdge ? 'Disconnect' : 'Delete'}
      </Button>
    </>
  )
}

type DialogsProps = { flow: DrawnFlow; tools: ReturnType<typeof useTools>; names: NewNames }

function Dialogs({ flow, tools, names }: DialogsProps) {
  const { over, close, add, lead, rename } = tools
  if (!over) return null
  if ('add' in over) return <AddDialog flow={flow} places={over.add} names={names} onAdd={add} onClose={close} />
  if ('rename' in over) {
    const { rename: id } = over
    return <RenameDialog flow={flow} id={id} onRename={(to) => rename(id, to)} onClose={close} />
  }
  const node = flow.nodes.find((one) => one.id === over.leads)
  return node ? (
    <LeadsDialog flow={flow} node={node} onLead={(changes) => lead(node.key, changes)} onClose={close} />
  ) : null
}
