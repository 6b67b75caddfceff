import { useEffect, useState } from 'preact/hooks'
import { isPathName, pathNameFrom } from '#shared/domain/path-name.ts'
import { hrefOf } from '../../address/location.ts'
import { client } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { TextField } from '../../parts/controls/field.tsx'
import { sentence } from '../../parts/display/text.tsx'
import { pathNameTaken, type Rejected } from './list-draft.ts'

export type Names = {
  name: string
  pathName: string
  /** Why the path name cannot be used. */
  problem: string | undefined
  setName(name: string): void
  setPathName(pathName: string): void
}

/**
 * A name and a path name. Both are proposed until the user types others. The proposed path name follows the name, with a number if it is
 * already in use.
 * @param list the path name of the list once it is created
 */
export function useNames(proposed: string, list: string | null): Names {
  const [typedName, setName] = useState<string>()
  const [typedPathName, setPathName] = useState<string>()
  const [number, setNumber] = useState(1)
  const name = typedName ?? proposed
  const created = pathNameFrom(name) ?? ''
  const pathName = list ?? typedPathName ?? (created && number > 1 ? `${created}-${number}` : created)
  useEffect(() => setNumber(1), [created])
  const isTaken = useTaken(list === null && isPathName(pathName) ? pathName : null)
  useEffect(() => {
    if (isTaken && typedPathName === undefined) setNumber((n) => n + 1)
  }, [isTaken, pathName])
  return { name, pathName, problem: problemOf(pathName, isTaken), setName, setPathName }
}

function problemOf(pathName: string, isTaken: boolean): string | undefined {
  if (pathName === '') return undefined
  if (!isPathName(pathName)) return 'Only letters, digits, hyphens and underscores, at most 200.'
  return isTaken ? pathNameTaken : undefined
}

function useTaken(pathName: string | null): boolean {
  const { data, isOld } = useResource(pathName && `lists taken ${pathName}`, (signal) =>
    client.lists.all({ where: { pathName: pathName ?? '' }, limit: 1, signal }).page(1),
  )
  return pathName !== null && !isOld && data !== undefined && data.total > 0
}

type NameFieldsProps = { names: Names; rejected: Rejected; disabled: boolean }

export function NameFields({ names, rejected, disabled }: NameFieldsProps) {
  const { name, pathName, problem, setName, setPathName } = names
  const reported = problem ?? (rejected.pathName && sentence(rejected.pathName))
  return (
    <>
      <TextField
        label="Name"
        value={name}
        onValue={setName}
        problem={rejected.name && sentence(rejected.name)}
        autocomplete="off"
        disabled={disabled}
      />
      <TextField
        label="Path name"
        value={pathName}
        onValue={setPathName}
        problem={reported}
        help={pathName ? `Its address is ${hrefOf(`/lists/${pathName}`)}, in the API /lists/${pathName}.` : undefined}
        autocomplete="off"
        mono
        disabled={disabled}
      />
    </>
  )
}
