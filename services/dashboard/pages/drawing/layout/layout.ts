import { nearestApart } from './nearest-apart.ts'

/** A box to be placed, in pixels. */
export type Box = { key: string; width: number; height: number }
/** A line from one box to another, both by their keys. */
export type Line = { from: string; to: string }

/** The place of a box: x of its middle, and y of its upper edge. */
export type Placed = Box & { x: number; y: number; layer: number }

/** Boxes by their keys, and for each line its bends in other layers: x, and y where it enters and leaves the layer. */
export type Laid = {
  width: number
  height: number
  boxes: ReadonlyMap<string, Placed>
  bends: readonly (readonly Bend[])[]
}
export type Bend = { x: number; top: number; bottom: number }

const gap = { boxes: 28, layers: 38, bends: 20 }
/** The number of passes that order and move units. A drawing with many units gets fewer, so that a layout takes only milliseconds. */
const rounds = { few: { orderings: 8, alignments: 10 }, many: { orderings: 2, alignments: 4 } }
const manyUnits = 2_000

/** A unit to place: a box, or the point at which lines to one box pass a layer. */
type Unit = { box: Box | null; layer: number; width: number; above: Unit[]; below: Unit[]; x: number; position: number }

/**
 * Places boxes in layers so that lines go down and rarely cross (Sugiyama's method): each box is one layer below its lowest predecessor.
 * Lines that close a cycle go up. Lines to the same box share their path. Linear in boxes and bends, apart from sorting.
 * @param boxes in document order: the first is at the top
 * @param lines those of one box from left to right
 */
export function layOutBoxes(boxes: readonly Box[], lines: readonly Line[]): Laid {
  const layerOf = layersOf(boxes, lines)
  const units = new Map(boxes.map((box) => [box.key, unitOf(box, layerOf.get(box.key) ?? 0)]))
  const passing = new Map<string, Unit>()
  const ways = lines.map((line) => wayOf(line, units, passing))
  const layers = orderedLayers([...units.values()])
  const { orderings, alignments } = units.size + passing.size > manyUnits ? rounds.many : rounds.few
  for (let n = 0; n < orderings; n++) reorder(layers, n % 2 === 0)
  align(layers, alignments)
  return measured(layers, ways, units)
}

function unitOf(box: Box | null, layer: number): Unit {
  return { box, layer, width: box?.width ?? 0, above: [], below: [], x: 0, position: 0 }
}

/** The layer of each box: the length of the longest path to it. */
function layersOf(boxes: readonly Box[], lines: readonly Line[]): Map<string, number> {
  const next = new Map(boxes.map(({ key }) => [key, [] as string[]]))
  for (const { from, to } of lines) if (from !== to && next.has(to)) next.get(from)?.push(to)
  const layers = new Map<string, number>()
  const order: string[] = []
  const open = new Set<string>()
  const visit = (key: string) => {
    if (layers.has(key)) return
    layers.set(key, 0)
    open.add(key)
    const following = next.get(key) ?? []
    // A line to an ancestor closes a cycle.
    next.set(
      key,
      following.filter((one) => !open.has(one)),
    )
    for (const one of next.get(key) ?? []) visit(one)
    open.delete(key)
    order.push(key)
  }
  for (const { key } of boxes) visit(key)
  for (const key of order.toReversed())
    for (const one of next.get(key) ?? []) layers.set(one, Math.max(layers.get(one) ?? 0, (layers.get(key) ?? 0) + 1))
  return layers
}

/** The units of a line in the layers between its ends. Lines to the same box share them. */
function wayOf({ from, to }: Line, units: ReadonlyMap<string, Unit>, passing: Map<string, Unit>): Unit[] {
  const [first, last] = [units.get(from), units.get(to)]
  if (!first || !last || last.layer <= first.layer) return []
  const way: Unit[] = []
  let above = first
  let isNew = true
  for (let layer = first.layer + 1; layer < last.layer; layer++) {
    const name = `${layer} ${to}`
    const present = passing.get(name)
    const unit = present ?? unitOf(null, layer)
    passing.set(name, unit)
    // From the first unit that another line also passes, both share their path.
    if (isNew) link(above, unit)
    isNew = !present
    way.push(unit)
    above = unit
  }
  if (isNew) link(above, last)
  return way
}

