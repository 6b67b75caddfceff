import type { Api } from '../http/api.ts'
import type { Listd } from '../processes/listd.ts'

/** Fills an account with some of everything that a page shows. */
export async function seed(listd: Listd): Promise<void> {
  const [api, user] = [good(listd.api), good(listd.user)]
  const schema = { type: 'object', required: ['title'], properties: { title: { type: 'string' } } }
  const indexes = {
    slug: { pointer: '/slug', alias: true },
    serves: { pointer: '/serves', filtering: true },
    title: { pointer: '/title', searching: true },
  }
  const recipes = { name: 'Recipes', schema, indexes }
  await api('POST', '/sync-schema', { body: { scope: 'cookbook', lists: { recipes } } })
  await api('POST', '/lists', { body: { name: 'Notes', pathName: 'notes' } })
  await user('POST', '/identity-groups', { body: { name: 'members' } })
  await user('POST', '/identities', { body: { name: 'Ada <b>L.', group: 'members', email: 'ada@listd.example' } })
  for (const [slug, serves] of [
    ['pancakes', 4],
    ['waffles', 2],
    ['soup', 6],
  ] as const) {
    const data = { slug, title: `The ${slug} of <b>Ada</b>`, serves, price: 9007199254740993n.toString() }
    await api('POST', '/lists/recipes/items', { body: { data } })
  }
}

/** Calls that all succeed. */
function good(api: Api): Api {
  return async (...request) => {
    const answer = await api(...request)
    if (answer.status > 299) throw new Error(`${request.slice(0, 2).join(' ')}: ${answer.text}`)
    return answer
  }
}
