import { useState } from 'preact/hooks'
import { Button } from '../../parts/controls/button.tsx'
import { withElements, withoutProperty, withProperty, withRequired, withTypes } from './schema-edit.ts'
import { type SchemaNode, schemaTypes } from './schema-tree.ts'

type TreeProps = {
  text: string
  /** Called with the changed text. */
  edit: (text: string) => void
  /** Shows a place in the text. */
  goTo: (pointer: string) => void
  disabled: boolean
}

/** The properties of a schema as a tree. An edit in the tree changes the text. */
export function PropertyTree({ root, ...props }: TreeProps & { root: SchemaNode }) {
  return (
    <div class="tree">
      <Inside node={root} {...props} />
    </div>
  )
}

/** The properties of a value, and the schema of its elements. */
function Inside({ node, ...props }: TreeProps & { node: SchemaNode }) {
  const { text, edit, disabled } = props
  const isArray = node.types.includes('array')
  const isObject = node.properties.length > 0 || node.types.includes('object') || node.pointer === ''
  return (
    <>
      {(node.properties.length > 0 || node.elements) && (
        <ul>
          {node.elements && <Row node={node.elements} holder={node} {...props} />}
          {node.properties.map((property) => (
            <Row key={property.pointer} node={property} holder={node} {...props} />
          ))}
        </ul>
      )}
      {node.hidden > 0 && <p class="muted small">{node.hidden} more are in the text.</p>}
      {!disabled && isObject && <AddProperty node={node} {...props} />}
      {!disabled && isArray && !node.elements && !node.notes.some((note) => note.startsWith('items ')) && (
        <Button kind="quiet" icon="add" onPress={() => edit(withElements(text, node.pointer))}>
          Describe its elements
        </Button>
      )}
    </>
  )
}

function Row({ node, holder, ...props }: TreeProps & { node: SchemaNode; holder: SchemaNode }) {
  const { text, edit, goTo, disabled } = props
  const { name, pointer } = node
  const label = name ?? 'each element'
  return (
    <li>
      <div class="tree-row">
        <button type="button" class="tree-name" title="Show it in the text" onClick={() => goTo(pointer)}>
          {name === null ? <i>{label}</i> : name}
        </button>
        <TypeChoice
          label={`Type of ${label}`}
          types={node.types}
          disabled={disabled}
          onTypes={(types) => edit(withTypes(text, pointer, types))}
        />
        {name !== null && (
          <>
            <label class="tree-required">
              <input
                type="checkbox"
                checked={node.isRequired}
                disabled={disabled}
                aria-label={`${name} is required`}
                onChange={({ currentTarget }) => edit(withRequired(text, holder.pointer, name, currentTarget.checked))}
              />
              required
            </label>
            <Button
              kind="quiet"
              icon="close"
              label={`Remove ${name}`}
              disabled={disabled}
              onPress={() => edit(withoutProperty(text, holder.pointer, name))}
            />
          </>
        )}
      </div>
      {node.notes.length > 0 && <p class="tree-notes muted small">{node.notes.join(' · ')}</p>}
      <Inside node={node} {...props} />
    </li>
  )
}

type TypeChoiceProps = {
  label: string
  types: readonly string[]
  onTypes: (types: readonly string[]) => void
  disabled?: boolean
}

/** A choice of any type, one type, or one type or null. Another combination in the text is also a choice. */
function TypeChoice({ label, types, onTypes, disabled = false }: TypeChoiceProps) {
  const single = schemaTypes.map((type) => [type])
  const nullable = schemaTypes.filter((type) => type !== 'null').map((type) => [type, 'null'])
  const choices = [[], ...single, ...nullable].map((choice) => JSON.stringify(choice))
  const now = JSON.stringify(types)
  return (
    <select
      class="input small-input"
      aria-label={label}
      disabled={disabled}
      onChange={({ currentTarget }) => onTypes(JSON.parse(currentTarget.value))}
    >
      {[...new Set([...choices, now])].map((choice) => (
        <option key={choice} value={choice} selected={choice === now}>
          {JSON.parse(choice).join(' or ') || 'any'}
        </option>
      ))}
    </select>
  )
}

function AddProperty({ node, text, edit }: TreeProps & { node: SchemaNode }) {
  const [name, setName] = useState('')
  const [types, setTypes] = useState<readonly string[]>(['string'])
  const isTaken = node.properties.some((property) => property.name === name)
  const where = node.pointer === '' ? '' : ` in ${node.name ?? 'each element'}`
  const add = (event: Event) => {
    event.preventDefault()
    if (name === '' || isTaken) return
    edit(withProperty(text, node.pointer, name, types))
    setName('')
  }
  return (
    <form class="tree-row tree-add" onSubmit={add}>
      <input
        class="input small-input mono"
        aria-label={`Name of a new property${where}`}
        placeholder="new property"
        value={name}
        onInput={({ currentTarget }) => setName(currentTarget.value)}
      />
      <TypeChoice label={`Type of the new property${where}`} types={types} onTypes={setTypes} />
      <Button sends icon="add" name={`Add a property${where}`} disabled={name === '' || isTaken}>
        {isTaken ? 'Is there' : 'Add'}
      </Button>
    </form>
  )
}
