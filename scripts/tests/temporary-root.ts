/**
 * Folder that holds the temporary files of `npm test`: in memory where there is room. A data folder of the embedded
 * database has more than two thousand files; making them on a disk took up to eight times the processor time.
 */
import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const gibibyte = 1024 ** 3
/** Bytes that must be free in a folder in memory, and in the memory of the machine. */
export const neededRoom = { folder: 4 * gibibyte, memory: 8 * gibibyte }

/** Conditions of the choice. */
interface Place {
  /** Path of the folder in memory. */
  memoryFolder: string
  /** Returns the free bytes of a folder; throws without the folder. */
  freeBytesOf: (folder: string) => number
  /** Bytes of memory that are free. */
  availableMemory: number
  /** Environment; a folder that it names is kept. */
  env: NodeJS.ProcessEnv
}

function readFreeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/**
 * Returns the folder in which `npm test` makes that of its temporary files.
 *
 * @param place - The folder in memory and its conditions; those of this machine when absent.
 * @returns The folder in memory, or the usual one where the environment names one or memory is short.
 */
export function temporaryRoot({
  memoryFolder = '/dev/shm',
  freeBytesOf = readFreeBytes,
  availableMemory = process.availableMemory(),
  env = process.env,
}: Partial<Place> = {}): string {
  if (env['TMPDIR'] !== undefined || availableMemory < neededRoom.memory) return tmpdir()
  try {
    return freeBytesOf(memoryFolder) < neededRoom.folder ? tmpdir() : memoryFolder
  } catch {
    return tmpdir()
  }
}
