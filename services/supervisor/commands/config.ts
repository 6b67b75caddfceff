import { describeConfig, redacted } from '#shared/config/describe.ts'
import { formatValue } from '#shared/config/redact.ts'
import { formatJson, listing } from '../terminal/listing.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** `listd config print`: every setting and the source of its value; for secrets only whether they are set. */
export async function printConfigCommand(terminal: Terminal, { json }: { json?: true }): Promise<void> {
  const settings = describeConfig({ env: terminal.env })
  if (json) {
    terminal.stdout.write(formatJson(settings))
    return
  }
  const rows = settings.map(({ key, value, source }) => ({
    key,
    source,
    value: value === redacted ? redacted : formatValue(value, { secret: false }),
  }))
  terminal.stdout.write(listing(rows, { columns: { key: 'key', value: 'value', source: 'source' } }))
}
