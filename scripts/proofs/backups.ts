/**
 * Proof that scheduled backups can be restored: each one is restored and compared with the data of its moment, in
 * a folder and in a bucket, as it is and encrypted; then one is damaged, and the schedule finds it.
 * `node scripts/proofs/backups.ts --count 10 --on embedded`
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { engineParts } from '../../packages/server/src/behaviours/index.ts'
import { restoreBackup } from '../../packages/server/src/db/backups/restore.ts'
import { backupKeyOf } from '../../packages/server/src/db/backups/sealed-file.ts'
import { calendarOf } from '../../packages/server/src/db/calendar.ts'
import type { Database } from '../../packages/server/src/db/database.ts'
import { migrateDatabase } from '../../packages/server/src/db/migrate.ts'
import { openData } from '../../packages/server/src/db/open-data.ts'
import { listBackups } from '../../packages/server/src/features/backups/backup-rows.ts'
import { BackupRunner } from '../../packages/server/src/features/backups/backup-runner.ts'
import { fetchBackup } from '../../packages/server/src/features/backups/fetch-backup.ts'
import { readSettings } from '../../packages/server/src/settings.ts'
import { contentOf } from '../../packages/server/src/testing/content.ts'
import { addTags } from '../../packages/server/src/testing/data-folders.ts'
import { createTestDatabase } from '../../packages/server/src/testing/databases.ts'
import { startObjectStore } from '../../packages/server/src/testing/object-store.ts'
import { findBinaries, startCluster } from '../../packages/server/src/testing/postgres-cluster.ts'
import { temporaryFolder } from '../lib/server-process.ts'
import { type CountTally, failedTally, passedTally, skippedTally } from '../lib/step.ts'
import { type DatabasePlace, optionOf, runOnNamedPlaces } from './on-place.ts'

const key = '0f1e2d3c4b5a69788796a5b4c3d2e1f0'.repeat(2)
/** The first backup; the next ones follow at the same time of each day. */
const firstTime = Date.UTC(2026, 2, 1, 22)
const day = 86_400_000
const tagsOfDay = 20

/** The data of the moment of a backup. */
interface Moment {
  name: string
  content: string
  uploads: Record<string, string>
}

const uploadsIn = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))

const isSame = (one: Moment['uploads'], other: Moment['uploads']) =>
  Object.entries(one).every(([name, text]) => other[name] === text)

/** Replaces a byte in the middle of a file. */
function damage(file: string): void {
  const bytes = readFileSync(file)
  const middle = Math.floor(bytes.length / 2)
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle)
  writeFileSync(file, bytes)
}

interface ProofWorld {
  database: Database
  databaseUrl: string | undefined
  dataDir: string
  count: number
}

/** Takes backups day after day at both places. Returns the data of their moments. */
async function takeBackups({ database, dataDir, count }: ProofWorld, environment: Record<string, string>) {
  let now = new Date(firstTime - day / 2)
  const errors: string[] = []
  const runner = new BackupRunner({
    database,
    settings: readSettings(environment),
    clock: () => now,
    log: { info: () => {}, error: (details: unknown) => void errors.push(JSON.stringify(details)) },
  })
  const moments: Moment[] = []
  const takeNext = async () => {
    now = new Date(firstTime + moments.length * day)
    await runner.runSchedule()
    const [newest] = await listBackups(database)
    return newest
  }
  for (let number = 0; number < count; number += 1) {
    await addTags(database, tagsOfDay)
    writeFileSync(join(dataDir, 'uploads', `file-${number}.txt`), `file ${number} of the proof`)
    const content = await contentOf(database)
    const newest = await takeNext()
    if (newest?.proof !== 'proved') throw new Error(`The backup ${number} was not proved: ${JSON.stringify(newest)}`)
    moments.push({ name: newest.name, content, uploads: uploadsIn(join(dataDir, 'uploads')) })
  }
  return { moments, takeNext, errors }
}

