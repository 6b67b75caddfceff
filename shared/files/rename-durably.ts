import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Gives a complete file its name; once this resolves, a power cut does not undo it. */
export async function renameDurably(draft: string, path: string): Promise<void> {
  await sync(draft)
  await rename(draft, path)
  await sync(dirname(path))
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r')
  await file.sync().finally(() => file.close())
}
