import { route } from '#client/src/transport.ts'
import { childPointer } from '#shared/json/pointer.ts'
import { membersOf } from '#shared/json/text/parts.ts'
import { type ApiCall, quoted } from '../../parts/copy-as/call-text.ts'
import { CallSnippet } from '../../parts/copy-as/copy-as.tsx'

/** Example requests that read and change an item. @param name its alias or id */
export function ApiTab({ list, name, data }: { list: string; name: string; data: string }) {
  return (
    <div class="wrap calls">
      <p class="muted">
        <code>LISTD_TOKEN</code> stands for an API token with the required permissions. These examples contain no
        secrets.
      </p>
      {callsOf({ list, name, data }).map(({ title, ...call }) => (
        <CallSnippet key={title} title={title} call={call} />
      ))}
    </div>
  )
}

function callsOf({ list, name, data }: { list: string; name: string; data: string }): (ApiCall & { title: string })[] {
  const item = route`/lists/${list}/items/${name}`
  const on = `listd.list(${quoted(list)})`
  const [key, value] = firstMember(data)
  const pointer = childPointer('', key)
  const at = `${item}/data/${encodeURIComponent(pointer)}`
  return [
    { title: 'Read the item', method: 'GET', path: item, sdk: `${on}.get(${quoted(name)})` },
    { title: 'Read one value', method: 'GET', path: at, sdk: `${on}.value(${quoted(name)}, ${quoted(pointer)})` },
    {
      title: 'Change one value',
      method: 'PUT',
      path: at,
      body: value,
      sdk: `${on}.set(${quoted(name)}, ${quoted(pointer)}, ${value})`,
    },
    {
      title: 'Merge values into the data',
      method: 'POST',
      path: `${item}/data`,
      body: `{${JSON.stringify(key)}:${value}}`,
      sdk: `${on}.merge(${quoted(name)}, { ${JSON.stringify(key)}: ${value} })`,
    },
    {
      title: 'Replace all data',
      method: 'PUT',
      path: item,
      body: `{"data":${data}}`,
      sdk: `${on}.update(${quoted(name)}, { data })`,
    },
    { title: 'Delete the item', method: 'DELETE', path: item, sdk: `${on}.delete(${quoted(name)})` },
    {
      title: 'Read its history',
      method: 'GET',
      path: `${item}/events?after=`,
      sdk: `${on}.events(${quoted(name)}).after()`,
    },
  ]
}

/** A member for the examples: a short one with the same text in JSON and in JavaScript. Not every number keeps its digits in JavaScript. */
function firstMember(data: string): [key: string, value: string] {
  const members = data.startsWith('{') ? [...membersOf(data)] : []
  const [key, { value }] = members.find(([, { value }]) => value.length < 200 && /^["tfn]/.test(value)) ?? [
    'title',
    { value: '"A title"' },
  ]
  return [key, value]
}
