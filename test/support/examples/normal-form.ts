/** Values that differ between runs, replaced by values of the same form that are equal in every run. */
export type NormalForm = {
  /** @param at epoch milliseconds before a call begins, later than everything that any earlier call has written */
  beginCall(at: number): void
  of(text: string): string
}

const id = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g
const minuteMs = 60_000
/** Times that a call writes are less than this far in the future; all other times are farther. */
const soonMs = 10 * minuteMs
/** Future times keep their distance, rounded to this step. */
const stepMs = 5 * minuteMs

/** Texts whose order does not matter: all of them become the same text. Tokens keep their kind, and have no valid checksum. */
const alike: [form: RegExp, text: string][] = [
  [/(listd_[a-z]+_)[0-9A-Za-z]{49}/g, `$1${'x'.repeat(49)}`],
  [/whsec_[0-9A-Za-z+/]{43}=/g, 'whsec_bGlzdGQgbmV2ZXIgc2VuZHMgdGhpcyBzZWNyZXQuLi4='],
  [/"planHash":"[0-9a-f]{64}"/g, `"planHash":"${'9f86d081884c7d659a2feaa0c55ad015'.repeat(2)}"`],
  [/"seed":"[0-9a-f]{32}"/g, `"seed":"${'5eed'.repeat(8)}"`],
  [/"next":"[^"]+"/g, '"next":"WyJpdGVtcyIsIjIwMjYiXQ"'],
  [/"durationMs":[\d.]+/g, '"durationMs":12'],
  [/"(dns|connect|tls|wait)Ms":\d+/g, '"$1Ms":3'],
  [/"at":"[^"]+","changes":/g, '"at":"2026-03-01T10:00:00.000Z","changes":'],
  [/"date":"\d{4}-\d\d-\d\d"/g, '"date":"2026-03-01"'],
  [/"durations":\{[^}]*\}/g, '"durations":{"p50":12,"p95":31,"max":48}'],
  [/t=\d+,v1=[0-9a-f]{64}/g, `t=1772359200,v1=${'4a1f'.repeat(16)}`],
  [/"webhook-timestamp":"\d+"/g, '"webhook-timestamp":"1772359200"'],
  [/v1,[0-9A-Za-z+/]{43}=/g, `v1,${'Sh9K'.repeat(10)}Sh8=`],
  [/https:\/\/127\.0\.0\.1:\d+/g, 'https://receiver.example'],
]

/** Ids are numbered in the order of their first appearance. Times are those of the calls, which are a minute apart from `begin` on. */
export function createNormalForm(begin = Date.parse('2026-03-01T10:00:00.000Z')): NormalForm {
  const calls: number[] = []
  const ids = new Map<string, string>()
  const future = new Map<string, number>()
  const timeOf = (call: number) => begin + call * minuteMs

  function normalId(real: string): string {
    const created = ids.get(real) ?? `0190f5fe-7c00-7a00-8000-${(ids.size + 1).toString(16).padStart(12, '0')}`
    ids.set(real, created)
    return created
  }

  function normalTime(real: string): string {
    const at = Date.parse(real)
    const isFuture = future.has(real) || at > (calls.at(-1) ?? 0) + soonMs
    return new Date(isFuture ? futureTime(real) : timeOf(Math.max(0, callAt(at)))).toISOString()
  }

  /** The call at a time: work that the service does on its own belongs to the previous call. */
  function callAt(at: number): number {
    return calls.findLastIndex((begun) => begun <= at)
  }

  function futureTime(real: string): number {
    const distance = Math.round((Date.parse(real) - (calls.at(-1) ?? 0)) / stepMs) * stepMs
    const created = future.get(real) ?? timeOf(calls.length - 1) + distance
    future.set(real, created)
    return created
  }

  return {
    beginCall: (at) => calls.push(at),
    of(text) {
      const normal = alike.reduce((result, [form, same]) => result.replaceAll(form, same), text)
      return normal.replaceAll(id, normalId).replaceAll(time, normalTime)
    },
  }
}
