/** Reads sheets in threads, one after the other, with limits on time and memory. */
import { Worker } from 'node:worker_threads'
import { fault } from '@dala/model'
import { createLimiter } from '../../../resources/limiter.ts'
import { type SheetDetails, sheetLimits, type SheetRow } from './cells.ts'
import type { SheetMessage, SheetRequest } from './worker.ts'

/** Limits of the thread that reads sheets: milliseconds without an answer, and size of its heap. */
const limits = { milliseconds: 60_000, heapMegabytes: 512 } as const
/** Reads one sheet at a time, because each is in memory completely. */
const limitReads = createLimiter({ maxRunning: 1, maxWaiting: 50 })

export interface SheetVisitor {
  details: (details: SheetDetails) => void | Promise<void>
  rows: (rows: readonly SheetRow[]) => Promise<void>
  signal: AbortSignal
}

/**
 * Reads a sheet row by row; the thread continues when a batch has been received.
 *
 * @param sheetRequest - The file, and the requested sheet.
 * @param visitor - Receives the rows.
 * @throws 422 of the catalogue for a sheet that cannot be read, contains too much, or takes too long.
 */
export function readSheet(sheetRequest: SheetRequest, visitor: SheetVisitor): Promise<void> {
  return limitReads(() => readInThread(sheetRequest, visitor))
}

async function readInThread(sheetRequest: SheetRequest, { details, rows, signal }: SheetVisitor): Promise<void> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: sheetRequest,
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMegabytes },
  })
  const inbox: SheetMessage[] = []
  let wakeSheetReader: () => void = () => {}
  let failure: Error | undefined
  const failReading = (error: Error) => {
    failure ??= error
    wakeSheetReader()
  }
  worker.on('message', (message: SheetMessage) => {
    inbox.push(message)
    wakeSheetReader()
  })
  worker.on('error', (error: unknown) => {
    const isFull = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    failReading(isFull ? fault('import.size') : fault('import.broken'))
  })
  worker.on('exit', () => failReading(fault('import.broken')))
  const handleAbort = () => failReading(new Error('The reading was broken off'))
  signal.addEventListener('abort', handleAbort, { once: true })
  const nextMessage = async (): Promise<SheetMessage> => {
    const timer = setTimeout(() => failReading(fault('import.slow')), limits.milliseconds)
    try {
      for (;;) {
        const message = inbox.shift()
        if (message) return message
        if (failure) throw failure
        await new Promise<void>((resolve) => {
          wakeSheetReader = resolve
        })
      }
    } finally {
      clearTimeout(timer)
    }
  }
  try {
    if (signal.aborted) handleAbort()
    for (;;) {
      const message = await nextMessage()
      if (message.kind === 'end') return
      if (message.kind === 'refused') throw fault(message.code, { params: { max: sheetLimits.rows } })
      if (message.kind === 'details') await details(message.details)
      else await rows(message.rows)
      worker.postMessage('next')
    }
  } finally {
    signal.removeEventListener('abort', handleAbort)
    await worker.terminate()
  }
}
