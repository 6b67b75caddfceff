import { useResource } from '../../api/resource.ts'
import { Problem, Skeleton } from '../../parts/problems/problem.tsx'
import type { FlowDrawingProps } from './flow-drawing.tsx'
import type { RunDrawingProps } from './run-drawing.tsx'

/** The drawing of an edited flow. Its script is loaded when the first drawing opens. */
export function Drawing(props: FlowDrawingProps) {
  const script = useDrawingScript()
  if (script.error) return <Problem error={script.error} onRetry={script.reload} />
  return script.data ? <script.data.FlowDrawing {...props} /> : <Skeleton />
}

/** The drawing of a run. */
export function DrawnRun(props: RunDrawingProps) {
  const script = useDrawingScript()
  if (script.error) return <Problem error={script.error} onRetry={script.reload} />
  return script.data ? <script.data.RunDrawing {...props} /> : <Skeleton />
}

function useDrawingScript() {
  return useResource('script of the drawing', async () => (await import('./drawing-script.ts')).drawingScript)
}
