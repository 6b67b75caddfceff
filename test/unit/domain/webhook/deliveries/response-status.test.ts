import test from 'ava'
import { statusFilter, statusRange } from '#shared/domain/webhook/deliveries/response-status.ts'

test('a filter on the status of a response is one status, or a class such as 5xx', (t) => {
  t.deepEqual(statusRange('502'), { from: 502, to: 502 })
  t.deepEqual(statusRange('5xx'), { from: 500, to: 599 })
  for (const text of ['100', '599', '1xx']) t.regex(text, statusFilter)
  for (const text of ['600', '99', '5x', '50x', '5XX', '0xx', '502 ', '']) t.notRegex(text, statusFilter)
})
