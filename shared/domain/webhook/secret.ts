/** The binding of a sealed signing secret: it cannot be opened in the row of another webhook or account. */
export function webhookSecretBinding({ accountId, webhookId }: { accountId: string; webhookId: string }): string {
  return `webhook-secret:${accountId}:${webhookId}`
}

/** The same for sealed fixed headers, which cannot be opened in place of a secret either. */
export function webhookHeadersBinding({ accountId, webhookId }: { accountId: string; webhookId: string }): string {
  return `webhook-headers:${accountId}:${webhookId}`
}
