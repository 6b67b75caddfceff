import { FlowDrawing } from './flow-drawing.tsx'
import { RunDrawing } from './run-drawing.tsx'

/** A script of its own, which comes with the first drawing. */
export const drawingScript = { FlowDrawing, RunDrawing }
