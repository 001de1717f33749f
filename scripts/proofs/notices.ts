/**
 * Proof that letters about notices are neither lost nor doubled: events are added twice by two writers at
 * once, the server is killed while it sends their letters, and each event has one letter after the restart.
 * `node scripts/proofs/notices.ts --events 1000`
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '../../packages/server/src/db/database.ts'
import { migrateDatabase } from '../../packages/server/src/db/migrate.ts'
import { sql } from '../../packages/server/src/db/sql.ts'
import { notifyUsers } from '../../packages/server/src/domain/delivery/notices.ts'
import { stop } from '../lib/processes.ts'
import { ownerEmail, startServer, temporaryFolder } from '../lib/server-process.ts'

const limit = 300_000

/** Adds the events to a stopped server's database, each by two writers. */
async function addEvents(dataDir: string, events: number): Promise<void> {
  const database = await openDatabase({ dataDir })
  try {
    await migrateDatabase(database)
    const [owner] = await database.query(sql<{ id: number }>`
      update users set language = 'en' where email = ${ownerEmail} returning id`)
    const add = (event: number) =>
      database.transaction((trx) =>
        notifyUsers(trx, {
          users: [owner?.id ?? 0],
          kind: 'consultation.overdue',
          params: { customer: `customer-${event}.` },
          address: null,
          key: `${event}`,
        }),
      )
    for (let event = 0; event < events; event += 1) await Promise.all([add(event), add(event)])
  } finally {
    await database.close()
  }
}

interface StoredNotices {
  notices: number
  sent: number
  repeatedCount: number
}

async function readStoredNotices(dataDir: string): Promise<StoredNotices | undefined> {
  const database = await openDatabase({ dataDir })
  try {
    const [stored] = await database.query(sql<StoredNotices>`
      select (select count(*)::int from notices where kind = 'consultation.overdue') as notices,
             (count(*) filter (where state = 'sent'))::int as sent, (count(*) filter (where reason = 'repeated'))::int as "repeatedCount"
        from notice_deliveries`)
    return stored
  } finally {
    await database.close()
  }
}

/** Waits until the folder of letters has a number of files. */
async function waitForLetters(folder: string, count: number): Promise<void> {
  const end = Date.now() + limit
  const listNoticeFiles = () =>
    existsSync(folder) ? readdirSync(folder).filter((name) => /^notices.*\.eml$/.test(name)) : []
  while (listNoticeFiles().length < count) {
    if (Date.now() > end) throw new Error(`Only ${listNoticeFiles().length} of ${count} letters were written.`)
    await pause(5)
  }
}

/**
 * Runs the proof of letters about notices and prints figures.
 *
 * @param events - Number of events.
 * @returns Whether every part of the promise held.
 */
export async function noticesProof(events: number): Promise<{ harmless: boolean }> {
  const dataDir = temporaryFolder('notices')
  const folder = join(dataDir, 'outbox')
  try {
    const first = await startServer({ dataDir, seed: 'none' })
    await first.close()
    await addEvents(dataDir, events)
    const startMoment = performance.now()
    const killedServer = await startServer({ dataDir, seed: 'none' })
    await waitForLetters(folder, Math.ceil(events / 2))
    await stop(killedServer.child, 'SIGKILL')
    const before = readdirSync(folder).filter((name) => name.endsWith('.eml')).length
    const second = await startServer({ dataDir, seed: 'none' })
    await waitForLetters(folder, events)
    await second.close()
    const elapsedSeconds = (performance.now() - startMoment) / 1_000

    const letters = readdirSync(folder)
      .filter((name) => name.endsWith('.eml'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
    const mentionedNames = letters.flatMap((text) => /customer-\d+/.exec(text.replaceAll(/=\r?\n/g, ''))?.[0] ?? [])
    const names = letters.flatMap((text) => /^Message-ID: (.*)$/im.exec(text)?.[1] ?? [])
    const stored = await readStoredNotices(dataDir)
    const checks = {
      'each event has one notice': stored?.notices === events,
      'it was killed in the middle': before < events,
      'each letter is marked as sent': stored?.sent === events,
      'no letter was lost': new Set(mentionedNames).size === events,
      'no letter was doubled': mentionedNames.length === events && letters.length === events,
      'each letter has a name of its own': new Set(names).size === events,
    }
    for (const [name, holds] of Object.entries(checks)) if (!holds) console.log(`   NOT SO: ${name}`)
    console.log(
      `   ${events} events of two writers each: killed after ${before} letters, ${letters.length} letters in the end, ` +
        `${stored?.repeatedCount} of them sent again under their name; ${elapsedSeconds.toFixed(1)} s with both starts`,
    )
    return { harmless: Object.values(checks).every(Boolean) }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const position = process.argv.indexOf('--events')
  const { harmless } = await noticesProof(position >= 0 ? Number(process.argv[position + 1]) : 1_000)
  process.exit(harmless ? 0 : 1)
}
