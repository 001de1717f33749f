// This module is loaded first (`npm start`): it starts the process once more with settings of glibc's
// allocator, which reads them from the environment only. Without them the compiler of the embedded database
// leaves about 40 MiB of free memory in the heaps of its threads. The process keeps its id; other systems and
// a PostgreSQL server have no use for it.
import { isMainThread } from 'node:worker_threads'

const settings = {
  // Number of memory heaps that all threads share.
  MALLOC_ARENA_MAX: '2',
  // Limits of the allocator are fixed: otherwise they rise with every large buffer, up to 64 MiB that each
  // heap keeps.
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '131072',
}
const isEmbedded = (process.env.DATABASE_URL ?? '') === ''
const isUnset = Object.keys(settings).every((name) => process.env[name] === undefined)

if (process.platform === 'linux' && isMainThread && isEmbedded && isUnset) {
  process.execve?.(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], {
    ...process.env,
    ...settings,
  })
}