/** Restores a backup into a new place. Returns whether its data are those of its moment. */
async function isRestored(
  path: string,
  { content, uploads }: Moment,
  databaseUrl: string | undefined,
): Promise<boolean> {
  const dataDir = temporaryFolder('restored')
  const target = { dataDir, databaseUrl: databaseUrl && (await createTestDatabase(databaseUrl, 'restored')) }
  try {
    await restoreBackup(path, target, { mayOverwrite: false, key: backupKeyOf(Buffer.from(key, 'hex')) })
    const data = await openData(target)
    try {
      return (await contentOf(data.database)) === content && isSame(uploads, uploadsIn(join(dataDir, 'uploads')))
    } finally {
      await data.close()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function proveWorld(world: ProofWorld): Promise<boolean> {
  const { dataDir, databaseUrl, count } = world
  const started = performance.now()
  const store = await startObjectStore()
  const folder = join(dataDir, 'copies')
  mkdirSync(join(dataDir, 'uploads'))
  const environment = {
    DATA_DIR: dataDir,
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    BACKUP_AT: '03:00',
    BACKUP_KEEP: '366d',
    BACKUP_FOLDER: folder,
    BACKUP_S3_BUCKET: store.settings.bucket,
    BACKUP_S3_ENDPOINT: store.settings.endpoint,
    BACKUP_S3_REGION: store.settings.region,
    BACKUP_S3_ACCESS_KEY_ID: store.settings.accessKeyId,
    BACKUP_S3_SECRET_ACCESS_KEY: store.settings.secretAccessKey,
    BACKUP_KEY: key,
  }
  try {
    const { moments, takeNext, errors } = await takeBackups(world, environment)
    const { bucket } = readSettings(environment).backups
    let equalCount = 0
    for (const moment of moments) {
      const fetched = join(dataDir, 'fetched')
      await fetchBackup(bucket, moment.name, fetched)
      for (const path of [join(folder, moment.name), fetched])
        equalCount += (await isRestored(path, moment, databaseUrl)) ? 1 : 0
      rmSync(fetched, { recursive: true })
    }
    const [first] = moments
    if (!first || errors.length > 0) throw new Error(errors.join('\n') || 'No backup was taken')
    const archive = join(folder, first.name, databaseUrl === undefined ? 'database.tar.gz' : 'database.dump')
    if (!existsSync(archive)) throw new Error(`There is no ${archive}`)
    damage(archive)
    // One more backup each day, until the schedule has proved the damaged one again.
    let days = 0
    let failure: string | null = null
    while (failure === null && days < count + 2) {
      days += 1
      moments.push({ ...first, name: (await takeNext())?.name ?? '' })
      failure = (await listBackups(world.database)).find(({ name }) => name === first.name)?.proof_failure ?? null
    }
    console.log(
      `   ${equalCount} of ${2 * count} restored backups equal (${count} in a folder, ${count} in a bucket, encrypted); the damaged one found after ${days} days: ${failure}; ${((performance.now() - started) / 1_000).toFixed(1)} s`,
    )
    return equalCount === 2 * count && failure !== null && errors.length > 0
  } finally {
    await store.close()
  }
}

/**
 * Runs the proof on one database, and prints figures.
 *
 * @param count - The number of backups.
 * @param place - The database.
 * @returns One step passed or failed; skipped without PostgreSQL.
 */
export async function scheduledBackups(count: number, place: DatabasePlace): Promise<CountTally> {
  if (place === 'server' && findBinaries() === undefined) {
    console.log('   PostgreSQL is not installed.')
    return skippedTally
  }
  const cluster = place === 'server' ? await startCluster() : undefined
  const dataDir = temporaryFolder('backups')
  try {
    const databaseUrl = cluster && (await createTestDatabase(cluster.url, 'source'))
    const data = await openData({ dataDir, databaseUrl }, { calendar: calendarOf(), parts: engineParts })
    try {
      await migrateDatabase(data.database)
      return (await proveWorld({ database: data.database, databaseUrl, dataDir, count })) ? passedTally : failedTally
    } finally {
      await data.close()
    }
  } finally {
    await cluster?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const count = Number(optionOf('--count') ?? 10)
  await runOnNamedPlaces((place) => scheduledBackups(count, place))
}
