/** The binding of a sealed signing secret: it cannot be opened in the row of another webhook or account. */
export function webhookSecretBinding({ accountId, webhookId }: { accountId: string; webhookId: string }): string {
  return `webhook-secret:${accountId}:${webhookId}`
}
