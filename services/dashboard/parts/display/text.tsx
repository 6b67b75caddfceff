import { signal } from '@preact/signals'
import { timeWords } from './dates.ts'

const integers = new Intl.NumberFormat()
const plurals = new Intl.PluralRules('en')

/** A number in the format of the reader's language. */
export const count = (n: number): string => integers.format(n)

/** For example "1 item", "1,204 items". */
export function countOf(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${wordFor(n, one, many)}`
}

/** The noun after a number: "item" or "items". */
export const wordFor = (n: number, one: string, many = `${one}s`): string => (plurals.select(n) === 'one' ? one : many)

/** Milliseconds, with two decimals below 10 and one below 100. */
export function milliseconds(ms: number): string {
  if (ms > 0 && ms < 0.01) return `< ${milliseconds(0.01)}`
  const maximumFractionDigits = ms < 10 ? 2 : ms < 100 ? 1 : 0
  return `${new Intl.NumberFormat(undefined, { maximumFractionDigits }).format(ms)} ms`
}

const units = [
  ['GB', 1e9],
  ['MB', 1e6],
] as const

/** Bytes, in the largest unit that fits. */
export function size(bytes: number): string {
  if (bytes < 1000) return countOf(bytes, 'byte')
  const [unit, by] = units.find(([, from]) => bytes >= from) ?? ['kB', 1e3]
  return `${new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 }).format(bytes / by)} ${unit}`
}

/** Adds a capital letter at the start and a full stop at the end of a text. */
export function sentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?]$/.test(capital) ? capital : `${capital}.`
}

const dayAndMonth = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** The age of a time in short words. Within the next hour it is for example "in 5 min". */
export function ago(at: number, now: number): string {
  const pastMs = now - at
  if (pastMs < -minuteMs) return pastMs < -hourMs ? timeWords(at) : `in ${Math.ceil(-pastMs / minuteMs)} min`
  if (pastMs < minuteMs) return 'just now'
  if (pastMs < hourMs) return `${Math.floor(pastMs / minuteMs)} min ago`
  if (pastMs < dayMs) return `${Math.floor(pastMs / hourMs)} h ago`
  if (pastMs < 2 * dayMs) return 'yesterday'
  return new Date(at).getFullYear() === new Date(now).getFullYear() ? dayAndMonth.format(at) : day.format(at)
}

/** The present time for all ages. They share one clock, because a page may show hundreds. */
const now = signal(Date.now())
setInterval(() => {
  now.value = Date.now()
}, minuteMs)

/** The present time, for a component that shows many ages. The component renders again every minute. */
export const presentTime = (): number => Math.max(now.value, Date.now())

/** The age of a time, kept up to date. @param at an ISO time */
export function Ago({ at }: { at: string }) {
  return agoAt(at, presentTime())
}

/** The same as an element instead of a component. @param present of `presentTime` */
export const agoAt = (at: string, present: number) => (
  <time dateTime={at} title={exactTime(at)}>
    {ago(Date.parse(at), present)}
  </time>
)

/** Date and time in the reader's time zone. @param at an ISO time */
export function At({ at }: { at: string }) {
  return (
    <time dateTime={at} title={exactTime(at)}>
      {timeWords(Date.parse(at))}
    </time>
  )
}

const exactTime = (at: string) => at.replace('T', ' ').replace('Z', ' UTC')
