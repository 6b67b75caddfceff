import test from 'ava'
import type { WebhookDeps } from '#services/gateway/resources/webhooks/context.ts'
import { assertUrlAllowed } from '#services/gateway/resources/webhooks/webhook-rules.ts'

/** The message about a URL that is rejected before a dispatcher probes it. */
async function messageOf(url: string, allowHttp: boolean): Promise<string> {
  const deps = { config: { webhooks: { allowCidrs: ['127.0.0.0/8'], allowHttp } } } as unknown as WebhookDeps
  const asked = assertUrlAllowed(deps, { accountId: 'A', url, requestId: 'R' })
  return asked.then(
    () => '',
    ({ message }: Error) => message,
  )
}

test('the message about a port names the allowed ones, with those of plain http if the operator allows it', async (t) => {
  t.regex(await messageOf('https://localhost:25/', false), /port 443 or 1024 to 65535,/)
  t.regex(await messageOf('http://localhost:25/', true), /port 443 \(of http:\/\/ 80\) or 1024 to 65535,/)
})
