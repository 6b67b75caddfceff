import { FlowDrawing } from './flow-drawing.tsx'
import { RunDrawing } from './run-drawing.tsx'

/** A separate script that is loaded with the first drawing. */
export const drawingScript = { FlowDrawing, RunDrawing }
