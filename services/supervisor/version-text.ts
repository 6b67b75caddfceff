import { join } from 'node:path'
import { migrations } from '#shared/data/migrations/migrations.ts'
import packageFile from '../../package.json' with { type: 'json' }
import { findCommit } from './commit.ts'

/** The version, the commit if known, and the version of the schema that this listd migrates to. */
export async function versionText(): Promise<string> {
  const commit = await findCommit(join(import.meta.dirname, '../..'))
  const schema = `schema ${migrations.at(-1)?.version}`
  return `${packageFile.version} (${commit === null ? '' : `commit ${commit}, `}${schema})`
}
