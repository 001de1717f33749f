/** The archive of a release: the same files give the same bytes. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { run } from '../lib/processes.ts'

/** Milliseconds for a packing program. */
const packLimit = 600_000

/**
 * Runs a program that packs files.
 *
 * @throws With its output when it fails.
 */
export async function pack(program: string, args: readonly string[], commitTime: number): Promise<void> {
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(commitTime) }
  const { code, output } = await run(program, args, { env, timeout: packLimit })
  if (code !== 0) throw new Error(`${program} failed:\n${output}`)
}

/**
 * Packs a folder with GNU tar, in the order of names and without owner.
 *
 * @param archive - The file to write.
 * @param parent - The folder that contains the packed one.
 * @param name - The packed folder.
 * @param commitTime - The time of every file, in seconds.
 */
export async function packArchive(archive: string, parent: string, name: string, commitTime: number): Promise<void> {
  const order = ['--sort=name', '--format=gnu', `--mtime=@${commitTime}`]
  const owner = ['--owner=0', '--group=0', '--numeric-owner']
  await pack(
    'tar',
    [...order, ...owner, '--use-compress-program=gzip -9n', '-cf', archive, '-C', parent, name],
    commitTime,
  )
}

/** Computes the SHA-256 of a file. */
export async function checksumOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
