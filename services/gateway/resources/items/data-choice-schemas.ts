import type Joi from 'joi'
import { lengths } from '#shared/domain/limits.ts'
import { parsePointer } from '#shared/json/pointer.ts'
import { pointerTree } from '#shared/json/pointer-tree.ts'
import { maxPathLength, parseJsonPath } from '#shared/json-path/parse.ts'
import { PathError } from '#shared/json-path/path-error.ts'
import { joi, type SchemasOf } from '../../schemas/joi.ts'
import type { DataChoice } from './data-choice.ts'

const maxFields = 100
const maxFieldsLength = 10_000

/** The parameters that select the part of data that is shown. */
export const dataChoice: SchemasOf<DataChoice> = {
  fields: joi
    .string()
    .max(maxFieldsLength)
    .check(readFields, {
      description:
        `JSON Pointers, separated by commas, at most ${maxFields}: \`/title,/author/name\`. The data is reduced to the values at these pointers. ` +
        'In an array, null stands for each element before one that is kept.',
    })
    .messages({
      'fields.form': '{{#label}} must be JSON Pointers that begin with a slash, separated by commas',
      'fields.long': `{{#label}} must name pointers of at most ${lengths.pointer} characters`,
      'fields.many': `{{#label}} must name at most ${maxFields} pointers`,
    }),
  path: joi
    .string()
    .max(maxPathLength)
    .check(readPath, {
      description: 'A JSONPath (RFC 9535). The data is the array of the values that it finds; `[]` if it finds none.',
    })
    .messages({ 'path.base': '{{#label}} {{#why}}' }),
}

function readFields(text: string, { error }: Joi.CustomHelpers): unknown {
  if (text.length > maxFieldsLength) return text // which is an error already
  const pointers = text.split(',')
  if (pointers.some((pointer) => !parsePointer(pointer)?.length)) return error('fields.form')
  if (pointers.some(({ length }) => length > lengths.pointer)) return error('fields.long')
  return pointers.length > maxFields ? error('fields.many') : pointerTree(pointers)
}

function readPath(text: string, { error }: Joi.CustomHelpers): unknown {
  if (text.length > maxPathLength) return text // which is an error already
  try {
    return parseJsonPath(text)
  } catch (cause) {
    if (cause instanceof PathError) return error('path.base', { why: cause.message })
    throw cause
  }
}
