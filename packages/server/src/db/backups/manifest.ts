/** The manifest of a backup: its description, and the checksum of every file in it (checklist §11). */
import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import * as z from 'zod'

/** A backup that cannot be made or used; the message is one sentence for the terminal. */
export class BackupError extends Error {
  override name = 'BackupError'
}

export const manifestName = 'manifest.json'
export const uploadsName = 'uploads'

/** Names of the database's file, by kind: a packed folder of PGlite, or the output of `pg_dump`. */
export const archiveNames = { embedded: 'database.tar.gz', server: 'database.dump' } as const

const schema = z.strictObject({
  format: z.literal(1),
  program: z.string(),
  createdAt: z.iso.datetime(),
  kind: z.enum(['embedded', 'server']),
  /** Last migration of the database, `NNNN-name`. */
  schema: z.string(),
  /** Object store with the uploaded files, when the backup does not contain them. */
  filesIn: z.strictObject({ endpoint: z.string(), bucket: z.string() }).optional(),
  /** SHA-256 of each file by its path below the backup's folder. */
  files: z.record(z.string().regex(/^(database\.(tar\.gz|dump)|uploads(\/[\w-][\w.-]*)+)$/), z.hash('sha256')),
})

export type Manifest = z.output<typeof schema>

/** Returns the version of this program. */
export function programVersion(): string {
  const text = readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version
}

async function checksumOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

/** Paths of the files below a folder, with `/` between, without the manifest itself. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => !entry.isDirectory())
  return files
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .filter((path) => path !== manifestName)
    .sort()
}

/** Returns the checksum of every file of a backup. */
export async function checksumsOf(folder: string): Promise<Record<string, string>> {
  const sums: Record<string, string> = {}
  for (const path of await filesBelow(folder)) sums[path] = await checksumOf(join(folder, path))
  return sums
}

/**
 * Reads and checks a whole backup.
 *
 * @throws A BackupError when a file is missing, altered or not in the manifest.
 */
export async function readVerifiedManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestName), 'utf8').catch(() => {
    throw new BackupError(`There is no backup in ${folder}: it has no ${manifestName}.`)
  })
  const manifest = parseManifest(text)
  if (manifest === undefined) throw new BackupError(`The ${manifestName} of ${folder} cannot be read.`)
  const foundChecksums = await checksumsOf(folder)
  for (const path of new Set([
    ...Object.keys(manifest.files),
    archiveNames[manifest.kind],
    ...Object.keys(foundChecksums),
  ])) {
    if (foundChecksums[path] === undefined) throw new BackupError(`The backup is not complete: ${path} is missing.`)
    if (manifest.files[path] !== foundChecksums[path])
      throw new BackupError(`The backup was altered: ${path} is not what was backed up.`)
  }
  return manifest
}

function parseManifest(text: string): Manifest | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
