import type { Listd } from '../processes/listd.ts'
import { good } from './account/good.ts'

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
  await user('POST', '/flow-definitions', { body: { document: vote, tests: voteTests } })
  for (const [slug, serves] of [
    ['pancakes', 4],
    ['waffles', 2],
    ['soup', 6],
  ] as const) {
    const data = { slug, title: `The ${slug} of <b>Ada</b>`, serves, price: 9007199254740993n.toString() }
    await api('POST', '/lists/recipes/items', { body: { data } })
  }
}

/** A flow with everything that its page shows, including a warning. */
const vote = {
  version: 1,
  name: 'Vote <b>',
  description: 'Counts <i>votes</i> for a recipe.',
  entry: {
    type: 'endpoint',
    path: 'recipes/vote',
    public: true,
    input: { properties: { recipe: { type: 'string' } } },
  },
  nodes: [
    { id: 'recipe', type: 'get-item', list: 'recipes', item: 'input.recipe', required: true },
    { id: 'known', type: 'condition', when: 'steps.recipe.data.serves > 0' },
    {
      id: 'count',
      type: 'update-item',
      list: 'recipes',
      item: 'steps.recipe.id',
      merge: '{votes: (steps.recipe.data.votes ?? 0) + 1}',
    },
    { id: 'answer', type: 'respond', body: '{votes: steps.count.data.votes}' },
  ],
  edges: [
    ['recipe', 'known'],
    ['known', 'count', 'true'],
    ['count', 'answer'],
  ],
}

const voteTests = {
  items: { recipes: { soup: { data: { slug: 'soup', title: 'Soup', serves: 4 } } } },
  tests: [{ name: 'counts <b>one</b> vote', input: { recipe: 'soup' }, expect: { body: { votes: 1 } } }],
}
