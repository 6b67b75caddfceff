import { readFileSync } from 'node:fs'
import { withFileName } from '#shared/files/with-file-name.ts'
import { describeError } from './describe-error.ts'
import { StartError, startExitCodes } from './start-error.ts'

/**
 * The text of the file that a setting names.
 * @param key of the setting, such as `database.caFile`
 * @throws StartError with a sentence that names both
 */
export function readSettingFile(key: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const reason = describeError(withFileName(error, path))
    throw new StartError(startExitCodes.configuration, `${key} cannot be read: ${reason}`)
  }
}
