import test from 'ava'
import { readHeaders } from '#services/dashboard/pages/webhooks/verify/received.ts'

const headers = { 'webhook-id': 'a', 'webhook-timestamp': '1767225600', 'webhook-signature': 'v1,b+/=' }

test('headers are read as servers print them: lines, those of curl -v, JSON, and objects without their braces', (t) => {
  const forms = [
    'Webhook-Id: a\nWebhook-Timestamp: 1767225600\nWebhook-Signature: v1,b+/=\n',
    '> webhook-id: a\r\n> webhook-timestamp: 1767225600\r\n> webhook-signature: v1,b+/=\r\n',
    JSON.stringify(headers, null, 2),
    '"webhook-id": "a",\n  "webhook-timestamp": "1767225600",\n  "webhook-signature": "v1,b+/=",',
  ]
  for (const form of forms) t.deepEqual(readHeaders(form), headers, form)
})

test('a text without a header is distinguished from headers that do not verify', (t) => {
  for (const text of ['', 'POST /hook HTTP/1.1', '{"broken', '[]']) t.is(readHeaders(text), null, text)
})
