import { arrayOf, oneOf, text } from '#services/gateway/schemas/response-schemas.ts'
import { patchOperationNames, readPatch } from '#shared/domain/item/patch-operations.ts'
import { lengths, maxPatchOperations } from '#shared/domain/limits.ts'
import { validationFailed } from '#shared/errors.ts'
import type { PatchOperation } from '#shared/json/edit/patch.ts'

/**
 * Reads the body of a patch as `readPatch` does.
 * @throws VALIDATION_FAILED with all errors
 */
export function parsePatch(body: unknown, text: string): PatchOperation[] {
  const read = readPatch(body, text)
  if ('errors' in read) throw validationFailed(read.errors)
  return read.operations
}

const pointer = { ...text, format: 'json-pointer', maxLength: lengths.pointer }

/** The input of `parsePatch`, for the API's description. */
export const patchSchema = {
  title: 'JsonPatch',
  description: 'The operations of a JSON Patch (RFC 6902), in their order.',
  ...arrayOf({
    type: 'object',
    properties: {
      op: { ...oneOf(patchOperationNames), description: 'The kind of operation.' },
      path: {
        ...pointer,
        description: 'The place that the operation changes or tests, from the value that is patched.',
      },
      from: { ...pointer, description: 'For `move` and `copy`: the place of the value that is moved or copied.' },
      value: { description: 'For `add`, `replace` and `test`: any JSON value.' },
    },
    required: ['op', 'path'],
  }),
  maxItems: maxPatchOperations,
}
