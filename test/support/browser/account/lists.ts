import type { Api } from '../../http/api.ts'

/** Lists with and without a schema, one of them full. */
export async function fillLists(api: Api): Promise<{ event: string }> {
  const lists = { hosts, board }
  await api('POST', '/sync-schema', { body: { scope: 'app', lists } })
  const ids: string[] = []
  for (const name of ['Ada Lovelace', 'Bo Diddley', 'Celia Cruz', 'Society for music in the open air'])
    ids.push(
      (
        await api('POST', '/lists/hosts/items', {
          body: { data: { name, slug: name.toLowerCase().replaceAll(' ', '-') } },
        })
      ).json.id,
    )
  let event = ''
  for (let n = 1; n <= 60; n++) {
    const { json } = await api('POST', '/lists/board/items', {
      body: { data: toEvent(n, ids), tags: ['summer', `week-${n % 5}`] },
    })
    // Versions differ, so that the table shows them.
    if (n > 58) await api('PUT', `/lists/board/items/${json.id}`, { body: { data: { ...toEvent(n, ids), price: n } } })
    event = json.id
  }
  for (const pathName of ['venues', 'tickets', 'orders', 'newsletter-subscribers', 'pages', 'translations'])
    await api('POST', '/lists', { body: { name: pathName.replaceAll('-', ' '), pathName } })
  await api('POST', '/lists', { body: { name: 'Mixed', pathName: 'mixed' } })
  for (const data of [1, 'text', [1, 2], { slug: 'same', a: { b: [{}] } }, { slug: 'same', 'a key with spaces': null }])
    await api('POST', '/lists/mixed/items', { body: { data } })
  await api('POST', '/lists/mixed/indexes', { body: { pathName: 'slug', pointer: '/slug', alias: true } })
  return { event }
}

const hosts = {
  name: 'Hosts',
  schema: { type: 'object', required: ['name'], properties: { name: { type: 'string' }, slug: { type: 'string' } } },
  indexes: { slug: { pointer: '/slug', alias: true }, name: { pointer: '/name', filtering: true, searching: true } },
}

const text = (more: object = {}) => ({ type: 'string', ...more })

const board = {
  name: 'Board of events',
  description: 'What happens in town, as visitors see it on the website and in the newsletter of every Thursday.',
  schema: {
    type: 'object',
    required: ['title', 'begins', 'state'],
    properties: {
      title: text({ title: 'Title', minLength: 3, maxLength: 120 }),
      slug: text({ pattern: '^[a-z0-9-]+$' }),
      state: { enum: ['draft', 'announced', 'sold out', 'over'], default: 'draft' },
      begins: text({ format: 'date-time', description: 'When doors open.' }),
      day: text({ format: 'date' }),
      place: {
        type: 'object',
        title: 'Place',
        required: ['name'],
        properties: {
          name: text(),
          street: text(),
          city: text(),
          seats: { type: 'integer', minimum: 1, maximum: 90_000 },
        },
      },
      open: { type: 'boolean' },
      price: { type: 'number', minimum: 0, maximum: 500 },
      host: text({ 'x-list': 'hosts', title: 'Host' }),
      speakers: {
        type: 'array',
        items: { type: 'object', properties: { name: text(), handle: text({ pattern: '^@' }) } },
      },
      tags: { type: 'array', items: text({ maxLength: 30 }), maxItems: 8 },
      entry: {
        oneOf: [
          { title: 'Free', required: ['kind'], properties: { kind: { const: 'free' } } },
          {
            title: 'By ticket',
            required: ['kind', 'url'],
            properties: { kind: { const: 'ticket' }, url: text({ format: 'uri' }) },
          },
        ],
      },
      note: { type: ['string', 'null'] },
      about: text({ maxLength: 5000 }),
    },
  },
  indexes: {
    slug: { pointer: '/slug', alias: true },
    title: { pointer: '/title', filtering: true, sorting: true, searching: true },
    begins: { pointer: '/begins', valueType: 'date', filtering: true, sorting: true },
    state: { pointer: '/state', filtering: true },
    price: { pointer: '/price', valueType: 'number', filtering: true, sorting: true },
  },
}

function toEvent(n: number, hostIds: readonly string[]): object {
  const states = ['draft', 'announced', 'sold out', 'over']
  const day = `2026-${String(1 + (n % 12)).padStart(2, '0')}-${String(1 + (n % 28)).padStart(2, '0')}`
  return {
    title: `Evening ${n}: ${['Chamber music in the old town hall', 'Poetry', 'An introduction to beekeeping for those who have little time'][n % 3]}`,
    slug: `evening-${n}`,
    state: states[n % 4],
    begins: `${day}T18:30:00Z`,
    day,
    place: { name: 'Town hall', street: `Long Street ${n}`, city: 'Vienna', seats: 40 + n },
    open: n % 2 === 0,
    price: n / 4,
    host: hostIds[n % hostIds.length],
    speakers: [
      { name: 'Ada', handle: '@ada' },
      { name: 'Bo with a second name', handle: '@bo' },
    ],
    tags: ['music', 'open air', 'for children'],
    entry: n % 2 ? { kind: 'free' } : { kind: 'ticket', url: 'https://tickets.example/evenings' },
    note: n % 3 ? null : 'Bring a chair.',
    about: 'A text that is much longer than any column of a table. '.repeat(8),
  }
}
