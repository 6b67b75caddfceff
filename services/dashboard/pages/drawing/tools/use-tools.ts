import { useState } from 'preact/hooks'
import type { FlowTexts } from '#services/dashboard/api/flow-texts.ts'
import { announce } from '#services/dashboard/parts/controls/announce.tsx'
import { countOf } from '#services/dashboard/parts/display/text.tsx'
import type { NewNames } from '#shared/domain/flow/edit/beginnings.ts'
import { cannotConnect, connect, disconnect, type PortOf } from '#shared/domain/flow/edit/change-edges.ts'
import { addNode, deleteNode, type NewPlace } from '#shared/domain/flow/edit/change-nodes.ts'
import { type DrawnFlow, nextOf } from '#shared/domain/flow/edit/drawn-flow.ts'
import { renameInTests, renameNode } from '#shared/domain/flow/edit/rename-node.ts'
import type { NodeType } from '#shared/domain/flow/language/properties.ts'
import { type Chosen, entryKey } from '../layout/scene.ts'

/** The open dialog. */
export type Over = { add: readonly (readonly [NewPlace, string])[] } | { leads: string } | { rename: string } | null

type ToolsProps = {
  flow: DrawnFlow
  texts: FlowTexts
  chosen: Chosen
  names: NewNames
  /** Receives changed texts, and what to select in them. */
  onEdit: (change: Partial<FlowTexts>, chosen: Chosen) => void
}

/** Changes a flow through its drawing or outline. Each change edits the text, and is one undo step. */
export function useTools({ flow, texts, chosen, names, onEdit }: ToolsProps) {
  const [over, setOver] = useState<Over>(null)
  const close = () => setOver(null)
  const edit = (document: string, now: Chosen, said: string, tests?: string) => {
    close()
    onEdit({ document, ...(tests !== undefined && { tests }) }, now)
    announce(`${said} Press Ctrl Z to undo.`)
  }
  const add = (type: NodeType, at: NewPlace) => {
    const added = addNode(texts.document, type, { at, names })
    if (added) edit(added.text, { node: added.id }, `${added.id} was added.`)
  }
  const lead = (node: string, changes: readonly (readonly [string, string | null])[]) => {
    if (changes.length === 0) return close()
    const changed = changes.reduce(
      (text, [port, to]) => (to === null ? disconnect(text, { node, port }) : connect(text, { node, port }, to)),
      texts.document,
    )
    edit(changed, { node }, `The edges of ${node} were changed.`)
  }
  const connectTo = (port: PortOf, to: string) => {
    const reason = to === entryKey ? 'is not possible: runs begin at the entry' : cannotConnect(flow, port, to)
    if (reason !== null) return announce(`An edge from ${port.node} to ${to} ${reason}.`, { bad: true })
    edit(connect(texts.document, port, to), port, `${port.node} goes to ${to}.`)
  }
  const rename = (from: string, to: string) => {
    if (from === to) return close()
    const { text, unsure } = renameNode(texts.document, { from, to })
    const tests = isJson(texts.tests) ? renameInTests(texts.tests, { from, to }) : texts.tests
    const rest =
      unsure.length === 0
        ? ''
        : ` Check ${countOf(unsure.length, 'expression')} that may still refer to ${from}: ${unsure.join(', ')}.`
    edit(text, { node: to }, `${from} was renamed to ${to}.${rest}`, tests === texts.tests ? undefined : tests)
  }
  const remove = () => {
    if (!chosen || chosen.node === entryKey) return
    if ('port' in chosen)
      return edit(
        disconnect(texts.document, chosen),
        { node: chosen.node },
        `The edge from ${chosen.node} was deleted.`,
      )
    const changed = deleteNode(texts.document, chosen.node)
    if (changed === null) return announce('A flow needs at least one node.', { bad: true })
    const [follower] = nextOf(flow, chosen.node).values()
    edit(changed, follower === undefined ? null : { node: follower }, `${chosen.node} was deleted.`)
  }
  return { over, setOver, close, add, lead, connectTo, rename, remove }
}

function isJson(text: string): boolean {
  try {
    return text.trim() !== '' && JSON.parse(text) !== undefined
  } catch {
    return false
  }
}

/** The places at which a node can be added for a selection, with a label for each; empty: none. */
export function placesFor(flow: DrawnFlow, chosen: Chosen): (readonly [NewPlace, string])[] {
  const [first] = flow.nodes
  if (chosen?.node === entryKey) return [['first', first ? `At the start, before ${first.key}` : 'At the start']]
  if (chosen && 'port' in chosen) return [placeAt(flow, chosen)]
  const node = chosen && flow.nodes.find(({ key }) => key === chosen.node)
  if (node) {
    const { id } = node
    const isOpen = (port: string) => !nextOf(flow, node.key).has(port)
    const ports = [...node.ports.filter(isOpen), ...node.ports.filter((port) => !isOpen(port))]
    return id === null ? [] : ports.map((port) => placeAt(flow, { node: id, port }))
  }
  const open = flow.nodes.flatMap(({ id, ports }) => (id === null ? [] : ports.map((port) => ({ node: id, port }))))
  const ends = open.filter(({ node, port }) => !nextOf(flow, node).has(port)).map((port) => placeAt(flow, port))
  return [...ends, ['first', 'At the start'], ['alone', 'Unconnected']]
}

export function placeAt(flow: DrawnFlow, port: PortOf): readonly [NewPlace, string] {
  const ports = flow.nodes.find(({ id }) => id === port.node)?.ports ?? []
  const next = nextOf(flow, port.node).get(port.port)
  const behind = ports.length > 1 ? `After ${port.node}, at its port ${port.port}` : `After ${port.node}`
  return [port, next === undefined ? behind : `${behind}, before ${next}`]
}
