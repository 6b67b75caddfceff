/** What a sealed signing secret is bound to: moved to another webhook's row, or another account's, it does not open. */
export function webhookSecretBinding({ accountId, webhookId }: { accountId: string; webhookId: string }): string {
  return `webhook-secret:${accountId}:${webhookId}`
}
