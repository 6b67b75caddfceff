import { newId } from '#shared/crypto/ids.ts'
import { addList } from '../databases/contents/lists.ts'
import type { TestAccount } from './callers.ts'
import { call } from './client.ts'
import type { TestGateway } from './gateway.ts'

export type ListOfItems = { path: string; indexes: string; items: string; ids: string[] }

/** A new list with items of this data, created one after the other by a user of the account. @returns its paths and their ids */
export async function listOfItems(
  { gateway, account }: { gateway: TestGateway; account: TestAccount },
  data: readonly unknown[],
): Promise<ListOfItems> {
  const pathName = `list-${newId()}`
  await addList(gateway.deps.db, account.accountId, { pathName })
  const path = `/lists/${pathName}`
  const items = `${path}/items`
  const ids: string[] = []
  for (const value of data) {
    const created = await call(gateway.port, {
      method: 'POST',
      path: items,
      headers: account.user,
      body: { data: value },
    })
    ids.push(String(created.json?.id))
  }
  return { path, indexes: `${path}/indexes`, items, ids }
}
