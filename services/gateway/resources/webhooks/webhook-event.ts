import type { LoggedEvent } from '#shared/data/events/events.ts'
import type { Actor } from '#shared/domain/actor.ts'
import { toWebhookJson, type Webhook } from '#shared/domain/webhook/fields.ts'

/** The event log's entry for a change of a webhook. */
export function webhookEvent(
  type: 'webhook-created' | 'webhook-updated' | 'webhook-secret-replaced' | 'webhook-deleted',
  webhook: Webhook,
  { id, actor, now }: { id: string; actor: Actor; now: number },
): LoggedEvent {
  return {
    id,
    accountId: webhook.accountId,
    createdAt: now,
    stream: 'webhook',
    type,
    modelId: webhook.id,
    listId: null,
    actor,
    snapshot: JSON.stringify(toWebhookJson(webhook)),
  }
}
