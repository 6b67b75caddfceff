import { execFile } from 'node:child_process'
import { open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { foreignEnvironment } from '#shared/config/environment.ts'
import { withFileName } from '#shared/files/with-file-name.ts'
import { describeError } from '#shared/lifecycle/describe-error.ts'

const mostLines = 2_000
const mostBytes = 1024 * 1024
const withinMs = 10_000

/** The last lines of the log: from a file, or from the unit `listd` in systemd's journal; otherwise a sentence that says why not. */
export async function lastLogLines(file: string | undefined): Promise<string> {
  if (file !== undefined) return endOf(file)
  const options = ['--unit=listd', `--lines=${mostLines}`, '--output=cat', '--no-pager', '--quiet']
  try {
    const limits = { timeout: withinMs, maxBuffer: 64 * mostBytes, env: foreignEnvironment() }
    const { stdout } = await promisify(execFile)('journalctl', options, limits)
    return stdout === '' ? none('the journal has no lines of the unit listd that this user may read') : cut(stdout)
  } catch (error) {
    return none(`the journal cannot be read (${describeError(error).split('\n')[0]})`)
  }
}

const none = (reason: string) => `There are no log lines: ${reason}. --log FILE reads them from a file.\n`

/** @throws Error when the file cannot be read, because the user named it */
async function endOf(path: string): Promise<string> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const bytes = Buffer.alloc(Math.min(size, mostBytes + 1))
    const { bytesRead } = await file.read(bytes, 0, bytes.length, size - bytes.length)
    return cut(bytes.toString('utf8', 0, bytesRead))
  } catch (error) {
    throw withFileName(error, path)
  } finally {
    await file.close()
  }
}

/** The last whole lines of a text. */
function cut(text: string): string {
  if (text.length <= mostBytes) return text
  const end = text.slice(-mostBytes)
  return end.slice(end.indexOf('\n') + 1)
}
