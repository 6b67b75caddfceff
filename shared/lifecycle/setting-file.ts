import { readFileSync } from 'node:fs'
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
    // What the system says of a folder that was opened does not name it.
    const reason = describeError(Object.assign(error as Error, { path }))
    throw new StartError(startExitCodes.configuration, `${key} cannot be read: ${reason}`)
  }
}
