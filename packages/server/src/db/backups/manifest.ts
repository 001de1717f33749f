/** The manifest of a backup: its description, and the checksum of every file in it (checklist §11). */
import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import * as z from 'zod'
import { BackupError } from './backup-error.ts'
import { authenticate, type BackupKey, isSameCode } from './sealed-file.ts'

export const manifestName = 'manifest.json'
export const uploadsName = 'uploads'

/** Names of the database's file, by kind: a packed folder of PGlite, or the output of `pg_dump`. */
export const archiveNames = { embedded: 'database.tar.gz', server: 'database.dump' } as const

const schema = z.strictObject({
  /** Format 1 has neither rows nor an encryption. */
  format: z.literal([1, 2]),
  program: z.string(),
  createdAt: z.iso.datetime(),
  /** Occasion of a backup that the server took itself. */
  occasion: z.string().optional(),
  kind: z.enum(['embedded', 'server']),
  /** Last migration of the database, `NNNN-name`. */
  schema: z.string(),
  /** Object store with the uploaded files, when the backup does not contain them. */
  filesIn: z.strictObject({ endpoint: z.string(), bucket: z.string() }).optional(),
  /** Number of rows of each table, in the same moment as the copy of the database. */
  rows: z.record(z.string(), z.int().nonnegative()).optional(),
  /** The key of the encrypted files by its number, and the code of this manifest, by the same key. */
  encryption: z.strictObject({ keyId: z.string(), code: z.hash('sha256') }).optional(),
  /** SHA-256 of each file as it is stored, by its path below the backup's folder. */
  files: z.record(z.string().regex(/^(database\.(tar\.gz|dump)|uploads(\/[\w-][\w.-]*)+)$/), z.hash('sha256')),
})

export type Manifest = z.output<typeof schema>

/** Returns the version of this program. */
export function programVersion(): string {
  const text = readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version
}

/** Returns the SHA-256 of a file. */
export async function checksumOf(file: string): Promise<string> {
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

/** The text that the code of a manifest covers: the manifest without its encryption. */
const codedText = ({ encryption: _encryption, ...coded }: Manifest) => JSON.stringify(coded)

/**
 * Writes a manifest as text.
 *
 * @param manifest - The manifest without the code of its encryption.
 * @param key - The key of the backup's files, when they are encrypted.
 * @returns The text of the file.
 */
export function manifestText(manifest: Manifest, key?: BackupKey): string {
  // Keys are in the order of the schema, as a reader of the text sees them.
  const ordered = schema.parse(manifest)
  const coded = key && { ...ordered, encryption: { keyId: key.id, code: authenticate(key, codedText(ordered)) } }
  return `${JSON.stringify(coded ?? ordered, undefined, 2)}\n`
}

/**
 * Reads the text of a manifest.
 *
 * @param text - The text.
 * @returns The manifest; undefined for another text.
 */
export function parseManifest(text: string): Manifest | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/**
 * Checks that a key is that of a backup, and that the manifest was written with it.
 *
 * @returns The key; undefined for a backup without encryption.
 * @throws BackupError for a missing or another key, and for an altered manifest.
 */
export function keyOf(manifest: Manifest, key: BackupKey | undefined): BackupKey | undefined {
  const { encryption } = manifest
  if (encryption === undefined) return undefined
  if (key === undefined) throw new BackupError('The backup is encrypted: set BACKUP_KEY to its key.')
  if (key.id !== encryption.keyId)
    throw new BackupError('The backup is encrypted with another key than that of BACKUP_KEY.')
  if (!isSameCode(authenticate(key, codedText(manifest)), encryption.code))
    throw new BackupError(`The backup was altered: its ${manifestName} is not what was written.`)
  return key
}

/** Reads the manifest in a folder. Throws a BackupError when there is none, or one that cannot be read. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestName), 'utf8').catch(() => {
    throw new BackupError(`There is no backup in ${folder}: it has no ${manifestName}.`)
  })
  const manifest = parseManifest(text)
  if (manifest === undefined) throw new BackupError(`The ${manifestName} of ${folder} cannot be read.`)
  return manifest
}

/**
 * Reads and checks a whole backup.
 *
 * @throws A BackupError when a file is missing, altered or not in the manifest.
 */
export async function readVerifiedManifest(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder)
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
