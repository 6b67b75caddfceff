import { join } from 'node:path'

/** What people call. */
export const listdProgram = join(import.meta.dirname, '../../../scripts/listd')
