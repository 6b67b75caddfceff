import { useEffect, useState } from 'preact/hooks'
import type { List } from '#client/src/types/resources.ts'
import { columnErrors } from '#shared/domain/item-transfer/columns.ts'
import { examine } from '#shared/domain/item-transfer/import-rows.ts'
import type { RejectedRow } from '#shared/domain/item-transfer/rejection.ts'
import type { FileFormat, Row } from '#shared/domain/item-transfer/rows.ts'
import { client } from '../../api/client.ts'
import { detectFormat, type Reading, readSample, type Sample, sampleRows } from './import-file.ts'
import { createSender } from './import-run.ts'

export type SampledFile = {
  reading: Reading | null
  sample: Sample | null
  /** Why the file cannot be read. */
  error: unknown
  setFormat: (format: FileFormat) => void
  setReading: (reading: Reading) => void
}

/** The beginning of the chosen file, and how it is read: first as proposed, then as changed by the user. */
export function useSample(name: string, list: List, file: File): SampledFile {
  const [format, setFormat] = useState<FileFormat | null>(null)
  const [found, setFound] = useState<{ reading: Reading; sample: Sample } | null>(null)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    let isCurrent = true
    setError(null)
    const read = async () => {
      const chosen = format ?? (await detectFormat(file))
      const indexes = chosen === 'csv' ? await client.list(name).indexes.all().toArray(100) : []
      return readSample(file, chosen, { schema: list.schema, indexes })
    }
    read().then(
      (sampled) => isCurrent && setFound(sampled),
      (failure) => {
        if (!isCurrent) return
        setFound(null)
        setError(failure)
      },
    )
    return () => {
      isCurrent = false
    }
  }, [file, format])
  return {
    reading: found?.reading ?? null,
    sample: found?.sample ?? null,
    error,
    setFormat,
    setReading: (reading) => setFound((now) => now && { ...now, reading }),
  }
}

/** The result for the rows of a sample; `rejected` null: the server has not responded yet. */
export type Examined = { rows: readonly Row[]; rejected: readonly RejectedRow[] | null; error: unknown }

/** The delay after the last change before the server is called, in milliseconds. */
const restMs = 400

/** Reads a sample as it would be imported, and finds by a dry run which rows the server would reject. */
export function useExamined(name: string, sample: Sample, reading: Reading): Examined | null {
  const [examined, setExamined] = useState<Examined | null>(null)
  useEffect(() => {
    const ending = new AbortController()
    const isOver = () => ending.signal.aborted
    const steps = {
      send: createSender(name, ending.signal),
      pause: (seconds: number) => new Promise<void>((resolve) => setTimeout(resolve, seconds * 1000)),
    }
    const ask = async () => {
      if (columnErrors(reading.columns).length > 0) return setExamined(null)
      const rows = await sampleRows(sample, reading)
      if (!isOver()) setExamined({ rows, rejected: null, error: null })
      await new Promise((resolve) => setTimeout(resolve, restMs))
      if (isOver()) return
      const rejected = await examine(rows, steps).catch((error: unknown) => {
        if (!isOver()) setExamined({ rows, rejected: null, error })
        return null
      })
      if (rejected && !isOver()) setExamined({ rows, rejected, error: null })
    }
    void ask()
    return () => ending.abort()
  }, [sample, reading])
  return examined
}
