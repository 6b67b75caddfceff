import { stringify } from '#client/src/json.ts'
import type { Webhook, WebhookEvent, WebhookFields } from '#client/src/types/user-resources.ts'
import { readHeaderLines } from './header-lines.ts'
import { readWhereLines, whereLines } from './where-lines.ts'

/** The fields of the webhook form. `listIds` null: all lists, including future ones. */
export type WebhookDraft = {
  url: string
  description: string
  events: readonly WebhookEvent[]
  listIds: readonly string[] | null
  /** As it was typed; empty: no limit. */
  maxRequestsPerSecond: string
  /** The lines of new headers; null: the present headers stay. */
  headers: string | null
  /** The lines of filters on fields and index values. */
  where: string
}

export const newWebhook: WebhookDraft = {
  url: '',
  description: '',
  events: ['item.created', 'item.updated', 'item.restored', 'item.deleted'],
  listIds: null,
  maxRequestsPerSecond: '',
  headers: null,
  where: '',
}

export function draftOf({ url, description, events, listIds, maxRequestsPerSecond, where }: Webhook): WebhookDraft {
  return {
    url,
    description,
    events,
    listIds: listIds.length === 0 ? null : listIds,
    maxRequestsPerSecond: maxRequestsPerSecond === null ? '' : `${maxRequestsPerSecond}`,
    headers: null,
    where: whereLines(where),
  }
}

/** The fields of a request for a draft. `draftProblems` must have found no problem in its lines. */
export function fieldsOf({
  url,
  description,
  events,
  listIds,
  maxRequestsPerSecond,
  headers,
  where,
}: WebhookDraft): WebhookFields {
  const rate = maxRequestsPerSecond.trim()
  return {
    url: url.trim(),
    description: description.trim(),
    events: [...events],
    listIds: [...(listIds ?? [])],
    maxRequestsPerSecond: rate === '' ? null : Number(rate),
    ...(headers !== null && readHeaderLines(headers)),
    ...readWhereLines(where),
  }
}

/** The fields to send: those in which the draft differs from the webhook. */
export function changesOf(webhook: Webhook, draft: WebhookDraft): Partial<WebhookFields> {
  const before = fieldsOf(draftOf(webhook))
  const after = fieldsOf(draft)
  const names = (Object.keys(after) as (keyof WebhookFields)[]).filter((name) => !same(before[name], after[name]))
  return Object.fromEntries(names.map((name) => [name, after[name]]))
}

const same = (a: unknown, b: unknown) => stringify(sorted(a)) === stringify(sorted(b))
const sorted = (value: unknown) => (Array.isArray(value) ? value.toSorted() : value)

/** Why a draft cannot be sent, by field: the server would reject the value, or read it in another way. */
export function draftProblems({
  url,
  listIds,
  maxRequestsPerSecond,
  headers,
  where,
}: WebhookDraft): ReadonlyMap<string, string> {
  const problems = new Map<string, string>()
  if (url.trim() === '') problems.set('url', 'Enter a URL.')
  if (listIds?.length === 0) problems.set('listIds', 'Choose a list, or all lists.')
  const rate = maxRequestsPerSecond.trim()
  if (rate !== '' && !/^[1-9]\d*$/.test(rate))
    problems.set('maxRequestsPerSecond', 'Enter a whole number, or leave it empty.')
  const lines = { headers: readHeaderLines(headers ?? ''), where: readWhereLines(where) }
  for (const [name, read] of Object.entries(lines)) if ('problem' in read) problems.set(name, read.problem)
  return problems
}
