import { effect } from '@preact/signals'
import { here } from '../address/location.ts'

const controls =
  ':is(a[href], button, input, select, textarea, summary, [tabindex="0"], [contenteditable="true"]):not(:disabled)'

/** The place of the focus in the page, or in a dialog over it. */
type Place = {
  element: Element
  /** The elements that contain it, innermost first. */
  around: readonly Element[]
  /** The nodes after and before it, or its last ones once it is removed. */
  siblings: readonly [Node | null, Node | null]
}

/** The place of the focus, by dialog or page. */
const places = new Map<Element, Place>()

/** Set when the page has just changed: the element that had the focus, and the heading of the previous page. */
let left: { focused: Element | null; heading: Element | null } | null = null

let isKept = false

/**
 * Keeps the focus from being lost. When its element is removed, the nearest control gets the focus; on a new page, the heading does.
 * @param comes whether the page replaces another one, such as the sign-in page
 */
export function keepFocus(comes: boolean): void {
  if (comes) leave(null)
  if (isKept) return
  isKept = true
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element) places.set(target.closest('dialog') ?? document.body, placeOf(target))
  })
  // A click outside of controls forgets the place.
  document.addEventListener('pointerup', () => setTimeout(() => isLost() && places.delete(topLayer())))
  const watch = new MutationObserver(onChange)
  watch.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
  followPages()
}

function followPages(): void {
  let { path } = here.peek()
  effect(() => {
    if (path === here.value.path) return
    path = here.value.path
    leave(heading())
  })
}

function leave(was: Element | null): void {
  left = { focused: document.activeElement, heading: was }
  afterDrawing(arrive)
}

function placeOf(element: Element): Place {
  const around: Element[] = []
  for (let outer = element.parentElement; outer; outer = outer.parentElement) around.push(outer)
  return { element, around, siblings: [element.nextSibling, element.previousSibling] }
}

const heading = () => document.querySelector('main h1')
const topLayer = () => [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body
const isLost = () => document.activeElement === null || document.activeElement === document.body
const holds = (nodes: NodeList, element: Element) => [...nodes].some((node) => node.contains(element))
/** Code that removes an element may set the focus itself, after the next render. */
const afterDrawing = (run: () => void) => requestAnimationFrame(() => setTimeout(run))

function onChange(records: readonly MutationRecord[]): void {
  let isGone = false
  for (const { type, target, removedNodes, nextSibling, previousSibling } of records) {
    for (const place of places.values()) {
      if (type === 'attributes' ? target !== place.element : !holds(removedNodes, place.element)) continue
      if (type === 'childList') place.siblings = [nextSibling, previousSibling]
      isGone = true
    }
  }
  for (const layer of places.keys()) if (!layer.isConnected) places.delete(layer)
  if (left) afterDrawing(arrive)
  else if (isGone) afterDrawing(findPlace)
}

/** Focuses the heading of a new page, or the tab that opened it, unless something on the page has the focus already. */
function arrive(): void {
  const now = heading()
  if (!left || !now || now === left.heading) return
  const { focused } = left
  left = null
  const active = document.activeElement
  if (active !== focused && active?.closest('.main > :not(.top), dialog')) return
  const tab = focused instanceof HTMLAnchorElement && focused.matches('.tabs a') && tabTo(focused.href)
  focus(tab || now)
}

const tabTo = (href: string) =>
  [...document.querySelectorAll<HTMLAnchorElement>('.tabs a')].find((tab) => tab.href === href)

function findPlace(): void {
  const layer = topLayer()
  const place = places.get(layer)
  if (!isLost() || !place) return
  const { element, around, siblings } = place
  const [after, before] = siblings.map((node) => (node instanceof Element && node.isConnected ? node : null))
  const inner = around.slice(0, around.indexOf(layer.querySelector('main') ?? layer)).filter((one) => one.isConnected)
  const found =
    element.tagName === 'H1'
      ? null
      : (usable(element) ?? controlsIn(after)[0] ?? controlsIn(before).at(-1) ?? inner.flatMap(controlsIn)[0])
  focus(found ?? (layer === document.body ? heading() : controlsIn(layer)[0]))
}

const usable = (element: Element) =>
  element.isConnected && element.matches(controls) && element.checkVisibility() ? element : null

/** The controls of an element, itself first. */
function controlsIn(element: Element | null | undefined): Element[] {
  if (!element) return []
  return [element, ...element.querySelectorAll(controls)].filter((one) => usable(one))
}

function focus(element: Element | null | undefined): void {
  if (!(element instanceof HTMLElement || element instanceof SVGElement)) return
  if (element.tagName === 'H1') element.setAttribute('tabindex', '-1')
  element.focus({ preventScroll: element.tagName === 'H1' })
}
