/**
 * `npm run memory-precision`: how good the first suggestion of the translation memory is. A tenth of the translations
 * of the demo is held back; the memory of the other nine tenths is asked for each of them, and its first suggestion is
 * compared with the translation that was held back.
 *
 * `--seed` draws another tenth.
 */
import { rmSync } from 'node:fs'
import { type Caller, type Locale, memoryLimits, shareOf } from '@dala/model'
import { engineParts } from '../../packages/server/src/behaviours/index.ts'
import { calendarOf } from '../../packages/server/src/db/calendar.ts'
import type { Database } from '../../packages/server/src/db/database.ts'
import { migrateDatabase } from '../../packages/server/src/db/migrate.ts'
import { openData } from '../../packages/server/src/db/open-data.ts'
import { sql } from '../../packages/server/src/db/sql.ts'
import { ChangedTexts } from '../../packages/server/src/features/memory/changed-texts.ts'
import { removeSegments } from '../../packages/server/src/features/memory/segment-rows.ts'
import { suggestTranslations } from '../../packages/server/src/features/memory/suggest.ts'
import { openUploads } from '../../packages/server/src/features/uploads/open-uploads.ts'
import { seed, seedSettings } from '../../packages/server/src/seed/index.ts'
import { seedLater } from '../../packages/server/src/seed/later.ts'
import { readSettings } from '../../packages/server/src/settings.ts'
import { RandomDraws } from '../lib/draws.ts'
import { median, option } from '../lib/filled-database.ts'
import { ownerEmail, temporaryFolder, trialPassword } from '../lib/server-process.ts'

const pairs: readonly (readonly [Locale, Locale])[] = [
  ['ru', 'kaa'],
  ['ru', 'uz'],
  ['uz', 'kaa'],
  ['en', 'ru'],
]
const bands = [
  { name: '100', from: 100 },
  { name: '99', from: 99 },
  { name: '90 to 98', from: 90 },
  { name: '75 to 89', from: 75 },
  { name: '60 to 74', from: memoryLimits.leastShare },
]
/** Similarity of a suggestion to the held-back translation from which it needs few changes, in percent. */
const usable = 75
const owner: Caller = { id: 1, role: 'owner', isConsultant: false, language: 'ru', sessionId: 'proof' }

interface HeldBack {
  resource: string
  document_id: number
  source: string
  target: string
}

/** Reads the pairs of the records that are held back. */
const readPairs = (database: Database, [source, target]: readonly [Locale, Locale], records: ReadonlySet<string>) =>
  database
    .query(sql<HeldBack>`
      select s.resource, s.document_id, s.text as source, t.text as target from memory_segments s
        join memory_segments t on t.resource = s.resource and t.document_id = s.document_id and t.field = s.field
         and t.block = s.block and t.place = s.place and t.blocks = s.blocks and t.places = s.places and t.locale = ${target}
       where s.locale = ${source} order by s.resource, s.document_id, s.field, s.block, s.place`)
    .then((rows) => rows.filter((row) => records.has(`${row.resource} ${row.document_id}`)))

const dataDir = temporaryFolder('memory-precision')
const settings = readSettings({
  DATA_DIR: dataDir,
  SEED: 'demo',
  SEED_DATE: '2026-11-25',
  OWNER_EMAIL: ownerEmail,
  OWNER_PASSWORD: trialPassword,
})
const stopWithError = (error: unknown) => {
  throw error
}
const { database, close } = await openData(settings, { calendar: calendarOf(settings), parts: engineParts })
try {
  await database.withoutTimeLimit(async () => {
    await migrateDatabase(database)
    await seed(database, seedSettings(settings))
    await seedLater(database, seedSettings(settings), {
      store: { uploads: openUploads(database, settings, stopWithError) },
      signal: new AbortController().signal,
    })
    await new ChangedTexts(database).readAll()
  })
  const records = await database.query(sql<{ resource: string; document_id: number }>`
    select distinct resource, document_id from memory_segments order by resource, document_id`)
  const draws = new RandomDraws(Number(option('--seed') ?? 1), 0)
  const heldBack = records.filter(() => draws.chance(0.1))
  const names = new Set(heldBack.map((record) => `${record.resource} ${record.document_id}`))
  const questions = await Promise.all(pairs.map((pair) => readPairs(database, pair, names)))
  await database.transaction((trx) => removeSegments(trx, heldBack))
  const [left] = await database.query(sql<{ count: number }>`select count(*)::int as count from memory_segments`)
  console.log(
    `${heldBack.length} of ${records.length} records held back; the memory has ${left?.count} segments in four languages`,
  )
  for (const [index, [source, target]] of pairs.entries()) {
    const asked = questions[index] ?? []
    const found: { share: number; likeness: number }[] = []
    for (const question of asked) {
      if (question.source.length > memoryLimits.textLength) continue
      const [first] = await suggestTranslations(database, owner, {
        source,
        target,
        text: question.source,
        locale: 'ru',
      })
      if (first) found.push({ share: first.share, likeness: shareOf(first.target, question.target, 0) })
    }
    console.log(`${source} → ${target}: ${asked.length} segments, ${found.length} with a suggestion`)
    for (const [band, { name, from }] of bands.entries()) {
      const until = bands[band - 1]?.from ?? Number.POSITIVE_INFINITY
      const inBand = found.filter(({ share }) => share >= from && share < until)
      if (inBand.length === 0) continue
      const same = inBand.filter(({ likeness }) => likeness >= 99).length
      const near = inBand.filter(({ likeness }) => likeness >= usable).length
      console.log(
        `   share ${name}: ${inBand.length}, the same translation ${same}, at least ${usable} % of it ${near}, ` +
          `median likeness ${median(inBand.map(({ likeness }) => likeness))} %`,
      )
    }
  }
} finally {
  await close()
  rmSync(dataDir, { recursive: true, force: true })
}
