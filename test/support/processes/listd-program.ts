import { join } from 'node:path'

/** The program that people call. */
export const listdProgram = join(import.meta.dirname, '../../../scripts/listd')
