import type { ListdError } from '#client/src/error.ts'
import { route } from '#client/src/transport.ts'
import type { Event } from '#client/src/types/resources.ts'
import type { Webhook } from '#client/src/types/user-resources.ts'
import { webhookHealth, webhookName } from '../webhooks/webhook-health.ts'

/** A problem that needs attention: its text and, if there is a page for it, its action. */
export type Need = { tone: 'warn' | 'bad'; title: string; text: string; action?: { to: string; label: string } }

/** The problems of webhooks: those that receive nothing although they are switched on, that lose events, or that soon will. */
export function webhookNeeds(webhooks: readonly Webhook[]): Need[] {
  return webhooks.flatMap((webhook) => {
    const { tone, word, text } = webhookHealth(webhook)
    if (tone === 'good' || tone === 'off') return []
    const action = { to: route`/webhooks/${webhook.id}`, label: 'See deliveries' }
    return [{ tone, title: `The webhook ${webhookName(webhook)} is ${word}`, text, action }] satisfies Need[]
  })
}

export type Health = { status: string; checks: Record<string, unknown> }

/** The health in an error of the health check: a 503 names what has failed. @throws the error, if it has no health */
export function healthOf(error: ListdError): Health {
  const checks = error.details?.checks
  if (error.status !== 503 || typeof checks !== 'object' || checks === null) throw error
  return { status: 'failed', checks: checks as Record<string, unknown> }
}

/** The problems of the service, one for each part. */
export function healthNeeds({ checks }: Health): Need[] {
  return Object.entries(checks).flatMap(([name, result]) => {
    if (result === 'ok') return []
    const { failed, degraded } = Object(result) as { failed?: unknown; degraded?: unknown }
    const tone = failed === undefined ? 'warn' : 'bad'
    const state = failed === undefined ? 'is degraded' : 'has failed'
    const why = failed ?? degraded
    const text =
      why === undefined
        ? 'Work that depends on it waits until it is available again.'
        : `The service reports: ${String(why)}.`
    return [{ tone, title: `${capital(healthName(name))} ${state}`, text }] satisfies Need[]
  })
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** The name of a part of the service in a sentence. */
export const healthName = (name: string): string => healthNames[name] ?? name
const healthNames: Readonly<Record<string, string>> = { database: 'the database', nats: 'NATS', clock: 'the clock' }

/** The newest event of each index, if it is a failed build. @param events newest first */
export function failedLast(events: readonly Event[]): Event[] {
  const newest = new Map<string, Event>()
  for (const event of events) if (!newest.has(event.modelId)) newest.set(event.modelId, event)
  return [...newest.values()].filter(({ type }) => type === 'index-build-failed')
}

/** Why a build failed, with the first value that prevents it. @param attachments of the event of the failure */
export function whyFailed({ message, duplicates, items }: Record<string, unknown>): string {
  const [duplicate] = Array.isArray(duplicates) ? duplicates : []
  if (duplicate) return `Several items have the value “${String(duplicate.value).slice(0, 80)}”.`
  const [item] = Array.isArray(items) ? items : []
  if (item) return `The value of item ${item.itemId} ${item.message}.`
  return typeof message === 'string' ? message : 'See its event for the reason.'
}

/** The most urgent first. */
export function sortNeeds(needs: readonly Need[]): Need[] {
  return needs.toSorted((a, b) => Number(b.tone === 'bad') - Number(a.tone === 'bad'))
}
