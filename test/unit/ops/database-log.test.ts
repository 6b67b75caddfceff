import test from 'ava'
import { createLogger } from '#shared/log/logger.ts'
import { createDatabaseLog } from '#shared/ops/database-log.ts'

test('ten slow statements a minute get a line, without line breaks and with limited length', (t) => {
  const lines: string[] = []
  const log = createLogger({ service: 'test', level: 'info', output: { write: (line) => void lines.push(line) } })
  const { slow } = createDatabaseLog(log)
  for (let n = 0; n < 25; n++) slow({ text: `select ${n}\n  from ${'x'.repeat(1_000)}`, durationMs: 1_234.5, rows: 3 })
  const found = lines.map((line) => JSON.parse(line))
  t.is(found.length, 10)
  t.like(found[9], { event: 'statement.slow', durationMs: 1_235, rows: 3 })
  t.regex(found[9].statement, /^select 9 from x{100,290}$/)
})
