/** A disk that becomes slow: a library that delays the writes of programs as long as a file exists. */
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../lib/processes.ts'

/** Milliseconds that a disk under great strain takes to store a write for good, and to accept one. */
const [syncMs, writeMs] = [1_000, 50]

/** Functions of the system that wait for the disk: their type, parameters, arguments and delay. */
const delayedFunctions = [
  ['int', 'fsync', 'int fd', 'fd', syncMs],
  ['int', 'fdatasync', 'int fd', 'fd', syncMs],
  ['ssize_t', 'pwrite', 'int fd, const void *from, size_t size, off_t place', 'fd, from, size, place', writeMs],
  ['ssize_t', 'pwrite64', 'int fd, const void *from, size_t size, off_t place', 'fd, from, size, place', writeMs],
  ['ssize_t', 'pwritev', 'int fd, const void *from, int count, off_t place', 'fd, from, count, place', writeMs],
  ['ssize_t', 'pwritev64', 'int fd, const void *from, int count, off_t place', 'fd, from, count, place', writeMs],
] as const

const source = (flagFile: string) => `#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/types.h>
#include <unistd.h>
static void delay(int milliseconds) { if (access(${JSON.stringify(flagFile)}, F_OK) == 0) usleep(milliseconds * 1000); }
${delayedFunctions
  .map(
    ([type, name, parameters, passed, milliseconds]) => `${type} ${name}(${parameters}) {
  static ${type} (*original)(${parameters.replaceAll(/\b(fd|from|size|place|count)\b/g, '')});
  if (!original) *(void **)&original = dlsym(RTLD_NEXT, "${name}");
  delay(${milliseconds});
  return original(${passed});
}`,
  )
  .join('\n')}
`

/**
 * Builds the library for a folder.
 *
 * @param folder - Folder of the library, which programs of other users read too.
 * @returns The library, and the file that makes the disk slow; undefined without a C compiler.
 */
export async function buildSlowDisk(folder: string): Promise<{ library: string; flagFile: string } | undefined> {
  const [library, flagFile, sourceFile] = ['slow-disk.so', 'slow', 'slow-disk.c'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  writeFileSync(sourceFile, source(flagFile))
  const { code } = await run('gcc', ['-shared', '-fPIC', '-O1', '-o', library, sourceFile, '-ldl'])
  if (code !== 0) return undefined
  chmodSync(folder, 0o755)
  return { library, flagFile }
}