function link(above: Unit, below: Unit): void {
  above.below.push(below)
  below.above.push(above)
}

/** All units by layer, in the order in which they are reached. */
function orderedLayers(roots: readonly Unit[]): Unit[][] {
  const layers: Unit[][] = []
  const seen = new Set<Unit>()
  const visit = (unit: Unit) => {
    if (seen.has(unit)) return
    seen.add(unit)
    const layer = layers[unit.layer] ?? []
    layers[unit.layer] = layer
    unit.position = layer.push(unit) - 1
    for (const one of unit.below) visit(one)
  }
  for (const root of roots) visit(root)
  return layers
}

/** Orders the units of each layer by the mean position of the units they are linked with, above or below. */
function reorder(layers: readonly Unit[][], isDown: boolean): void {
  for (const layer of isDown ? layers : layers.toReversed()) {
    const wanted = new Map(
      layer.map((unit) => [unit, mean(isDown ? unit.above : unit.below, 'position') ?? unit.position]),
    )
    layer.sort((one, other) => (wanted.get(one) ?? 0) - (wanted.get(other) ?? 0))
    for (const [position, unit] of layer.entries()) unit.position = position
  }
}

function mean(units: readonly Unit[], of: 'position' | 'x'): number | null {
  return units.length === 0 ? null : units.reduce((sum, unit) => sum + unit[of], 0) / units.length
}

/** Moves each unit towards the middle of the units it is linked with, as far as its neighbors allow. */
function align(layers: readonly Unit[][], alignments: number): void {
  for (const layer of layers) place(layer, () => null)
  for (let n = 0; n < alignments; n++) {
    const isDown = n % 2 === 0
    for (const layer of isDown ? layers : layers.toReversed())
      place(layer, (unit) => mean(isDown ? unit.above : unit.below, 'x'))
  }
}

function place(layer: readonly Unit[], wish: (unit: Unit) => number | null): void {
  const xs = nearestApart(
    layer.map((unit) => ({ wish: wish(unit) ?? unit.x, weight: unit.box ? 1 : 4 })),
    layer.map((unit, n) => {
      const next = layer[n + 1]
      return next ? (unit.width + next.width) / 2 + (unit.box && next.box ? gap.boxes : gap.bends) : 0
    }),
  )
  for (const [n, unit] of layer.entries()) unit.x = xs[n] ?? 0
}

function measured(layers: readonly Unit[][], ways: readonly Unit[][], units: ReadonlyMap<string, Unit>): Laid {
  const all = layers.flat()
  const left = Math.min(...all.map(({ x, width }) => x - width / 2))
  const right = Math.max(...all.map(({ x, width }) => x + width / 2))
  const tops: number[] = []
  let height = 0
  for (const layer of layers) {
    tops.push(height)
    height += heightOf(layer) + gap.layers
  }
  const boxes = new Map(
    [...units].flatMap(([key, { box, x, layer }]) =>
      box ? [[key, { ...box, x: x - left, y: tops[layer] ?? 0, layer }]] : [],
    ),
  )
  const bends = ways.map((way) =>
    way.map(({ x, layer }) => {
      const top = tops[layer] ?? 0
      return { x: x - left, top, bottom: top + heightOf(layers[layer] ?? []) }
    }),
  )
  return { width: all.length > 0 ? right - left : 0, height: Math.max(0, height - gap.layers), boxes, bends }
}

function heightOf(layer: readonly Unit[]): number {
  return layer.reduce((most, { box }) => Math.max(most, box?.height ?? 0), 0)
}
