import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import type { Manifest } from '../../services/dashboard/build.ts'
import { atMost } from '../support/assertions/bounds.ts'

const folder = join(import.meta.dirname, '../../dist/dashboard')
const { files, firstPaint }: Manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))

/** The size of some files in bytes, compressed with gzip as they are sent. */
function sizeOf(paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + (files[path]?.gzipBytes ?? Number.NaN), 0)
}

test('the first paint needs at most 75,000 bytes', (t) => {
  atMost(t, sizeOf(firstPaint), 75_000, 'the first paint')
})

/** The script that checks flows, which is loaded with the first flow that is edited. */
const flowLanguage = Object.keys(files).filter((path) => path.startsWith('assets/flow-language-'))

test('the check of flows is a separate file, of at most 20,000 bytes', (t) => {
  t.is(flowLanguage.length, 1)
  t.false(firstPaint.some((path) => flowLanguage.includes(path)))
  atMost(t, sizeOf(flowLanguage), 20_000, 'what checks flows')
})

/** The script that draws flows, which is loaded with the first drawing. */
const drawing = Object.keys(files).filter((path) => path.startsWith('assets/drawing-script-'))

test('the drawing of flows is a separate file, of at most 30,000 bytes', (t) => {
  t.is(drawing.length, 1)
  t.false(firstPaint.some((path) => drawing.includes(path)))
  atMost(t, sizeOf(drawing), 30_000, 'what draws flows')
})

test('each file that is loaded later has at most 130,000 bytes', (t) => {
  for (const path of Object.keys(files)) if (!firstPaint.includes(path)) atMost(t, sizeOf([path]), 130_000, path)
})
