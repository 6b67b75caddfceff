import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/** The first folder with all these programs: those of PATH, then the others. @returns null when no folder has them */
export async function findFolderOf(
  programs: readonly string[],
  others: readonly string[] = [],
): Promise<string | null> {
  for (const folder of [...(process.env.PATH ?? '').split(delimiter), ...others]) {
    const found = programs.map((program) => access(join(folder, program), constants.X_OK))
    const all = await Promise.all(found).then(
      () => true,
      () => false,
    )
    if (all) return folder
  }
  return null
}
